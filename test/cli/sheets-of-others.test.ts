// Sheets as other programs write them: each comes in with the right value, or is refused at its line with the cause. Workbooks:
// test/changes/files-excel.test.ts; what stands in place of a value: test/cli/leftovers.test.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

/** The command line that imports these lines, or this text of JSON or YAML. */
function sheet(lines: readonly string[] | string, flags = '', resource = 'individuals'): string {
  const form = typeof lines !== 'string' ? 'csv' : /^[[{]/.test(lines) ? 'json' : 'yaml';
  writeFileSync(join(pm.home, `sheet.${form}`), typeof lines === 'string' ? lines : `${lines.join('\n')}\n`);
  return `import ${resource} sheet.${form} --yes ${flags}`;
}

const refuses = async (line: string, ...wanted: readonly string[]): Promise<void> => {
  await pm.refuses(line, 7, ...wanted);
};

const PERSON = 'UserName,FirstName,LastName,Email,Job title,Department,Manager';

describe('a day', () => {
  it.each([
    ['45352', 'a date as a spreadsheet numbers it', "--date-format 'HireDate=excel'"],
    ['36526.5', 'a date as a spreadsheet numbers it', 'Format the column as a date'],
    ['0000-00-00', 'which is not a real date', '--null usual'],
    ['1900-01-00', 'which is not a real date', 'A date such as'],
    ['31.04.2024', 'which is not a real date', 'A date such as'],
    ['2024-02-30', 'which is not a real date', 'A date such as'],
    ['01.03.64', 'with a short year', "--date-format 'HireDate=dd.mm.yy'"],
    ['3/31/29', 'with a short year', "--date-format 'HireDate=mm/dd/yy'"],
    ['03-04-2024', 'can be 2024-04-03 or 2024-03-04', "--date-format 'HireDate=dd-mm-yyyy' or 'HireDate=mm-dd-yyyy'"],
    ['1-Mar-98', 'with a short year', "--date-format 'HireDate=dd-mmm-yy'"],
    ['"March 1, 98"', 'with a short year', "--date-format 'HireDate=mmm d, yy'"],
    ['2024', 'not a date', 'leave the cell blank'],
    ['N/A', 'not a date', '--null usual'],
    ['-', 'not a date', '--null usual'],
    ['tbd', 'not a date', 'leave the cell blank'],
    ['/Date(x)/', 'not a date', 'leave the cell blank'],
  ])('written %s is refused', (day, why, way) =>
    refuses(sheet(['UserName,HireDate', `ann,${day}`]), 'line 2', 'HireDate', why, way),
  );

  it.each([
    ['2024-03-01', '2024-03-01'],
    ['01.03.2024', '2024-03-01'],
    ['31/12/2023', '2023-12-31'],
    ['12/31/2023', '2023-12-31'],
    ['2024/3/1', '2024-03-01'],
    ['2024-03-01 00:00:00.000', '2024-03-01'],
    ['2024-03-01T00:00:00.0000000', '2024-03-01'],
  ])('written %s is read', async (day, wanted) => {
    await pm(sheet(['UserName,HireDate', `ann,${day}`], '--tz UTC')).says('1 update');
    expect(String((await pm('individuals get ann -o json').row()).HireDate)).toContain(wanted);
  });

  it.each(['03.04.2024', '03-04-2024', '3.4.2024'])('with another mark than the form says is refused: %s', (day) =>
    refuses(sheet(['UserName,HireDate', `ann,${day}`], '--date-format mm/dd/yyyy'), '--date-format says "/"'),
  );

  it.each(['dd.mm', 'yyyy/dd/mm', 'HireDate=d m y', 'yyyy', 'HireDate'])('has no form %s', async (form) => {
    const line = sheet(['UserName,HireDate', 'ann,2024-03-01']);
    await pm.refuses([...line.trim().split(' '), '--date-format', form], 2, '--date-format is');
  });
});

describe('yes and no', () => {
  it.each(['ja', '2', 'x', 'yes please'])('written %s is refused, with the words that are read', (word) =>
    refuses(
      sheet(['UserName,IsAdmin', `ann,${word}`]),
      'line 2',
      'IsAdmin',
      'Write true or false, yes or no, y or n, t or f, on or off, 1 or 0',
    ),
  );

  it.each(['1', 'TRUE', 'true ', ' True', 'Y', 'yes', 'T', 'On '])('written %j is yes', async (word) => {
    await pm(sheet(['UserName,IsAdmin', `ann,${word}`])).says('1 update');
    expect((await pm('individuals get ann -o json').row()).IsAdmin).toBe(true);
  });
});

describe('no', () => {
  it.each(['0', 'FALSE', 'N', 'no', 'f', 'Off'])('may be written %j', async (word) => {
    await pm('individuals update bob --is-admin true').prints();
    await pm(sheet(['UserName,IsAdmin', `bob,${word}`])).says('1 update');
    expect((await pm('individuals get bob -o json').row()).IsAdmin).toBe(false);
  });
});

describe('rows that hold no record', () => {
  it.each([
    ['blank ones', ['UserName,PrimaryTitle', 'ann,Head', ',', '""," "', 'bob,Clerk', ',,', '']],
    ['the header again', ['UserName,PrimaryTitle', 'ann,Head', 'UserName,PrimaryTitle', 'bob,Clerk']],
  ])('are passed over: %s', async (_what, lines) => {
    await pm(sheet(lines.map((line) => line.replace(' ', '')))).says('2 updates');
    expect((await pm('individuals get bob -o json').row()).PrimaryTitle).toBe('Clerk');
  });

  it('and the header is said, so that no record is made of it', async () => {
    const lines = ['Group,Description', 'Carers,We care.', 'Group,Description', 'Writers,We say it.'];
    await pm(sheet(lines, '', 'security-groups')).says('2 creates', 'the header again on 1 row');
    expect((await pm('security-groups list -o json').rows()).map(({ Group }) => Group)).not.toContain('Group');
  });

  it('and cells that are missing at the end are told at each line', () =>
    refuses(
      sheet(['UserName,PrimaryTitle,Suffix', 'ann,Head', ',,', 'bob,Clerk']),
      'line 2, column Suffix',
      'line 4, column Suffix',
    ));
});

describe('a column', () => {
  it('without a name is left out where it is said, and hides no other fault', async () => {
    const lines = [',UserName,PrimaryTitle,', '0,ann,Head,', '1,bob,Clerk,x'];
    await refuses(sheet([...lines, '2,ghost,#N/A,']), 'line 2, column 1', 'line 4', '--ignore-unknown');
    await pm(sheet(lines, '--ignore-unknown')).says('2 updates');
    expect((await pm('individuals get ann -o json').row()).PrimaryTitle).toBe('Head');
  });

  it.each(['Shoe size\n(in cm)', "Employee's chief", 'Cost  center', 'Größe, in m'])(
    'that is no field is left out as the hint says: %j',
    async (name) => {
      const lines = [`UserName,PrimaryTitle,"${name}"`, 'ann,Head,x'];
      const { err } = await pm.refuses(sheet(lines), 7, 'is not a field of individuals');
      const [, map = ''] = /--map '([^']+=)' leaves it out/.exec(err) ?? [];
      await pm([...sheet(lines).trim().split(' '), '--map', map]).says('1 update');
    },
  );

  it('is mapped once', () =>
    pm.refuses(
      sheet(['UserName,Job', 'ann,Head'], '--map Job=PrimaryTitle --map job=Suffix'),
      2,
      '--map names the column job twice: Job=PrimaryTitle, and job=Suffix',
    ));

  it('names its line where the header stands further down', () =>
    refuses(
      sheet(['Staff of 2026', '', 'UserName,Shoe size', 'ann,39'], '--header-row 3'),
      'line 3, column Shoe size',
    ));
});

