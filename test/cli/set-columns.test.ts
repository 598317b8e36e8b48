// pm import --set: a value for every row, as if the sheet had a column of it, or a text made of cells of the row.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textRow, workbookOf } from '../support/excel-file.ts';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

const LOGIN = 'UserName={First}.{Last}';
/** All that new people need beside their names, e-mails and titles. */
const PLACE = ['--set', 'Department=Sales', '--set', 'Manager=ann'];

/** The words of the command that imports these lines of CSV, or a file that is there. */
function sheet(lines: readonly string[] | string, ...flags: readonly string[]): readonly string[] {
  const file = typeof lines === 'string' ? lines : 'sheet.csv';
  if (typeof lines !== 'string') writeFileSync(join(pm.home, file), `${lines.join('\n')}\n`);
  return ['import', 'individuals', file, '--yes', ...flags];
}

const person = async (name: string) => pm(['individuals', 'get', name, '-o', 'json']).row();
const HEAD = 'First,Last,Email,Title';

describe('--set', () => {
  it('gives each row a value, by the name that people have for the field', async () => {
    const lines = ['UserName,FirstName,LastName,Email,Title', 'jo,Jo,Day,jo@example.org,Clerk'];
    await pm(sheet(lines, ...PLACE)).says('1 create');
    expect(await person('jo')).toMatchObject({ PrimaryOrganizationName: 'Sales', FullName: 'Jo Day' });
  });

  it.each([
    ['a field that is none', 'Shoe=43', '--set Shoe names no field'],
    ['a field that the service fills', 'FullName=x', 'names no field that it can fill'],
    ['a password, which others would see', 'Password=x', '--set Password names no field that it can fill'],
    ['no value', 'Title', 'names no field'],
    ['a column that is misspelled', 'Suffix={Tilte}', 'the file has no column Tilte'],
  ])('is refused for %s', async (_what, set, why) => {
    await pm.refuses(sheet(['UserName,Title', 'ann,Head'], '--set', set), 2, why);
  });

  it('names the column that is near', () =>
    pm.refuses(sheet(['UserName,Title', 'ann,Head'], '--set', 'Suffix={Tilte}'), 2, 'Did you mean {Title}?'));

  it.each(['Title', 'Job title', 'PrimaryTitle'])('is refused beside the column %s of its field', async (column) => {
    await pm.refuses(
      sheet([`UserName,${column}`, 'ann,Head'], '--set', 'Title=Boss'),
      7,
      `column --set Title fills PrimaryTitle, as the column ${column} does`,
      'Leave --set Title out',
    );
  });

  it('is refused for one field under two names', () =>
    pm.refuses(
      sheet(['UserName', 'ann'], '--set', 'Title=Boss', '--set', 'PrimaryTitle=Boss'),
      7,
      'fills PrimaryTitle, as the column --set Title does',
    ));

  it('is named by the fault of its value, once', async () => {
    const lines = ['UserName', 'ann', 'bob'];
    const { err } = await pm.refuses(sheet(lines, '--set', 'Department=Sale'), 7, 'column --set Department', 'Sales?');
    expect(err.match(/--set Department/g)).toHaveLength(1);
  });

  it('takes a column alone as its cell is, also one that is left out', async () => {
    const lines = ['UserName,Start,Shoe', 'ann,31.12.2023,43', 'bob,,'];
    const flags = ['--map', 'Start=', '--set', 'HireDate={start}', '--set', 'UserDefined1={Shoe}', '--ignore-unknown'];
    await pm(sheet(lines, ...flags)).says('1 update', '1 unchanged');
    const { HireDate, UserDefined1 } = await person('ann');
    expect([String(HireDate).slice(0, 10), UserDefined1]).toEqual(['2023-12-31', '43']);
  });

  it.each([
    ['json', '[{"who": "ann", "team": "East"}]'],
    ['ndjson', '{"who": "ann", "team": "East"}\n'],
    ['yaml', '- who: ann\n  team: East\n'],
    ['csv', 'who,team\nann,East\nwho,team\n'],
    ['xlsx', workbookOf({ People: `${textRow(1, ['who', 'team'])}${textRow(2, ['ann', 'East'])}` })],
  ])('works with %s', async (form, content) => {
    writeFileSync(join(pm.home, `sheet.${form}`), content);
    const flags = ['--map', 'who=UserName', '--map', 'team=', '--set', 'Suffix=T {team}'];
    await pm(sheet(`sheet.${form}`, ...flags)).says('1 update');
    expect((await person('ann')).Suffix).toBe('T East');
  });

  it('is kept by a recipe', async () => {
    const lines = [HEAD, 'Jo,Day,jo@example.org,Clerk'];
    await pm(sheet(lines, '--set', LOGIN, ...PLACE, '--save-recipe', 'hr.pm')).says('1 create');
    await pm('import hr.pm sheet.csv --yes').says('1 unchanged');
    await pm('import hr.pm sheet.csv --yes --set Department=Labs').says('1 update');
    expect((await person('jo.day')).PrimaryOrganizationName).toBe('Labs');
  });

  it('takes no blank, no word for none and no leftover of a program into a longer text', async () => {
    const lines = [HEAD, 'Jo,,jo@example.org,Clerk', 'Jo,#N/A,j@example.org,Clerk', 'Jo,Na,na@example.org,Clerk'];
    const flags = ['--set', LOGIN, ...PLACE];
    await pm.refuses(
      sheet(lines, ...flags),
      7,
      'column --set UserName needs a text in the column Last, not "" (2 such rows: 2, 3 "#N/A")',
    );
    await pm.refuses(sheet(lines, ...flags, '--null', 'na'), 7, '3 such rows');
    const { err } = await pm.refuses(
      sheet([HEAD, 'Total,,,3'], ...flags),
      7,
      'in the column Last, not ""',
      '--last-row 1',
    );
    expect(err).not.toMatch(/is required|has no --set/);
  });

  it('says beside such a row what else is wrong with it', async () => {
    const lines = [`${HEAD},Manager`, 'Jo,,jo@example.org,Clerk,nobody', ',Day,al@example.org,,ann'];
    const { err } = await pm.refuses(
      sheet(lines, '--set', LOGIN, '--set', 'Department=Nowhere'),
      7,
      "sheet.csv: utf-8, ',', LF, 2 rows",
      'line 2, column --set UserName needs a text in the column Last, not ""',
      'line 3, column --set UserName needs a text in the column First, not ""',
      'column Manager cannot be used: there is no individual "nobody"',
      'there is no department "Nowhere"',
    );
    expect(err).not.toContain('has no --set UserName');
  });
});

