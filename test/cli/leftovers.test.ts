// Sheets that other programs have spoiled: what stands in place of a value is a fault, names that two records have are asked for,
// and signs that nobody sees make no second person.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

async function refuses(
  resource: string,
  rows: string | readonly string[],
  ...wanted: readonly (string | RegExp)[]
): Promise<void> {
  const name = typeof rows === 'string' ? 'rows.json' : 'rows.csv';
  writeFileSync(join(pm.home, name), typeof rows === 'string' ? rows : `${rows.join('\n')}\n`);
  await pm.refuses(`import ${resource} ${name} --yes`, 7, ...wanted);
}

describe('a text in place of a value is refused', () => {
  it.each([
    '#N/A',
    '#REF!',
    '#VALUE!',
    '#NAME?',
    '#DIV/0!',
    '########',
    ...['#SPILL!', '#BUSY!', '#FIELD!', '#GETTING_DATA', '#N/A N/A', 'Err:502'],
    ...['#NV', '#BEZUG!', '#WERT!', '#NOM?', '#VÄRDEFEL!', '#¡VALOR!', '#I/T'],
    ...['System.Object[]', 'System.String[]', '[object Object]', '\\N'],
  ])('%s', (text) =>
    refuses('individuals', ['UserName,PrimaryTitle', `ann,${text}`], 'which programs write where a value is missing'),
  );

  it('a formula that keeps its text', () =>
    refuses(
      'individuals',
      ['UserName,PrimaryTitle', 'ann,"=""00042"""'],
      'a formula that shows 00042',
      'Save the file',
    ));

  it('a sign in place of a character that was lost', () =>
    refuses(
      'individuals',
      ['UserName,PrimaryTitle', 'ann,Caf\ufffd'],
      'stands for a character that was lost',
      'UTF-8',
    ));

  it.each(['4.90123E+13', '1,23457E+16'])('%s', (text) =>
    refuses('individuals', ['UserName,UserDefined1', `ann,"${text}"`], 'a spreadsheet has cut its digits'),
  );

  it.each(['NULL', 'null', '(null)', 'nan', 'NaN', 'NaT', '<NA>', 'undefined'])('%s says not who', async (text) => {
    const left = `is "${text}", which programs write where a value is missing`;
    await refuses('individuals', ['UserName,PrimaryTitle', `${text},Head`], left);
    await refuses('individuals', ['UserName,PrimaryReportsTo', `ann,${text}`], left);
  });

  it('as the key, and in JSON', async () => {
    await refuses('individuals', ['UserName,PrimaryTitle', '#N/A,Head'], 'is "#N/A"');
    const cut = JSON.stringify([{ UserName: 'ann', UserDefined4: '@{Name=English; Level=3}' }]);
    await refuses('individuals', cut, 'is "@{Name=English; Level=3}"');
  });

  it('and none that only looks like one', async () => {
    for (const text of [
      'NULL',
      'nan',
      '1E+02',
      '#1',
      '#1!',
      '#n',
      'C#!',
      '\\Now',
      'N/A GmbH',
      '{x}',
      'Null',
      'None',
      'nano',
      '=x',
    ]) {
      writeFileSync(join(pm.home, 'rows.csv'), `UserName,UserDefined1\nann,${text}\n`);
      await pm('import individuals rows.csv --yes').says('1 update');
      expect((await pm('individuals get ann -o json').row()).UserDefined1).toBe(text);
    }
  });
});

const PEOPLE = 'UserName,FirstName,LastName,Email,PrimaryTitle,Department,PrimaryReportsTo';

describe('a name', () => {
  it('that a row of the file and a record have is asked for', async () => {
    await refuses(
      'individuals',
      [PEOPLE, 'ann2,Ann,Smith,a2@example.org,Head,Sales,admin', 'new,New,One,n@example.org,Clerk,Sales,Ann Smith'],
      'names row 2 of this file, and also a record of the site',
    );
    await refuses('departments', ['Name,ParentID,Rank', 'EMEA,Labs,3', 'Desk,EMEA,1'], 'names row 2 of this file');
  });

  it('that a row of the file and several records have is asked for', async () => {
    const twins = ['t1,Toni,Vale,t1@example.org,Clerk,Sales,admin', 't2,Toni,Vale,t2@example.org,Clerk,Sales,admin'];
    writeFileSync(join(pm.home, 'twins.csv'), `${[PEOPLE, ...twins].join('\n')}\n`);
    await pm('import individuals twins.csv --yes').says('2 creates');
    const named = 'n,New,One,n@example.org,Clerk,Sales,Toni Vale';
    await refuses(
      'individuals',
      [PEOPLE, 't3,Toni,Vale,t3@example.org,Head,Sales,admin', named],
      'names row 2 of this',
    );
    await refuses('individuals', [PEOPLE, twins[0] ?? '', named], 'names row 2 of this file');
  });

  it('is not that of the row itself, which says itself', async () => {
    await refuses(
      'individuals',
      [PEOPLE, 'kim,Kim,Lee,k@example.org,Head,Sales,Kim Lee'],
      'there is no individual "Kim Lee"',
    );
    for (const manager of ['itself', 'kim']) {
      writeFileSync(join(pm.home, 'top.csv'), `${PEOPLE}\nkim,Kim,Lee,k@example.org,Head,Sales,${manager}\n`);
      await pm('import individuals top.csv -n').says('1 create');
    }
  });

  it('with its kind in front is that of a row, too, as an export writes it', async () => {
    const rows = [
      '412733,Ada,One,a@example.org,Boss,Local,itself',
      '412734,Bo,Two,b@example.org,Clerk,Local,name:412733',
    ];
    writeFileSync(join(pm.home, 'rows.csv'), `${[PEOPLE, ...rows].join('\n')}\n`);
    await pm('import individuals rows.csv --yes').says('2 creates');
    await pm('export individuals --names --out out.csv').says('individuals');
    await pm('import individuals out.csv --yes').says('unchanged');
  });

  it.each([
    ...[
      '\u00ad',
      '\u200b',
      '\u2060',
      '\ufeff',
      '\u200c',
      '\u200d',
      '\u200e',
      '\u202a',
      '\u2066',
      '\u034f',
      '\u180e',
      '\u2028',
    ],
    ...['\u115f', '\u3164', '\ufe0f', '\u{e0041}'],
  ])('with a sign of no width in it makes no second person', (sign) =>
    refuses('individuals', [PEOPLE, `a${sign}nn,Ann,Smith,x@example.org,Head,Sales,admin`], 'which no name may have'),
  );
});