describe('JSON and YAML', () => {
  it.each([
    ['one object', '{\n "UserName": "ann",\n "PrimaryTitle": "Head"\n}'],
    ['one mapping', 'UserName: ann\nPrimaryTitle: Head\n'],
    ['one object whose text looks like a list', '{"UserName":"ann",\n"PrimaryTitle":"Head","UserDefined1":"[{x}]"}'],
  ])('of one record: %s', async (_what, text) => {
    await pm(sheet(text)).says('1 update');
    expect((await pm('individuals get ann -o json').row()).PrimaryTitle).toBe('Head');
  });

  it.each([
    ['a map of records', 'departments:\n  Night:\n    parent: Labs\n', 'not fields of individuals: Name, parent'],
    ['a structure', '[{"UserName":"ann","HireDate":{"day":"2024-03-01"}}]', 'column HireDate.day is not a field'],
    ['a name in parts', '[{"UserName":"ann","FirstName":{"given":"Ann"}}]', 'column FirstName.given is not a field'],
  ])('with %s are refused at the member', (_what, text, why) => refuses(sheet(text), why));
});

describe('a person', () => {
  it('who was here before is named where one of the same e-mail is made', async () => {
    await pm('individuals delete bob --yes').prints();
    const again = 'bob2,Bob,Stone,bob@example.org,Clerk,Sales,ann';
    await pm(sheet([PERSON, again])).says('is also that of bob (deleted: an undelete brings that one back)');
    await pm('individuals undelete bob --yes').says('is also that of bob2');
  });

  it.each([
    ['a full name', 'Bob Stone'],
    ['the last name first', '"Stone, Bob"'],
    ['as the tree shows it', 'Bob Stone (bob)'],
    ['an e-mail', 'bob@example.org'],
    ['capitals', 'BOB'],
  ])('is the manager by %s', async (_what, manager) => {
    await pm(sheet([PERSON, `new,New,One,n@example.org,Clerk,Sales,${manager}`])).says('1 create');
    const [bob, one] = [await pm('individuals get bob -o json').row(), await pm('individuals get new -o json').row()];
    expect(one.PrimaryReportsTo).toBe(bob.ID);
  });

  it.each([
    ['a full name', 'Ada One'],
    ['the last name first', '"One, Ada"'],
    ['as the tree shows it', 'Ada One (ada)'],
  ])('of the same file is the manager by %s', async (_what, manager) => {
    const rows = [`new,New,Two,n@example.org,Clerk,Sales,${manager}`, 'ada,Ada,One,ada@example.org,Head,Sales,ann'];
    await pm(sheet([PERSON, ...rows])).says('2 creates');
    const [ada, one] = [await pm('individuals get ada -o json').row(), await pm('individuals get new -o json').row()];
    expect(one.PrimaryReportsTo).toBe(ada.ID);
  });

  it.each([
    'Stone, Ann',
    'Bob Stone (ann)',
    'Bob Stone (EMP0012)',
    'bob, ann',
    'bob;ann',
    '00023',
    'N/A',
    'none',
    'self',
  ])('is nobody else: %s is refused', (manager) =>
    refuses(sheet([PERSON, `new,New,One,n@example.org,Clerk,Sales,"${manager}"`]), 'line 2, column Manager'),
  );

  it('needs both names, and stands in the file once', async () => {
    const lines = [PERSON, 'cher,Cher,,c@example.org,Clerk,Sales,ann', 'prince,,Prince,p@example.org,Clerk,Sales,ann'];
    await refuses(sheet(lines), 'line 2, column LastName is required', 'line 3, column FirstName is required');
    const twice = [PERSON, 'x,X,One,x@example.org,Clerk,Sales,ann', 'x,X,One,x@example.org,Head,Labs,ann'];
    await refuses(sheet(twice), 'line 3 has the same UserName as line 2');
  });
});
