// --missing: who is on the site and not in the file, listed or deleted behind its rows.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inDialog } from '../support/dialog.ts';
import { usingPm } from '../support/pm.ts';
import { serve } from '../support/served.ts';
import { company, individual } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (run) => {
  await company(run);
  for (const name of ['cara Cara', 'dan Dan', 'eve Eve']) {
    const [user = '', first] = name.split(' ');
    await run(individual(user, `${first} Roe`, 'Sales', 'ann')).prints();
  }
  await run('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

const put = (name: string, ...lines: readonly string[]): void =>
  writeFileSync(join(pm.home, name), `${lines.join('\n')}\n`);

const SALES = ['--within', "Department = 'Sales'"];
const words = (line: string): string[] => line.split(' ');
const people = async (): Promise<unknown> =>
  (await pm('individuals list -o json --sort UserName').rows()).map(({ UserName }) => UserName);

const known = (): void => put('people.csv', 'UserName,Title', 'ann,Chief', 'cara,Member');

describe('--missing list', () => {
  it('shows who is in the part of the site and in no row, behind the changes, and changes nothing', async () => {
    known();
    const line = ['import', 'people.csv', '-n', '--missing', 'list', ...SALES];
    await pm(line).says("Not in people.csv: 2 of 4 individuals within Department = 'Sales'", '1 update');
    const rows = await pm([...line, '-o', 'json']).rows();
    expect(rows.map(({ Operation, Name }) => `${Operation} ${Name}`)).toEqual([
      'update ann',
      'missing dan',
      'missing eve',
    ]);
    expect(await people()).toEqual(['admin', 'ann', 'bob', 'cara', 'dan', 'eve']);
  });

  it('says which they are beside a plan, too, which prints no rows', async () => {
    known();
    const line = ['plan', 'individuals', 'people.csv', '--missing', 'list', '--out', 'p.plan', ...SALES];
    await pm(line).says("Not in people.csv: 2 of 4 individuals within Department = 'Sales'\n  dan, eve\n", '1 change');
  });

  it('looks at the whole site where no part is said', async () => {
    known();
    await pm('import people.csv -n --missing list').says('Not in people.csv: 4 of 6 individuals');
  });

  it('says that nobody is missing', async () => {
    put('people.csv', 'UserName', 'bob');
    const line = [...words('import people.csv -n --missing list'), '--within', "Department in ('EMEA', 'Labs')"];
    await pm(line).says("people.csv names all 1 individuals within Department in ('EMEA', 'Labs')");
  });

  it('counts rows that --rows leaves out, or that say they are not active, as not there', async () => {
    put('people.csv', 'UserName,Active,Valid', 'ann,true,1', 'cara,true,0', 'dan,false,1');
    const line = ['import', 'people.csv', '-n', '--missing', 'list', ...SALES, '--rows', 'Valid = 1'];
    const rows = await pm([...line, '--ignore-unknown', '-o', 'json']).rows();
    expect(rows.map(({ Name }) => Name)).toEqual(['cara', 'dan', 'eve']);
  });

  it('is for other records, too, by their own fields', async () => {
    put('accountabilities.csv', 'Individual,Name', 'ann,Keep', 'bob,Keep');
    const line = [...words('import accountabilities.csv -n --missing list -o json'), '--within', "Ancestor = 'ann'"];
    const rows = await pm(line).rows();
    expect(rows.map(({ Operation, Name }) => `${Operation} ${Name}`)).toEqual(['missing Sell']);
  });
});

describe('--missing delete', () => {
  it('deletes them behind the rows, in one job that is undone as one', async () => {
    known();
    const line = ['import', 'people.csv', '--missing', 'delete', ...SALES, '--yes'];
    await pm(line).says('1 update, 2 deletes');
    expect(await people()).toEqual(['admin', 'ann', 'bob', 'cara']);
    await pm(line).says('Nothing to change.', 'names all 2 individuals');
    await pm('undo --yes').says('2 undeletes');
    expect(await people()).toEqual(['admin', 'ann', 'bob', 'cara', 'dan', 'eve']);
  });

  it('never deletes the caller', async () => {
    put('people.csv', 'UserName', 'ann', 'bob', 'cara', 'dan', 'eve');
    const line = words('import people.csv --missing delete --within all --yes');
    await pm(line).says('Not deleted, though people.csv does not name them: admin', 'Nothing to change.');
  });

  it('deletes an administrator who is missing where another one stays', async () => {
    await pm('individuals update bob --is-admin true').prints();
    put('people.csv', 'UserName', 'ann', 'cara', 'dan', 'eve');
    await pm(words('import people.csv --missing delete --within all --yes')).says(
      'does not name them: admin',
      '1 delete',
    );
    expect(await people()).not.toContain('bob');
  });

  it('is refused without the part of the site, and where no row means a record of it', async () => {
    known();
    await pm.refuses('import people.csv --missing delete --yes', 2, 'the part of the site', '--within all');
    put('people.csv', 'UserName,FirstName,LastName,Email,Title', 'x1,Ann,Smith,x1@example.org,Chief');
    await pm.refuses(
      [
        'import',
        'people.csv',
        '--set',
        'Department=Labs',
        '--set',
        'Manager=ann',
        '--yes',
        '--missing',
        'delete',
        ...SALES,
      ],
      7,
      'people.csv names no existing individual',
      '--missing list -n',
    );
    expect(await people()).toContain('eve');
  });

  it('wants the number where it deletes a large part', async () => {
    const many = Array.from({ length: 11 }, (_, at) => `p${at}`);
    put('new.csv', 'UserName,FirstName,LastName,Email', ...many.map((name) => `${name},P,Q,${name}@example.org`));
    await pm(words('import individuals new.csv --set Department=Labs --set Manager=ann --set Title=x --yes')).says(
      '11 creates',
    );
    put('people.csv', 'UserName', 'ann', 'bob', 'cara', 'dan', 'eve');
    const line = words('import people.csv --missing delete --within all');
    await pm.refuses([...line, '--yes'], 12, '11 of 17 individuals would be deleted', '--confirm local:11');
    put('people.csv', 'UserName,Title', 'ann,Chief', 'bob,', 'cara,', 'dan,', 'eve,');
    const { out } = await inDialog(line, pm.home, [['Type local:12 to go on', 'local:11\r']]);
    expect(out).toContain('12 changes: 11 of 17 individuals would be deleted. Type local:12 to go on');
    await pm([...line, '--confirm', 'local:12']).says('1 update, 11 deletes');
  });

  it('stands in a plan', async () => {
    known();
    await pm(['plan', 'individuals', 'people.csv', '--missing', 'delete', ...SALES, '--out', 'sales.plan']).prints();
    await pm('plan show sales.plan').says('2 deletes of individuals');
    await pm('apply sales.plan --yes').says('1 update, 2 deletes');
  });
});

describe('on a service', () => {
  it('is the same', async () => {
    await serve(pm);
    const prod = (line: readonly string[]) => pm(['-p', 'prod', ...line], { env: { PM_PASSWORD: PASSWORD } });
    known();
    const line = [...words('import people.csv --missing'), ...['delete', ...SALES]];
    const rows = await prod([...line, '-n', '-o', 'json']).rows();
    expect(rows.map(({ Operation, Name }) => `${Operation} ${Name}`)).toEqual([
      'update ann',
      'delete eve',
      'delete dan',
    ]);
    await prod([...line, '--yes']).says('1 update, 2 deletes');
    expect(await people()).toEqual(['admin', 'ann', 'bob', 'cara']);
    await prod(['undo', '--yes']).says('2 undeletes');
    expect(await people()).toEqual(['admin', 'ann', 'bob', 'cara', 'dan', 'eve']);
  });
});

describe('what does not go together', () => {
  it('is refused before anything is read', async () => {
    known();
    await pm.refuses('import people.csv --missing list', 2, 'changes nothing', 'Write -n beside it.');
    await pm.refuses(['import', 'people.csv', ...SALES], 2, 'Write --missing list beside it.');
    await pm.refuses('import people.csv -n --missing list --mode delete', 2, 'not for --mode delete');
    await pm.refuses(
      ['import', 'people.csv', '-n', '--missing', 'list', '--within', 'Department = Sales'],
      2,
      "'Sales'",
    );
    await pm.refuses(
      ['import', 'people.csv', '-n', '--missing', 'list', '--within', "Shoe = 'S'"],
      2,
      'no field "Shoe"',
    );
    await pm.refuses(['import', 'people.csv', '-n', '--missing', 'list', '--within', "Manager = 'zed'"], 6, 'zed');
  });
});

describe('the same from the other side', () => {
  it('pm diff of a table shows who is only there, and plans their deletion with --prune alone', async () => {
    known();
    await pm('diff people.csv').says('people.csv → local: 1 to change');
    await pm(['diff', 'people.csv', ...SALES, '--exit-code']).fails(11, '1 to change, 2 only in local');
    await pm(['diff', 'people.csv', ...SALES, '--out', 'a.plan']).says('a.plan: 1 change');
    await pm.refuses(['diff', 'local', 'local@-1h', ...SALES], 2, '--within is for a file of rows', '--only');
    for (const named of ['individuals', 'all'])
      await pm(['diff', 'people.csv', ...SALES, '--out', `${named}.plan`, '--prune', named]).says(
        `${named}.plan: 3 changes`,
      );
  });

  it('a recipe keeps the part of the site: beside the table for pm diff and pm apply, and for the next sheet', async () => {
    known();
    await pm(['import', 'individuals', 'people.csv', '-n', ...SALES, '--save-recipe', 'people.pm']).prints();
    await pm('diff people.csv').says('1 to change, 2 only in local');
    await pm('import people.pm people.csv -n').says('1 update');
    await pm('import people.pm people.csv -n --missing delete').says('1 update, 2 deletes');
  });
});
