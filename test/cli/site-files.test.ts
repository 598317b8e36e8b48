// A site as files: pm export --dir writes them, pm apply makes a site so, and what is edited by hand between them counts.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/contract/resource.ts';
import { pmIn, usingPm } from '../support/pm.ts';
import { filesIn, siteFolder } from '../support/site-folder.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const at = (path: string): string => join(pm.home, path);
/** What a value of a file says of the environment. */
const fromEnv = (name: string): string => `$\{env:${name}}`;
const read = (path: string): string => readFileSync(at(path), 'utf8');
const edit = (path: string, from: string | RegExp, to: string): void => {
  expect(read(path)).toMatch(from);
  writeFileSync(at(path), read(path).replace(from, to));
};
const exported = async (dir = 'site'): Promise<Readonly<Record<string, string>>> => {
  await pm(`export --dir ${dir}`).says();
  return filesIn(at(dir));
};
/** The person with the least that is needed. */
const EVE = ['UserName: eve', 'FirstName: Eve', 'LastName: Young', 'Email: eve@example.org'];
const IN_SALES = ['DepartmentMembers:', '  - OrganizationID: Sales', '    Title: Clerk', '    ReportsToID: ann'];
const PRIMARY = '    Primary: true';

describe('an export', () => {
  it('has a file for each person and department, with what belongs to it, in the folder of the one above', async () => {
    const files = await exported();
    expect(
      Object.keys(files)
        .filter((path) => path.includes('/'))
        .sort(),
    ).toEqual([
      'departments/local.yaml',
      'departments/local/labs.yaml',
      'departments/local/sales.yaml',
      'departments/local/sales/emea.yaml',
      'individuals/admin.yaml',
      'individuals/ann.yaml',
      'individuals/bob.yaml',
    ]);
    expect(files['individuals/ann.yaml']).toMatch(/^Accountabilities:\n {2}- Rank: 1\n {4}Name: Sell\n/m);
    expect(Object.values(files).join('')).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|Created|Updated|Deleted|Password/);
  });

  it('changes no byte the second time', async () => {
    const files = await exported();
    await pm('export --dir site').says('0 files new, 0 changed, 0 of records that are gone deleted');
    expect(filesIn(at('site'))).toEqual(files);
  });

  it('over files that differ, or are of records that are gone, wants --overwrite', async () => {
    const before = await exported();
    await pm('individuals update ann --last-name Smythe').prints();
    await pm('individuals delete bob --yes').prints();
    await pm.refuses(
      'export --dir site',
      2,
      '2 files of site would be replaced or deleted: individuals/ann.yaml, individuals/bob.yaml',
    );
    expect(filesIn(at('site'))).toEqual(before);
    await pm('export --dir site --overwrite -n').says('1 changed, 1 of records that are gone to be deleted');
    expect(filesIn(at('site'))).toEqual(before);
    await pm('export --dir site --overwrite').says('0 files new, 1 changed, 1 of records that are gone deleted');
    expect(filesIn(at('site'))).toEqual(await exported('again'));
  });

  it('writes names that clash without case, or mean a device, beside each other', async () => {
    for (const name of ['LABS', 'con', 'Aux.x', '...'])
      await pm(['departments', 'create', '--name', name, '--rank', '9', '--parent', 'Sales']).prints();
    await pm('departments create --name sälés --rank 9 --parent Local').prints();
    await pm('departments create --name SALES --rank 10 --parent EMEA').prints();
    const paths = Object.keys(await exported()).filter((path) => path.startsWith('departments/'));
    expect(new Set(paths.map((path) => path.toLowerCase().normalize('NFKD'))).size).toBe(paths.length);
    expect(paths.filter((path) => /\/(?:con|aux)(?:\.|$)/.test(path))).toEqual([]);
    await pm('apply site --yes').says('Nothing to change.');
  });
});

