// Recipes: how a sheet was read is kept in a file, and the next sheet is read so.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

const put = (name: string, ...lines: readonly string[]): void =>
  writeFileSync(join(pm.home, name), `${lines.join('\n')}\n`);
const read = (name: string): string => readFileSync(join(pm.home, name), 'utf8');

const HEADER = 'Vorname,Nachname,Login,Mail,Abteilung,Vorgesetzte,Eintritt,Position,Nummer,Notiz';
const EVA = 'Eva,Roe,eva,eva@example.org,Sales,ann,03/04/2024,Member,00042,TBD';
const FLAGS = [
  ...['--map', 'Login=UserName', '--map', 'Nummer=', '--date-format', 'Eintritt=dd/mm/yyyy'],
  ...['--null', 'TBD,usual', '--ignore-unknown', '--key', 'UserName'],
];
const RECIPE = `# How pm reads this sheet: pm import hr.pm <file>. Flags beside it win. More: pm help files
recipe: 1
resource: individuals
key: UserName
map:
  Login: UserName
  Nummer:
  Vorname: FirstName
  Nachname: LastName
  Mail: Email
  Abteilung: PrimaryOrganizationID
  Vorgesetzte: PrimaryReportsTo
  Eintritt: HireDate
  Position: PrimaryTitle
ignore-unknown: true
date-format:
  Eintritt: dd/mm/yyyy
null: TBD,usual
`;
const kept = ['import', 'individuals', 'may.csv', ...FLAGS, '--save-recipe', 'hr.pm'];

beforeEach(() => put('may.csv', HEADER, EVA));

describe('--save-recipe', () => {
  it('writes the flags, and the columns that were understood, when all rows are', async () => {
    await pm([...kept, '-n']).says('How the file is read is kept in hr.pm. The next one: pm import hr.pm <file>');
    expect(read('hr.pm')).toBe(RECIPE);
    await pm([...kept.slice(0, -1), 'hr may.pm', '-n']).says("The next one: pm import 'hr may.pm' <file>");
  });

  it('writes nothing for a file with faults', async () => {
    put('may.csv', HEADER, EVA.replace('Sales', 'Nowhere'));
    await pm.refuses([...kept, '-n'], 7, 'there is no department "Nowhere"');
    expect(existsSync(join(pm.home, 'hr.pm'))).toBe(false);
  });

  it('writes over a recipe with --overwrite, and over no other file', async () => {
    await pm([...kept, '-n']).says('kept in hr.pm');
    await pm.refuses([...kept, '-n'], 2, 'the file exists already');
    await pm([...kept, '-n', '--overwrite']).says('kept in hr.pm');
    put('hr.pm', 'Name: notes');
    await pm.refuses(
      [...kept, '-n', '--overwrite'],
      7,
      'hr.pm: the values are not allowed',
      'line 1 is not a recipe of pm',
    );
    expect(read('hr.pm')).toBe('Name: notes\n');
    await pm.refuses(['import', 'individuals', 'may.csv', '--save-recipe', 'hr.yaml'], 2, 'does not end in .pm');
  });

  it('keeps what YAML would take for something else', async () => {
    put('odd.csv', 'UserName,no: #,null,"a\nb"', 'ann,x,y,z');
    const flags = ['--map', 'no: #=PrimaryTitle', '--map', 'null=', '--map', 'a\nb=', '--blank', 'clear'];
    await pm(['import', 'individuals', 'odd.csv', ...flags, '--save-recipe', 'odd.pm', '--yes']).says('1 update');
    await pm('import odd.pm odd.csv --yes').says('1 unchanged');
  });
});

