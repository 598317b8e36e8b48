// Files and sheets that say by their names what they hold: a folder or a workbook made by hand is one import.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textRow, workbookOf } from '../support/excel-file.ts';
import { type Member, usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

const TEAMS = ['Name,Parent,Rank', 'Hull,Local,7', 'Paint,Hull,1'];
const PEOPLE = [
  'User name,First name,Surname,E-mail,Job title,Department,Manager',
  'ina,Ina,Berg,ina@example.org,Painter,Paint,otto',
  'otto,Otto,Dahl,otto@example.org,Head,Hull,ann',
];
const DUTIES = ['Individual,Name,Rank,Description', 'ina,Paint,1,Paint all'];
const FILES = { 'people.csv': PEOPLE, 'Teams.csv': TEAMS, '03 responsibilities.csv': DUTIES };

function folder(files: Readonly<Record<string, readonly string[]>>, name = 'made'): string {
  mkdirSync(join(pm.home, name), { recursive: true });
  for (const [file, lines] of Object.entries(files)) writeFileSync(join(pm.home, name, file), `${lines.join('\n')}\n`);
  return name;
}

function workbook(name: string, sheets: Readonly<Record<string, readonly string[]>>): string {
  const xml = Object.entries(sheets).map(([sheet, lines]) => [
    sheet,
    lines.map((line, at) => textRow(at + 1, line.split(','))).join(''),
  ]);
  writeFileSync(join(pm.home, name), workbookOf(Object.fromEntries(xml)));
  return name;
}

const imports = async (): Promise<readonly Member[]> =>
  (await pm('jobs list -o json').rows()).filter(({ Kind }) => Kind === 'import');

describe('a folder of tables', () => {
  it('is one job in the order of its references, which one undo takes back', async () => {
    const before = await pm('individuals list -o json').rows();
    const { err } = await pm(`apply ${folder(FILES)} --yes`).says('▲ local as admin – 5 creates');
    expect(err).toMatch(/Teams\.csv: 2 rows, 2 creates\npeople\.csv: .*\npeople\.csv: 2 rows, 2 creates\n03 resp/);
    expect(await pm('individuals get ina -o json').row()).toMatchObject({ PrimaryOrganizationName: 'Paint' });
    expect(await imports()).toMatchObject([{ Total: 5, Title: 'apply made' }]);
    await pm(`apply made --yes`).says('5 unchanged', 'Nothing to change.');
    await pm('undo --yes').prints();
    expect(await pm('individuals list -o json').rows()).toEqual(before);
    await pm('departments get Hull').fails(6);
  });

  it('is rehearsed whole: people stand in departments of the same import', async () => {
    const before = pm.dump();
    const rows = await pm(`apply ${folder(FILES)} -n -o json`).rows();
    expect(rows.filter(({ Field }) => Field === 'Name' || Field === 'UserName')).toMatchObject([
      { File: 'Teams.csv', After: 'Hull' },
      { File: 'Teams.csv', After: 'Paint' },
      { File: 'people.csv', After: 'otto' },
      { File: 'people.csv', After: 'ina' },
      { File: '03 responsibilities.csv', After: 'Paint' },
    ]);
    expect(pm.dump()).toEqual(before);
  });

  it('with a fault in one file changes nothing', async () => {
    const files = { ...FILES, 'people.csv': [...PEOPLE, 'uwe,Uwe,Falk,uwe@example.org,Clerk,Nowhere,ann'] };
    await pm.refuses(`apply ${folder(files)} --yes`, 7, 'people.csv', 'there is no department "Nowhere"');
  });

  it('that is given as a file is told, and a text file is read by its name', async () => {
    await pm.refuses(`import ${folder(FILES)} --yes`, 2, 'pm apply made');
    writeFileSync(
      join(pm.home, 'people.txt'),
      PEOPLE.join('\n').replaceAll(',', '\t').replaceAll('Paint\t', 'Labs\t').replaceAll('Hull\t', 'Labs\t'),
    );
    await pm('import people.txt --yes').says('people.txt: utf-8, tab', '2 creates');
    await pm.refuses('import letter.txt', 2, 'letter.txt cannot be read: there is no such file');
  });

  it('says which names are no resource, or leaves those files out', async () => {
    const files = { ...FILES, 'notes.csv': ['a', 'b'], 'wishes.json': ['[]'] };
    await pm.refuses(
      `apply ${folder(files)} --yes`,
      2,
      'not the name of a resource: notes.csv, wishes.json',
      '--ignore-unknown',
    );
    await pm('apply made --yes --ignore-unknown').says('Left out: notes.csv, wishes.json', '5 creates');
  });

  it('leaves out what is no table, and follows no link', async () => {
    folder({ ...FILES, 'README.md': ['# Us'], '.hidden.csv': ['a'], '~$people.xlsx': ['x'] });
    writeFileSync(join(pm.home, 'goals.csv'), 'Name\nx\n');
    symlinkSync(join(pm.home, 'goals.csv'), join(pm.home, 'made', 'goals.csv'));
    mkdirSync(join(pm.home, 'made', 'tasks.csv'));
    await pm('apply made --yes').says('Left out: README.md, goals.csv, tasks.csv\n', '5 creates');
  });

  it('has one file for a resource', async () => {
    const made = folder({ ...FILES, 'users.csv': PEOPLE });
    await pm.refuses(`apply ${made} --yes`, 2, 'people.csv and users.csv both hold individuals');
  });

  it('that holds none, or is none, is refused', async () => {
    await pm.refuses(`apply ${folder({})} --yes`, 2, 'holds no rows that pm can read', 'departments.csv');
    await pm.refuses('apply nowhere.xlsx --yes', 2, 'nowhere.xlsx');
  });

  it('may lie in a folder of site files', async () => {
    await pm('export --dir out').says();
    folder({ 'duties.csv': ['Individual,Name,Rank,Description', 'ann,Paint,9,Paint all'] }, 'out');
    await pm('apply out --yes').says('duties.csv: ', '1 create');
  });

  it('has recipes beside its files, which say what they hold and how they are read', async () => {
    folder({
      'hr.csv': ['Kennung,Titel', 'ann,Head'],
      'hr.pm': [
        'recipe: 1',
        'resource: individuals',
        'key: UserName',
        'map:',
        '  Kennung: UserName',
        '  Titel: PrimaryTitle',
      ],
    });
    await pm('apply made --yes').says('1 update');
    expect(await pm('individuals get ann -o json').row()).toMatchObject({ PrimaryTitle: 'Head' });
  });
});

describe('a workbook', () => {
  const SHEETS = { People: PEOPLE, Teams: TEAMS, Notes: [''] };

  it('is imported sheet by sheet, as one job', async () => {
    const book = workbook('company.xlsx', SHEETS);
    const { err } = await pm(`apply ${book} --yes`).says('4 creates');
    expect(err).toMatch(/company\.xlsx\/Teams: .*2 creates\ncompany\.xlsx\/People: /);
    expect(await imports()).toMatchObject([{ Total: 4, Title: 'apply company.xlsx' }]);
    await pm('undo --yes').prints();
    await pm('individuals get ina').fails(6);
  });

  it('is rehearsed with the sheet of each row, and stands in a folder too', async () => {
    mkdirSync(join(pm.home, 'books'));
    workbook('books/company.xlsx', SHEETS);
    const rows = await pm('apply books -n -o json').rows();
    expect(new Set(rows.map(({ File }) => File))).toEqual(new Set(['company.xlsx/Teams', 'company.xlsx/People']));
  });

  it('says which sheets are no resource', async () => {
    const book = workbook('company.xlsx', { ...SHEETS, Prices: ['a', 'b'] });
    await pm.refuses(`apply ${book} --yes`, 2, 'not the name of a resource: company.xlsx/Prices');
    await pm(`apply ${book} --yes --ignore-unknown`).says('Left out: company.xlsx/Prices', '4 creates');
  });

  it('whose sheets say nothing is read under its own name', async () => {
    const book = workbook('people.xlsx', { Sheet1: PEOPLE.map((line) => line.replace(/Paint,|Hull,/, 'Sales,')) });
    await pm(`apply ${book} --yes`).says('2 creates');
  });

  it('leaves the rows that fail in a file for each sheet', async () => {
    await pm('sites create Elsewhere --admin ina').prints();
    const book = workbook('company.xlsx', SHEETS);
    const { err } = await pm(`apply ${book} --yes`).fails(3, 'company.xlsx/People line 2: ');
    const [, file = ''] = /What was not done: (.*)/.exec(err) ?? [];
    expect(file).toMatch(/individuals\.csv$/);
    expect(readFileSync(file, 'utf8')).toContain('ina@example.org');
    await pm('individuals update ina --user-name elsewhere --site Elsewhere').prints();
    await pm(`jobs retry ${String((await imports())[0]?.Job)}`).prints();
    await pm('individuals get ina').prints('Paint');
  });

  it('of which one sheet is read says which others it has', async () => {
    workbook('company.xlsx', { Teams: TEAMS, People: PEOPLE, Empty: [''] });
    await pm('import departments company.xlsx --yes').says('  not read: People (--sheet names a sheet)', '2 creates');
    const chosen = pm('each company.xlsx --sheet Teams -n -- departments update {Name} --focus {Rank}');
    expect((await chosen.says('XLSX, sheet "Teams"')).err).not.toContain('not read');
  });
});

describe('a single file', () => {
  it('may say by its name what it holds', async () => {
    folder({ 'teams.csv': TEAMS });
    await pm('import made/teams.csv --yes').says('2 creates');
    folder({ 'stuff.csv': TEAMS });
    await pm.refuses('import made/stuff.csv', 2, 'its name says no resource', 'pm import <resource> made/stuff.csv');
  });

  it('whose name says nothing is told with the resource that most of its columns are fields of', async () => {
    folder({ 'staff of may.csv': PEOPLE, 'plain.csv': ['Name,Rank', 'Hull,1'], 'other.csv': ['a,b', '1,2'] }, '.');
    const { err } = await pm.refuses(['import', 'staff of may.csv', '-n'], 2, 'its name says no resource');
    const [, line = ''] = /^hint: pm (.+)$/m.exec(err) ?? [];
    expect(line).toBe("import individuals 'staff of may.csv'");
    await pm.refuses(`${line} -n`, 7, 'there is no department "Paint"');
    for (const file of ['plain.csv', 'other.csv'])
      await pm.refuses(`import ${file} -n`, 2, `pm import <resource> ${file}`);
  });

  it('is never written over by the same command', async () => {
    folder({ 'teams.csv': TEAMS });
    await pm('import made/teams.csv -n --out made/teams.csv --overwrite').fails(2, 'this command reads it');
    expect(existsSync(join(pm.home, 'made/teams.csv'))).toBe(true);
  });
});