describe('an edit', () => {
  it('of a member changes that one alone, and one undo takes it back', async () => {
    const before = await exported();
    edit('site/individuals/ann.yaml', 'Title: Member', 'Title: Head');
    await pm('apply site -n').says('1 update', 'nothing is changed');
    await pm('apply site --yes').says('1 update', 'Undo: pm undo ');
    expect(await pm('individuals get ann -o json').row()).toMatchObject({ PrimaryTitle: 'Head' });
    await pm('apply site --yes').says('Nothing to change.');
    await pm('undo --yes').prints();
    expect(await exported('undone')).toEqual(before);
  });

  it('that moves a file moves the department', async () => {
    await exported();
    mkdirSync(at('site/departments/local/labs'));
    renameSync(at('site/departments/local/sales/emea.yaml'), at('site/departments/local/labs/emea.yaml'));
    writeFileSync(
      at('site/departments/local/labs/emea.yaml'),
      `was: Local/Sales/EMEA\n${read('site/departments/local/labs/emea.yaml')}`,
    );
    edit('site/individuals/bob.yaml', 'Local/Sales/EMEA', 'Local/Labs/EMEA');
    await pm('apply site --yes').says('1 update');
    expect(await pm('export departments --names').prints()).toContain('Local/Labs,');
    await pm('apply site --yes').says('Nothing to change.');
  });

  it('that moves a file, without a word of where it was, is refused', async () => {
    await exported();
    mkdirSync(at('site/departments/local/labs'));
    renameSync(at('site/departments/local/sales/emea.yaml'), at('site/departments/local/labs/emea.yaml'));
    edit('site/individuals/bob.yaml', 'Local/Sales/EMEA', 'Local/Labs/EMEA');
    await pm.refuses('apply site --yes', 7, 'departments/local/labs/emea.yaml:1', 'was: ');
  });

  it('that adds a person needs no more than what is required of one', async () => {
    await exported();
    siteFolder(at('site'), { 'individuals/eve.yaml': [...EVE, ...IN_SALES, PRIMARY] });
    await pm('apply site --yes').says('create');
    const eve = {
      PrimaryOrganizationName: 'Sales',
      PrimaryTitle: 'Clerk',
      PrimaryReportsTo: await pm('individuals get ann -o id').id(),
    };
    expect(await pm('individuals get eve -o json').row()).toMatchObject(eve);
    await pm('apply site --yes').says('Nothing to change.');
  });

  it('that takes out a member, a record or a file changes and deletes nothing', async () => {
    await exported();
    rmSync(at('site/individuals/bob.yaml'));
    edit('site/individuals/ann.yaml', / {4}Description: Sell more\n/, '');
    edit('site/individuals/ann.yaml', /Accountabilities:\n[\s\S]*?(?=^\w|(?![\s\S]))/m, 'Accountabilities: []\n');
    await pm('apply site --yes').says('Nothing to change.');
  });

  it('to null makes a member empty', async () => {
    await pm('individuals update ann --user-defined1 123').prints();
    await exported();
    edit('site/individuals/ann.yaml', /^UserDefined1: .*$/m, 'UserDefined1: null');
    await pm('apply site --yes').says('1 update');
    expect(await pm('individuals get ann -o json').row()).toMatchObject({ UserDefined1: null });
  });

  it('of one file is applied by itself with --only', async () => {
    await exported();
    edit('site/individuals/ann.yaml', 'Title: Member', 'Title: Head');
    edit('site/individuals/bob.yaml', 'Title: Member', 'Title: Clerk');
    await pm('apply site --yes --only bob').says('1 update');
    expect(await pm('individuals get ann -o json').row()).toMatchObject({ PrimaryTitle: 'Member' });
    await pm('apply site --yes --only departments/local/sales/emea').says('Nothing to change.');
    await pm.refuses('apply site --yes --only nobody', 2, '--only nobody: the folder has no file of this name');
  });

  it('that names a deleted record brings it back', async () => {
    const before = await exported();
    await pm('individuals delete bob --yes').prints();
    await pm('apply site --yes').says('undelete');
    expect(await exported('again')).toEqual(before);
  });

  it('to the name of a file changes nothing', async () => {
    await exported();
    renameSync(at('site/individuals/bob.yaml'), at('site/individuals/robert.yaml'));
    await pm('apply site --yes').says('Nothing to change.');
  });
});

