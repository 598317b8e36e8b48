// What scripts count on: line ends, documents, names with the blanks of another program, and steps that run twice.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const fileOf = (name: string, ...lines: readonly string[]): void =>
  writeFileSync(join(pm.home, name), `${lines.join('\n')}\n`);

describe('a list', () => {
  it('in csv has the line ends of a shell, and keeps those of texts', async () => {
    expect(await pm('individuals list --fields UserName --sort UserName -o csv').prints()).toBe(
      'UserName\nadmin\nann\nbob\n',
    );
    await pm(['departments', 'update', 'Labs', '--focus', 'one\rtwo']).prints();
    const text = await pm('departments list --where "Name = \'Labs\'" --fields Name,Focus -o csv').prints();
    expect(text).toBe('Name,Focus\nLabs,"one\rtwo"\n');
  });

  it.each([
    ['csv', 'admin\nann\nbob\n'],
    ['tsv', 'admin\nann\nbob\n'],
    ['table', 'admin\nann\nbob\n'],
    ['md', '| UserName |\n| --- |\n| admin |\n| ann |\n| bob |\n'],
  ])('in %s has no header with --no-header, where the form can do without', async (form, text) => {
    const line = `individuals list --fields UserName --sort UserName --no-header -o ${form}`;
    expect(await pm(line).prints()).toBe(text);
  });

  it('gives a text bare to --jmespath, also a field that no column shows', async () => {
    expect(await pm("individuals list --sort UserName --jmespath '[1].Email'").prints()).toBe('ann@example.org\n');
    expect(await pm('individuals get ann --jmespath Email -o json').prints()).toBe('"ann@example.org"\n');
  });

  it('goes to a file, in the form that its name says', async () => {
    const { out } = await pm('individuals list --fields UserName --sort UserName --out people.csv').says('people.csv');
    expect(out).toBe('');
    expect(readFileSync(join(pm.home, 'people.csv'), 'utf8')).toBe('UserName\nadmin\nann\nbob\n');
    await pm('individuals get ann --out ann.json').says('Written: ann.json');
    expect(JSON.parse(readFileSync(join(pm.home, 'ann.json'), 'utf8'))).toMatchObject({ UserName: 'ann' });
    await pm('individuals get bob --out ann.json').fails(2, 'the file exists already', '--overwrite');
    await pm('individuals get bob --out ann.json --overwrite -o yaml').says();
    expect(readFileSync(join(pm.home, 'ann.json'), 'utf8')).toContain('UserName: bob\n');
  });

  it('goes to no file whose name names a form that pm does not write', async () => {
    for (const name of ['x.xls', 'x.ODS', 'x.html'])
      for (const command of ['individuals list', 'individuals get ann', 'export individuals'])
        await pm.refuses(
          `${command} --out ${name}`,
          2,
          `--out ${name} names a form that pm does not write`,
          /csv, tsv, .*yaml/,
        );
    await pm.refuses('export individuals --out x.md', 2, 'x.md names a form that pm does not write', '--form');
    await pm('individuals list --out x.md').says('Written: x.md');
    await pm('individuals list --out x.txt').says('Written: x.txt');
    await pm('export individuals --out x.xls --form tsv').says('x.xls: 3 individuals');
    await pm('export individuals --out x.tab').says('x.tab: 3 individuals');
    await pm('import individuals x.tab --yes').says('Nothing to change');
  });
});

describe('a command with nothing to do', () => {
  it('prints a document where a form is asked for', async () => {
    fileOf('same.csv', 'UserName,PrimaryTitle', 'ann,Member');
    const nothing = { Job: null, State: 'ended', Done: 0, Failed: 0 };
    expect(await pm('import individuals same.csv --yes -o json').row()).toMatchObject({ ...nothing, Unchanged: 1 });
    const { out } = await pm('plan individuals same.csv --out same.plan').says('0 changes');
    expect(out).toBe('');
    expect(await pm('apply same.plan --yes -o json').row()).toMatchObject({ ...nothing, Unchanged: 1 });
    fileOf('none.csv', 'Who,Title', 'ann,Member');
    const each = 'each none.csv --yes -o json -- individuals update {Who} --primary-title {Title}';
    expect(await pm(each).row()).toMatchObject({ ...nothing, Unchanged: 1 });
  });

  it('prints nothing else: no ID, and no table of zeros', async () => {
    fileOf('same.csv', 'UserName,PrimaryTitle', 'ann,Member');
    expect((await pm('import individuals same.csv --yes -o id').says('Nothing to change.')).out).toBe('');
    expect((await pm('import individuals same.csv --yes').says('Nothing to change.')).out).toBe('');
  });
});

describe('an argument', () => {
  it.each(['ann\r', ' ann', 'ann\n', '\u00a0ann\t'])('%j names ann', async (text) => {
    expect(await pm(['individuals', 'get', text, '-o', 'json']).row()).toMatchObject({ UserName: 'ann' });
  });

  it('may be an ID with a line end', async () => {
    const id = await pm('individuals get ann -o id').id();
    expect(await pm(['individuals', 'get', `${id}\r\n`, '-o', 'id']).id()).toBe(id);
    await pm('individuals update ann --primary-title Boss').prints();
    const [job] = await pm('jobs list --limit 1 -o json').rows();
    await pm(['jobs', 'show', `${String(job?.ID)}\r`]).prints('individuals update');
  });
});

describe('a deletion', () => {
  it('of what is deleted changes nothing, and says so', async () => {
    await pm('individuals delete bob --yes').prints();
    const before = pm.dump();
    await pm('individuals delete bob --yes').says('Deleted already: bob', 'Nothing was changed.');
    await pm('individuals delete bob -n').says('Nothing would change.');
    expect(pm.dump()).toEqual(before);
    await pm('individuals delete bob ann -n').says('Deleted already: bob');
    await pm('individuals delete bob ann --yes').says('Deleted already: bob', 'Undo: pm undo');
    await pm('individuals delete bob nobody --yes').fails(6, 'there is no individual "nobody"');
  });

  it('is taken back twice with the same word', async () => {
    await pm('individuals delete bob --yes').prints();
    await pm('individuals undelete bob').prints();
    await pm('individuals undelete bob -n').says('Not deleted: bob', 'Nothing would change.');
    await pm('individuals undelete bob').says('Not deleted: bob', 'Nothing was changed.');
    await pm('individuals undelete nobody').fails(6, 'there is no deleted individual "nobody"');
  });

  it('for each row of a file may have happened already', async () => {
    await pm('individuals delete bob --yes').prints();
    fileOf('leavers.csv', 'Who', 'ann', 'bob');
    await pm('each leavers.csv --yes -- individuals delete {Who}').prints();
    await pm('individuals get ann').fails(6);
  });

  it('of what is only hidden with its owner is refused as before', async () => {
    await pm('departments delete Sales --yes').prints();
    const error = await pm('departments delete EMEA --yes').fails(6, 'is hidden', 'Undelete what it belongs to');
    const [shown] = /departments get [\w-]+ --deleted 2/.exec(error.err) ?? [];
    await pm(String(shown)).prints('EMEA');
  });
});