describe('the filters of a recipe', () => {
  const FILTERS = [
    `Grade = 'A'`,
    `Grade != 'B' and Note is not null`,
    `Note is null`,
    `Grade in ('A', 'a=b')`,
    `Grade ~ '^A=?$'`,
    `Note ~~ 'it''s "so": #1'`,
    `Grade <= 'A' and (Note is null or Note = 'x=y')`,
  ];

  it.each(FILTERS)('are read back as they were typed: %s', async (filter) => {
    put('people.csv', 'UserName,First name,Grade,Note', 'ann,Anna,A,x=y', 'bob,Bobby,B,');
    const flags = ['--map', 'Grade=', '--map', 'Note=', '--rows', filter, '-n', '-o', 'json', '--mode', 'update'];
    const asTyped = await pm(['import', 'individuals', 'people.csv', ...flags, '--save-recipe', 'f.pm']);
    const again = await pm('import f.pm people.csv -n -o json --save-recipe g.pm');
    expect([again.exit, again.out]).toEqual([asTyped.exit, asTyped.out]);
    expect(again.err).toMatch(/left out by --rows: [12] row/);
    expect(parse(read('f.pm'))).toMatchObject({ rows: [filter] });
    expect(read('g.pm')).toBe(read('f.pm').replaceAll('f.pm', 'g.pm'));
  });

  it('give way to one that is typed', async () => {
    put('people.csv', 'UserName,First name,Grade', 'ann,Anna,A', 'bob,Bobby,B');
    put('f.pm', 'recipe: 1', 'resource: individuals', 'map: {Grade: }', 'rows:', `  - Grade is null`);
    await pm(['import', 'f.pm', 'people.csv', '--rows', `Grade = 'A'`, '--yes']).says('1 update');
  });

  it('are no columns that a faulty file lacks, nor is a form of all dates', async () => {
    put('people.csv', 'UserName,First name,Grade', 'zoe,Zoe,');
    put(
      'f.pm',
      'recipe: 1',
      'resource: individuals',
      'map: {Grade: }',
      'rows: Grade is null',
      'date-format: dd/mm/yyyy',
    );
    const { err } = await pm.refuses('import f.pm people.csv -n', 7, 'is new, and the file has no column for');
    expect(err).not.toContain('no such column');
  });

  it('stand beside values of --set that have the sign of a pair', async () => {
    put('people.csv', 'UserName', 'ann');
    await pm(['import', 'individuals', 'people.csv', '--set', 'Title=A=B', '--save-recipe', 's.pm', '--yes']).says(
      '1 update',
    );
    expect(parse(read('s.pm'))).toMatchObject({ set: { Title: 'A=B' } });
    await pm('import s.pm people.csv --yes').says('1 unchanged');
    await pm(['import', 's.pm', 'people.csv', '--set', 'Title=C', '--yes']).says('1 update');
  });
});