describe('values', () => {
  const noted = async (written: string): Promise<unknown> => {
    siteFolder(at('site'), { 'individuals/ann.yaml': ['UserName: ann', `UserDefined1: ${written}`] });
    await pm('apply site --yes').says('1 update');
    return (await pm('individuals get ann -o json').row()).UserDefined1;
  };

  it.each([
    ['no', 'no'],
    ['00020', '00020'],
    ['1e5', '1e5'],
    ['0x1F', '0x1F'],
    ['2026-03-31', '2026-03-31'],
    ['"~"', '~'],
    ["'null'", 'null'],
    ['"a\\tb"', 'a\tb'],
    ['"#x"', '#x'],
  ])('written as %s are the text', async (written, text) => {
    expect(await noted(written)).toBe(text);
  });

  it.each(['~', 'null', ''])('written as %j are empty', async (written) => {
    await pm('individuals update ann --user-defined1 x').prints();
    expect(await noted(written)).toBeNull();
  });

  it('come from the environment, where that has them', async () => {
    siteFolder(at('site'), { 'individuals/ann.yaml': ['UserName: ann', `UserDefined1: badge ${fromEnv('BADGE')}`] });
    await pm.refuses('apply site --yes', 7, 'individuals/ann.yaml:2', 'needs BADGE, which is not set');
    await pm('apply site --yes', { env: { BADGE: '00042' } }).says('1 update');
    expect(await pm('individuals get ann -o json').row()).toMatchObject({ UserDefined1: 'badge 00042' });
  });

  it('of passwords stand in no file, and come from the environment alone', async () => {
    siteFolder(at('site'), { 'individuals/ann.yaml': ['UserName: ann', 'Password: Correct-horse-1'] });
    const { err } = await pm.refuses(
      'apply site --yes',
      7,
      'individuals/ann.yaml:2',
      'is written in the file',
      fromEnv('NAME'),
    );
    expect(err).not.toContain('horse');
    siteFolder(at('site'), { 'individuals/ann.yaml': ['UserName: ann', `Password: ${fromEnv('SECRET')}`] });
    const env = { SECRET: 'Correct-horse-1' };
    const compared = await pm('diff site', { env }).says('1 to change');
    expect(`${compared.out}${compared.err}`).not.toContain('Correct-horse');
    await pm('diff site --out x.plan', { env }).fails(7, 'which no plan holds');
    await pm('apply site --yes', { env }).says('1 update');
    expect(JSON.stringify(pm.dump())).not.toContain('Correct-horse-1');
  });
});