describe('a user name that --set makes', () => {
  it.each([
    ['Jürgen', 'Groß', 'juergen.gross'],
    ['Zoë Ann', 'Ångström-Øst', 'zoeann.angstroem-ost'],
    ['Seán', "O'Neil, Jr.", 'sean.oneiljr.'],
    ['Łukasz', 'Æsir', 'lukasz.aesir'],
    ['娜', '李', '娜.李'],
  ])('of %s %s is %s', async (first, last, login) => {
    await pm(sheet([HEAD, `${first},"${last}",x@example.org,Clerk`], '--set', LOGIN, ...PLACE)).says('1 create');
    expect((await person(login)).UserName).toBe(login);
  });

  it('finds the same people with the next file, whatever the order of its rows', async () => {
    const rows = ['Jo,Day,jo@example.org,Clerk', 'Al,Day,al@example.org,Clerk'];
    await pm(sheet([HEAD, ...rows], '--set', LOGIN, ...PLACE)).says('2 creates');
    await pm(sheet([HEAD, ...rows.toReversed()], '--set', LOGIN, ...PLACE)).says('2 unchanged');
    await pm(sheet([HEAD, rows[1] ?? ''], '--set', LOGIN, ...PLACE)).says('1 unchanged');
  });

  it('is made once: two rows that come out alike are a fault with both lines, whichever columns are read', async () => {
    const lines = ['First,Last,No', 'Jo,Day,1', 'Jö,Day,2', 'Joe,Day,3'];
    const flags = ['--map', 'No=', '--set', 'Email={First}@example.org', '--set', 'Title=Clerk', ...PLACE];
    await pm.refuses(
      sheet(lines, ...flags, '--set', LOGIN),
      7,
      'Add a column that tells the rows apart.',
      'line 4, column --set UserName makes "joe.day" of this row and of line 3',
      'column --set Email makes "joe@example.org" of this row and of line 3',
    );
    const mails = ['--set', 'Email={First}.{No}@example.org', '--set', 'Title=Clerk', '--map', 'No=', ...PLACE];
    await pm(sheet(lines, ...mails, '--set', 'UserName={First}.{Last}.{No}')).says('3 creates');
  });

  it.each([
    [
      'their user name',
      'line 3 and line 2 are one person: both have one e-mail, and --set UserName makes "jo.day" of both',
      [],
    ],
    ['their e-mail', 'line 3 has the same Email as line 2, and other values', ['--key', 'Email']],
  ])(
    'is of one person where both rows have one e-mail, by %s, and no hint makes a second one',
    async (_, fault, flags) => {
      const lines = [`${HEAD},Department`, 'Jo,Day,jo@example.org,Clerk,Sales', 'Jo,Day,JO@example.org,Clerk,Labs'];
      const { err } = await pm.refuses(
        sheet(lines, '--set', LOGIN, ...PLACE.slice(2), ...flags),
        7,
        fault,
        'Leave one of the two rows out. A second department is a row of department-members: Individual, Department, Title.',
      );
      expect(err).not.toContain('tells the rows apart');
      await pm('explain department-members').prints('Title');
    },
  );

  it('names of three rows the one with the same e-mail', () =>
    pm
      .refuses(
        sheet(
          [HEAD, 'Jo,Day,a@example.org,x', 'Jo,Day,b@example.org,x', 'Jo,Day,b@example.org,y'],
          '--set',
          LOGIN,
          ...PLACE,
        ),
        7,
        'line 3, column --set UserName makes "jo.day" of this row and of line 2',
        'line 4 and line 3 are one person',
        'tells the rows apart',
      )
      .then(() => {}));

  it('takes a row that is twice in the file for one', async () => {
    const row = 'Jo,Day,jo@example.org,Clerk';
    await pm(sheet([HEAD, row, row], '--set', LOGIN, ...PLACE)).says('1 create', '1 row twice in the file');
  });

  it('changes nobody of that name with another e-mail, who may be somebody else', async () => {
    const lines = [HEAD, 'Ann,Smith,new@example.org,Boss'];
    await pm('individuals update ann --user-name Ann.Smith').prints();
    await pm.refuses(
      sheet(lines, '--set', LOGIN, ...PLACE.slice(0, 2)),
      7,
      'makes "Ann.Smith", a user name that somebody has with another e-mail: "ann@example.org"',
      'change the e-mail on the site first',
    );
    await pm('individuals update Ann.Smith --email new@example.org').prints();
    await pm(sheet(lines, '--set', LOGIN, ...PLACE.slice(0, 2))).says('1 update');
    expect(await person('Ann.Smith')).toMatchObject({ UserName: 'Ann.Smith', PrimaryTitle: 'Boss' });
  });

  it('is for new people: who is found by another key keeps theirs', async () => {
    const lines = [HEAD, 'Ann,Smith,ann@example.org,Boss', 'Jo,Day,jo@example.org,Clerk'];
    await pm(
      sheet(lines, '--set', LOGIN, '--set', 'Department=Sales', '--set', 'Manager=admin', '--key', 'Email'),
    ).says('1 create, 1 update');
    expect((await person('ann')).PrimaryTitle).toBe('Boss');
    expect((await person('jo.day')).Email).toBe('jo@example.org');
  });

  it('is compared with those of new people: who is found by another key keeps theirs, and the hint tells two apart', async () => {
    const lines = [HEAD, 'Ann,Smith,ann@example.org,Boss', 'Ann,Smith,ann2@example.org,Clerk'];
    const flags = ['--set', 'Department=Sales', '--set', 'Manager=admin', '--key', 'Email'];
    await pm(sheet(lines, '--set', LOGIN, ...flags, '-n')).says('1 create, 1 update');
    const more = [...lines, 'Ann,Smith,ann3@example.org,Clerk'];
    const { err } = await pm.refuses(
      sheet(more, '--set', LOGIN, ...flags),
      7,
      'line 4, column --set UserName makes "ann.smith" of this row and of line 3',
    );
    const [, way = ''] = /such as --set '(UserName=[^']+)'/.exec(err) ?? [];
    await pm(sheet(more, '--set', way, ...flags)).says('2 creates, 1 update');
    expect((await person('ann2@example.org')).PrimaryTitle).toBe('Clerk');
  });

  it('stays that of who comes back; somebody deleted of that name with another e-mail may be somebody else', async () => {
    const lines = ['First,Last,Mail,No', 'Ann,Smith,new@example.org,7'];
    const flags = ['--map', 'No=UserDefined1', '--set', 'UserName={Mail}', '--on-deleted', 'undelete'];
    await pm('individuals update ann --user-defined1 7').prints();
    await pm('individuals delete ann --yes').prints();
    await pm(sheet(lines, ...flags, '--key', 'UserDefined1')).says('1 update, 1 undelete');
    expect(await person('ann')).toMatchObject({ UserName: 'ann', Email: 'new@example.org' });
    await pm('individuals update ann --user-name Ann.Smith --email ann@example.org').prints();
    await pm('individuals delete Ann.Smith --yes').prints();
    await pm.refuses(
      sheet(lines, '--map', 'No=UserDefined1', '--set', LOGIN, '--on-deleted', 'undelete'),
      7,
      'makes "Ann.Smith", a user name that somebody has with another e-mail: "ann@example.org"',
      'its e-mail can be changed when it is back: pm individuals undelete',
    );
  });
});