describe('a recipe in place of the resource', () => {
  beforeEach(() => put('hr.pm', RECIPE));

  it('reads the next file as the first one', async () => {
    put('june.csv', HEADER, EVA.replaceAll(/eva/gi, 'Ida'));
    await pm('import hr.pm june.csv --yes').says('1 create');
    const ida = await pm('individuals get Ida -o json').row();
    expect(ida).toMatchObject({ FirstName: 'Ida', HireDate: '2024-04-03' });
    await pm('plan hr.pm may.csv --out may.plan').says('1 create');
  });

  it('gives way to what is typed beside it, for a list to its own columns and fields alone', async () => {
    await pm('import hr.pm may.csv --mode update --yes').fails(7, 'line 2');
    put('june.csv', HEADER.replace('Vorname', 'Rufname'), EVA);
    const typed = ['--map', 'Rufname=FirstName', '--date-format', 'Eintritt=mm/dd/yyyy'];
    await pm(['import', 'hr.pm', 'june.csv', ...typed, '--yes']).says('1 create');
    const eva = await pm('individuals get eva -o json').row();
    expect(eva).toMatchObject({ FirstName: 'Eva', HireDate: '2024-03-04' });
  });

  it('names a column that the file has not, and how it is called otherwise', async () => {
    put('june.csv', HEADER.replace('Mail', 'Adresse'), EVA);
    const { err } = await pm.refuses('import hr.pm june.csv', 7, 'column Mail is mapped, but the file has no such');
    const [, typed = ''] = /hr\.pm has Mail=Email, but .*: --map '([^']+)'/.exec(err) ?? [];
    const named = typed.replace('<New>', 'Adresse');
    await pm(['import', 'hr.pm', 'june.csv', '--map', named, '--yes']).says('1 create');
  });

  it('may be written by hand, with remarks, lists and single texts', async () => {
    put('hand.pm', 'recipe: 1 # ours', 'resource: individuals', 'map: [Login=UserName, Nummer=]');
    put('hand.csv', 'Login,Nummer,First name', 'ann,00042,Anna');
    await pm('import hand.pm hand.csv --yes').says('1 update');
  });

  it('says the site, which is refused where it is unknown', async () => {
    put('hr.pm', RECIPE, 'site: Nowhere');
    await pm.refuses('import hr.pm may.csv', 6, 'there is no site "Nowhere"');
  });

  it('is told with all its faults, each with its line', async () => {
    put('bad.pm', 'recipe: 1', 'resource: people', 'mod: x', 'mode: sideways', 'map:', '  - [a]', 'sheet: {a: b}');
    const { err } = await pm.refuses('import bad.pm may.csv', 7, 'line 2 names no resource of pm');
    expect(err).toContain('line 3 has no use for mod');
    expect(err).toContain('line 3: Did you mean mode?');
    expect(err).toContain('line 4 mode: must be upsert or create or update');
    expect(err).toContain('line 5 map: 0 must be a string');
    expect(err).toContain('line 7 sheet: must be a string');
  });

  it.each([
    ['Name: notes', 7, 'line 1 is not a recipe of pm'],
    ['recipe: 2\nnew: member', 7, 'line 1 is of version 2, not of 1'],
    ['recipe: 1', 7, 'names no resource of pm'],
    ['recipe: 1\nrecipe: 1', 7, 'line 2 repeats a member'],
    ['recipe: 1\nmap: [', 7, 'is not well-formed YAML'],
    ['recipe: 1\nmap: &a [x=]\nref: *a', 7, 'line 3 has an alias'],
  ])('is refused as %j', async (content, exit, why) => {
    put('x.pm', content);
    await pm.refuses('import x.pm may.csv', exit, why);
  });

  it('is refused where it is nested without end, or long', async () => {
    put('x.pm', 'recipe: 1', `map: ${'['.repeat(5_000)}`);
    await pm.refuses('import x.pm may.csv', 7, 'is not well-formed YAML');
    put('x.pm', 'recipe: 1', `sheet: ${'x'.repeat(100_000)}`);
    await pm.refuses('import x.pm may.csv', 7, 'is not a recipe of pm');
  });

  it('needs a file of rows beside it', async () => {
    await pm.refuses('import hr.pm', 2, 'which file should be imported?', 'pm import hr.pm <file>');
    await pm.refuses('import individuals hr.pm', 2, 'hr.pm is a recipe', 'pm import hr.pm <file>');
    await pm.refuses('import no.pm may.csv', 2, 'the recipe no.pm cannot be read: there is no such file');
  });
});

it('a job goes on as it has begun, though its recipe has changed', async () => {
  put('hr.pm', RECIPE);
  put('two.csv', HEADER, EVA, EVA.replaceAll(/eva/gi, 'Ida').replace('ann', 'eva'));
  await pm('import hr.pm two.csv --yes').says('2 creates');
  const [job] = await pm('jobs list -o json').rows();
  put('hr.pm', RECIPE.replace('dd/mm/yyyy', 'mm/dd/yyyy'));
  await pm(['jobs', 'resume', String(job?.Job)]).says('nothing left to do');
  expect(await pm('individuals get Ida -o json').row()).toMatchObject({ HireDate: '2024-04-03' });
});