describe('files that cannot be read', () => {
  const ANN = 'UserName: ann';
  it.each<[string, readonly string[], number, string]>([
    ['aliases', [ANN, 'UserDefined1: &a x', 'Prefix: *a'], 3, 'Prefix'],
    ['merges', [ANN, '<<: {UserDefined1: x}'], 2, '<<'],
    ['two documents', [ANN, '---', 'UserName: bob'], 3, 'begins a second document'],
    ['broken YAML', [ANN, 'UserDefined1: "x'], 3, 'is not well-formed YAML'],
    ['tabs', [ANN, 'Accountabilities:', '\t- Name: x'], 3, 'is not well-formed YAML'],
    ['a member twice', [ANN, 'UserDefined1: x', 'UserDefined1: y'], 3, 'is not well-formed YAML'],
    ['a list in place of a record', ['- UserName: ann'], 1, 'is not a record'],
    ['a record in place of a list', [ANN, 'Accountabilities:', '  Name: x'], 3, 'is not a list'],
    ['a text in place of a list', [ANN, 'Accountabilities: x'], 2, 'is not a list'],
    ['a mapping in place of a text', [ANN, 'UserDefined1: {a: b}'], 2, 'is neither a text nor a list of texts'],
    ['a member that there is not', [ANN, 'Shoes: 42'], 2, 'Shoes'],
    [
      'a record that is not there',
      [ANN, 'DepartmentMembers:', '  - OrganizationID: Nowhere', '    Title: x'],
      3,
      'Nowhere',
    ],
    ['a value that its field does not take', [ANN, 'Prefix: Ms', 'HireDate: 31.31.2020'], 3, 'HireDate'],
    ['nothing', ['# empty'], 1, 'holds no record'],
  ])('for %s are refused at their line', async (_what, lines, line, words) => {
    siteFolder(at('site'), { 'individuals/ann.yaml': lines });
    await pm.refuses('apply site --yes', 7, words, `individuals/ann.yaml:${line}`);
  });

  it('are told of all at once, and nothing is sent', async () => {
    await exported();
    edit('site/individuals/ann.yaml', 'Local/Sales', 'Local/Nowhere');
    edit('site/individuals/bob.yaml', 'FirstName: Bob', 'FirstName: {}');
    edit('site/departments/local/labs.yaml', /Rank: 2/, 'Rank: two');
    siteFolder(at('site'), { 'individuals/eve.yaml': EVE, 'accountabilities.csv': ['Individual,Name', 'nobody,x'] });
    await pm.refuses(
      'apply site --yes',
      7,
      /individuals\/ann\.yaml:\d+/,
      /individuals\/bob\.yaml:\d+/,
      /departments\/local\/labs\.yaml:\d+/,
      'individuals/eve.yaml:1',
      'accountabilities.csv:2',
    );
  });

  it('tell the member that is meant by the heading of a table', async () => {
    await pm('export --dir site').says();
    edit('site/individuals/ann.yaml', 'FirstName: Ann', 'FirstName: Ann\nDepartment: Labs');
    await pm.refuses('apply site -n', 7, 'column Department is not a member', 'Did you mean PrimaryOrganizationID?');
  });

  it('of a merge that is not finished are told at its first line alone', async () => {
    const [ours, theirs] = ['FirstName: Anne', 'FirstName: Anna'];
    const lines = ['UserName: ann', '<<<<<<< HEAD', ours, '=======', theirs, '>>>>>>> theirs'];
    siteFolder(at('site'), { 'individuals/ann.yaml': lines });
    const { err } = await pm.refuses('check site', 7, 'individuals/ann.yaml:2 begins', 'Decide which lines stay');
    expect(err.match(/ann\.yaml/g)).toHaveLength(1);
  });

  it('tell once of a manager who is not there', async () => {
    const primary = [...IN_SALES.slice(0, -1), '    ReportsToID: zed', PRIMARY];
    siteFolder(at('site'), { 'individuals/eve.yaml': [...EVE, ...primary] });
    const { err } = await pm.refuses('check site', 7, 'individuals/eve.yaml:8, column ReportsToID');
    expect(err).not.toContain('PrimaryReportsTo');
  });

  it('for a second one of the same record are refused', async () => {
    await exported();
    cpSync(at('site/individuals/bob.yaml'), at('site/individuals/bob~2.yaml'));
    edit('site/individuals/bob~2.yaml', 'LastName: Stone', 'LastName: Steen');
    await pm.refuses('apply site --yes', 7, 'individuals/bob');
    edit('site/individuals/bob~2.yaml', 'LastName: Steen', 'LastName: Stone');
    await pm.refuses('apply site --yes', 7, 'individuals/bob~2.yaml', 'has the same UserName as');
  });

  it('for their names, or since they are empty, are told, and nobody is deleted for it', async () => {
    await exported();
    renameSync(at('site/individuals/bob.yaml'), at('site/individuals/bob.yml'));
    writeFileSync(at('site/individuals/ann.yaml'), '# only a comment\n');
    for (const line of ['check site', 'diff site', 'apply site --prune individuals --yes'])
      await pm.refuses(
        line,
        7,
        'bob.yml:1 is not read: the name of a site file ends with .yaml',
        'ann.yaml:1 holds no record',
      );
    await pm('individuals get ann').prints('Ann');
    await pm('individuals get bob').prints('Bob');
  });

  it('since they are links are left out', async () => {
    await exported();
    writeFileSync(at('outside.yaml'), [...EVE, ...IN_SALES, PRIMARY, ''].join('\n'));
    symlinkSync(at('outside.yaml'), at('site/individuals/eve.yaml'));
    await pm('apply site --yes').says('Nothing to change.');
  });

  it('since they are not there are refused', async () => {
    await pm.refuses('apply nowhere/ --yes', 2, 'there is no file or folder nowhere');
    await pm.refuses('check nowhere', 2, 'there is no nowhere');
    await pm.refuses('diff nowhere', 2, 'No folder here has that name');
  });
});