describe('several records in one cell', () => {
  const tasks = (responsible: string, ...flags: readonly string[]): readonly string[] => {
    writeFileSync(
      join(pm.home, 'tasks.csv'),
      `Individual,Name,Priority,Rank,Responsible\nann,Call,1,1,${responsible}\n`,
    );
    return ['import', 'tasks', 'tasks.csv', '--yes', ...flags];
  };
  const responsible = async () => String((await pm('tasks get Call -o json').row()).Responsible).split(/[ ,]+/).length;

  it('are parted by blanks and commas, and by --split alone where names have blanks', async () => {
    await pm.refuses(tasks('Ann Smith; Bob Stone'), 7, 'column Responsible');
    await pm(tasks('Ann Smith; Bob Stone', '--split', ';')).says('1 create');
    expect(await responsible()).toBe(2);
  });

  it.each([
    ['Manager', '"ann;bob"'],
    ['Manager', '"ann@example.org, bob@example.org"'],
    ['Department', 'Sales | Labs'],
  ])('are refused where the field takes one: %s %s', async (column, cell) => {
    const { err } = await pm.refuses(sheet([`UserName,${column}`, `bob,${cell}`]), 7, 'The field takes one of them');
    expect(err).not.toContain('--top');
  });

  it('in two rows of a person are a fault, and the second department is said to be a membership', () =>
    pm
      .refuses(sheet(['UserName,Department', 'bob,Sales', 'bob,Labs']), 7, 'is a row of department-members')
      .then(() => {}));
});

it('help says why no number is put behind a user name', () => pm('help files').prints('--set', 'number is put behind'));