describe('--prune', () => {
  it('deletes those records of people with a file that no file has, and one undo brings them back', async () => {
    const before = await exported();
    rmSync(at('site/individuals/bob.yaml'));
    edit('site/individuals/ann.yaml', / {2}- Rank: 2\n {4}Name: Keep\n(?: {4}.*\n)*/, '');
    await pm('apply site --yes --prune accountabilities').says('1 delete');
    expect(await pm('accountabilities list --individual ann -o json').rows()).toMatchObject([{ Name: 'Sell' }]);
    expect(await pm('accountabilities list --individual bob -o json').rows()).toHaveLength(1);
    await pm('apply site --yes --prune accountabilities').says('Nothing to change.');
    await pm('undo --yes').prints();
    expect(await exported('undone')).toEqual(before);
  });

  it('deletes people without a file, but never the caller and the last administrator', async () => {
    await exported();
    for (const name of ['admin', 'bob']) rmSync(at(`site/individuals/${name}.yaml`));
    await pm('apply site --yes --prune individuals').says('Not deleted, though no file has them: ', '1 delete');
    expect((await pm('individuals list -o json').rows()).map(({ UserName }) => UserName)).toEqual(['admin', 'ann']);
  });

  it('is refused where a file names what would go: the next run would not find it', async () => {
    const before = await exported();
    const depart = async (name: string): Promise<void> => {
      rmSync(at('site/departments/local/sales/emea.yaml'));
      edit('site/individuals/bob.yaml', 'Local/Sales/EMEA', name);
    };
    edit('site/individuals/ann.yaml', 'Local/Sales', 'Local/Sales/EMEA');
    await depart('Local/Sales');
    const place = 'individuals/ann.yaml:';
    await pm.refuses(
      'apply site --yes --prune all',
      7,
      place,
      'names "EMEA", which no file has and --prune would delete',
    );
    expect(await exported('again')).toEqual(before);
    edit('site/individuals/ann.yaml', 'Local/Sales/EMEA', 'Local/Sales');
    await pm('apply site --yes --prune departments').says('1 delete');
    await pm('apply site --yes --prune departments').says('Nothing to change.');
  });

  it('is refused where it would delete a person to whom others report', async () => {
    await exported();
    rmSync(at('site/individuals/ann.yaml'));
    await pm.refuses('apply site -n --prune individuals', 7, 'individuals/bob.yaml:', 'ReportsToID names "Ann Smith"');
  });

  it('all shows and deletes whatever somebody has added beside the files', async () => {
    await exported();
    await pm('permissions set bob allow update department Sales').prints();
    await pm('accountabilities create --individual bob --name Dig --description Deep').prints();
    await pm('diff site --exit-code').says('they do not differ');
    const more = await pm('diff site --prune all --exit-code -o json');
    expect([more.exit, JSON.parse(more.out).map((row: Row) => row.Resource)]).toEqual([
      11,
      ['accountabilities', 'permissions'],
    ]);
    await pm('apply site --prune all --confirm local:2').says('2 deletes');
    await pm('diff site --prune all --exit-code').says('they do not differ');
  });

  it('all of a table is its own resource alone, and not what belongs to the people in it', async () => {
    siteFolder(at('tables'), { 'people.csv': ['UserName,Title', 'ann,Boss', 'bob,Clerk', 'admin,Administrator'] });
    await pm('apply tables --prune all --yes').says('update');
    expect(await pm('accountabilities list --individual ann -o json').rows()).not.toEqual([]);
    await pm('diff tables --prune all --exit-code').says('they do not differ');
  });

  it('is for what files declare', async () => {
    await exported();
    await pm.refuses('apply site --yes --prune comments', 2, '--prune comments');
    await pm.refuses('apply site --yes --prune shoes', 2, 'shoes');
    await pm.refuses('apply site --yes --prune individuals --only ann', 2, '--only reads a few of them');
  });
});

describe('a new site', () => {
  it('is made so by files with strange texts, and is exported from there byte for byte', async () => {
    const other = pmIn(() => at('other'));
    const texts = [
      'no',
      '~',
      '<null>',
      '\\<null>',
      '- a',
      'a: b',
      '# c',
      '"',
      "'",
      'a\nb\n',
      '\ta',
      `$\{HOME}`,
      '=1',
      '1_000',
      '!x',
      '|',
      '*a',
      '&a',
    ];
    const rows = texts.map((Description, Rank) => ({ AncestorID: 'ann', Rank, Name: `${Rank}`, Description }));
    const escaped = rows.map((row) => ({ ...row, Description: row.Description.replace(/^(\\?<null>)/, '\\$1') }));
    writeFileSync(at('texts.json'), JSON.stringify(escaped));
    await pm('import accountabilities texts.json --mode create --yes').prints();
    const files = await exported();
    await other(`apply ${at('site')} --yes`).says('Undo: pm undo ');
    await other('export --dir site').says();
    expect(filesIn(at('other/site'))).toEqual(files);
    await other(`apply ${at('site')} --yes`).says('Nothing to change.');
    const said = await other('accountabilities list --individual ann -o json').rows();
    expect(said.map(({ Description }) => Description)).toEqual(expect.arrayContaining(texts));
  });
});
