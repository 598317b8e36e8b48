// pm diff: two sites compared in names, and the plan that makes one like the other.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { individual } from './company.ts';
import { usingServedCompany } from './served-company.ts';

const { pm, remote } = usingServedCompany();

/** Keeps the site as it is now in a file. */
function kept(name = 'then.db'): string {
  const database = openDatabase(join(pm.home, 'local.db'));
  database.prepare('VACUUM INTO ?').run(join(pm.home, name));
  database.close();
  return name;
}

/** The command line on a new site with IDs of its own, in which the same people may be. */
const other = (line: string) => pm(line, { env: { PM_HOME: join(pm.home, 'other') } });

const described = async (line: string) =>
  (await pm(`${line} -o json`).rows()).map(({ Difference, Resource, Record, Of, Field, There, Wanted }) =>
    [Difference, Resource, Record, Of, Field, There, Wanted].filter((one) => one !== null).join(' | '),
  );

describe('a site', () => {
  it('does not differ from itself, nor from what a service answers of it', async () => {
    await pm('diff local').says('local → local: they do not differ');
    expect((await remote('diff local --exit-code')).exit).toBe(0);
    await pm('diff local prod', { env: { PM_PASSWORD: 'Correct-horse-1' } }).says('local → prod: they do not differ');
  });

  it('differs from what it was, field by field and in names', async () => {
    const then = kept();
    await pm('individuals update ann --last-name Jones --primary-organization Labs').prints();
    await pm('departments delete EMEA --yes').prints();
    await pm('accountabilities create --individual bob --rank 2 --name Help --description x').prints();
    expect(await described(`diff ${then}`)).toEqual([
      'undelete | departments | EMEA | Sales',
      'change | individuals | Ann Smith | LastName | Jones | Smith',
      'change | department-members | Ann Smith / Sales | OrganizationID | Labs | Sales',
      'undelete | department-members | Bob Stone / EMEA',
      'only there | accountabilities | Help | Bob Stone',
    ]);
    await pm(`diff ${then}`).says('then.db → local: 2 to change, 2 to undelete, 1 only in local');
    expect((await pm(`diff ${then}`)).exit).toBe(0);
    expect((await pm(`diff ${then} --exit-code`)).exit).toBe(11);
    await pm(`diff ${then} -o table`, { columns: 120 }).prints('Help (Bob Stone)', 'Jones');
    expect(await described(`diff ${then} --resource individuals`)).toEqual([
      'change | individuals | Ann Smith | LastName | Jones | Smith',
      'change | individuals | Ann Smith | PrimaryOrganizationID | Labs | Sales',
    ]);
  });

  it('shows people a day as it is written, and programs the whole value', async () => {
    const then = kept();
    await pm('individuals update ann --hire-date 2026-06-02').prints();
    await pm(`diff ${then} -o table`, { columns: 120 }).prints(/HireDate +2026-06-02\s/);
    expect((await described(`diff ${then}`))[0]).toMatch(/HireDate \| 2026-06-02T00:00:00/);
  });

  it('narrows to a person or a department with what belongs to it', async () => {
    const then = kept();
    await pm('individuals update ann --last-name Jones').prints();
    await pm('individuals delete bob --yes').prints();
    await pm('departments update EMEA --focus Ports').prints();
    expect(await described(`diff ${then} --only bob`)).toEqual([
      'undelete | individuals | Bob Stone',
      'undelete | department-members | Bob Stone / EMEA',
      'undelete | accountabilities | Keep | Bob Stone',
    ]);
    expect(await described(`diff ${then} --only Sales`)).toEqual([
      'change | departments | EMEA | Sales | Focus | Ports',
      'undelete | department-members | Bob Stone / EMEA',
    ]);
    await pm(`diff ${then} --only nobody.here`).fails(6, 'nobody.here');
  });
});

describe('a plan', () => {
  it('brings a deleted person back as they were, and is undone like any job', async () => {
    const then = kept();
    await pm('individuals update bob --primary-title Boss').prints();
    await pm('individuals delete bob --yes').prints();
    await pm(`diff ${then} --only bob --out back.plan`).says('back.plan: 2 changes', 'pm apply back.plan');
    const before = pm.dump();
    await pm('plan show back.plan').prints('undelete');
    expect(pm.dump()).toEqual(before);
    await pm('apply back.plan --yes').says('Undo: ');
    await pm(`diff ${then}`).says('they do not differ');
    await pm('undo --yes').says();
    expect((await pm(`diff ${then} --exit-code`)).exit).toBe(11);
  });

  it('brings back how a person was before a job', async () => {
    await pm('individuals update bob --primary-title Boss').prints();
    const [{ ID: job } = {}] = await pm('jobs list --limit 1 -o json').rows();
    await pm('individuals delete bob --yes').prints();
    const then = `local@${String(job).slice(0, 8)}`;
    await pm(`diff ${then} local --only bob --out back.plan`).says(`${then} → local: 3 to undelete`);
    await pm('apply back.plan --yes').says('Undo: ');
    await pm('individuals get bob -o json').prints('"PrimaryTitle": "Member"');
    await pm.refuses('diff local@9q', 2, '--at is "9q"');
    await remote('diff prod@-7d').fails(2, 'a service does not show past records');
  });

  it('deletes nothing without --prune, and with it exactly those; never who asks', async () => {
    const then = kept();
    await pm('departments create --name Docks --rank 3 --parent Local').prints();
    await pm(individual('eve', 'Eve North', 'Docks', 'ann')).prints();
    await pm('accountabilities create --individual ann --rank 3 --name Help --description x').prints();
    await pm(`diff ${then} --out none.plan`).says('none.plan: 0 changes', '4 only in local');
    await pm(`diff ${then} --prune accountabilities --out some.plan`).says('some.plan: 1 change.');
    await pm('apply some.plan --yes').says('1 delete');
    expect(await described(`diff ${then}`)).toEqual([
      'only there | departments | Docks | Local',
      'only there | individuals | Eve North',
      'only there | department-members | Eve North / Docks',
    ]);
    await pm(`diff ${then} --prune individuals --prune departments --out rest.plan`).says('rest.plan: 2 changes');
    await pm('apply rest.plan --yes').says('2 deletes');
    await pm(`diff ${then}`).says('they do not differ');
    await pm.refuses(`diff ${then} --prune individuals`, 2, '--prune goes into a plan', '--out');
    await pm.refuses(`diff ${then} --prune periods --out x.plan`, 2, 'the service deletes no periods');
  });

  it('fills a new site with IDs of its own, and a second one is empty', async () => {
    await pm('security-groups create --group Auditors').prints();
    await pm(
      'permissions create --department Sales --principal ann --create-state allow --read-state allow --update-state allow --delete-state not-set --delegate-state not-set --child-type department',
    ).prints();
    await other('whoami').prints();
    const there = join(pm.home, 'other', 'local.db');
    await other('diff local.db --out fill.plan').says('to add');
    await other('apply fill.plan --yes').says('Undo: ');
    await other('diff local.db').says('they do not differ');
    await pm(`diff ${there}`).says('they do not differ');
    await other('individuals get bob -o json').prints('"UserName": "bob"');
  });

  it('is applied by a service', async () => {
    const then = kept();
    await pm('individuals update bob --primary-title Boss').prints();
    await pm('individuals delete ann --reassign-to admin --yes').says();
    await remote(`diff ${then} --out back.plan`).says(
      'then.db → prod: ',
      /pm apply back\.plan --expect [0-9a-f]{64} -p prod/,
    );
    await remote('apply back.plan --yes').says('Undo: ');
    await remote(`diff ${then}`).says('they do not differ');
  });
});

describe('what is unclear', () => {
  it('is a key that several records have, with what belongs to them, and no plan touches it', async () => {
    await pm('departments create --name Twin --rank 3 --parent Local').prints();
    await other('departments create --name Twin --rank 3 --parent Local').prints();
    await other('departments create --name Twin --rank 4 --parent Local').prints();

    const there = join(pm.home, 'other', 'local.db');
    const found = await described(`diff ${there} --resource departments`);
    expect(found.filter((one) => one.includes('Twin'))).toEqual([
      'unclear | departments | Twin | Local | several records have this name',
    ]);
    await pm(`diff ${there} --prune departments --out x.plan`).says('1 unclear');
    expect((await pm('plan show x.plan -o json')).out).not.toContain('Twin');
  });

  it('is what the caller may not see', async () => {
    const then = kept();
    await pm('individuals update bob --last-name Other').prints();
    const rows = await remote(`diff ${then} --as bob --exit-code -o json`).then(({ out }) => JSON.parse(out));
    const kinds = new Set(rows.map(({ Difference }: { Difference: string }) => Difference));
    expect([...kinds].sort()).toEqual(['change', 'unclear']);
    await remote(`diff ${then} --as bob --out x.plan`).says('x.plan: 1 change');
  });

  it('is what the caller may not see of what files declare, while to apply them ends with what to do', async () => {
    await pm('permissions set ann allow read department Labs').prints();
    await pm('export --dir site').prints();
    const kinds = (await remote('diff site --as bob -o json').then(({ out }) => JSON.parse(out))) as {
      Difference: string;
    }[];
    expect(new Set(kinds.map(({ Difference }) => Difference))).toEqual(new Set(['unclear']));
    await remote('apply site --as bob --yes').fails(5, 'rights', 'Let an administrator apply the folder');
  });
});

describe('a plan that deletes people', () => {
  it('keeps the caller, who is an administrator, and so no second one', async () => {
    const env = { PM_HOME: join(pm.home, 'other'), USER: 'boss' };
    await pm('departments create --name Sales --rank 1 --parent Local', { env }).prints();
    await pm('individuals update bob --is-admin true').prints();
    await pm(`diff ${join(pm.home, 'other', 'local.db')} --prune individuals --out x.plan --as bob`).says('x.plan');
    const { Changes } = (await pm('plan show x.plan -o json').row()) as {
      Changes: { Operation: string; Name: string }[];
    };
    const gone = Changes.filter(({ Operation }) => Operation === 'delete').map(({ Name }) => Name);
    expect(gone.sort()).toEqual(['admin', 'ann']);
  });
});

describe('another site', () => {
  it('names what has probably been renamed', async () => {
    await other('departments create --name "Sales Office" --rank 1 --parent Local').prints();
    await pm(`diff ${join(pm.home, 'other', 'local.db')} --resource departments`).says(
      'Perhaps renamed, of departments: "Sales" to "Sales Office".',
    );
  });

  it('has comments and dialogs compared on demand', async () => {
    const then = kept();
    await pm('comments create --individual bob --body Well').prints();
    await pm('comments create --individual bob --body Well').prints();
    await pm(`diff ${then}`).says('they do not differ');
    expect(await described(`diff ${then} --with comments,dialogs`)).toHaveLength(2);
    await pm(`diff local ${then} --with comments`).says('2 to add');
    await pm.refuses('diff local --with individuals', 2, 'individuals are compared anyway');
  });
});

describe('the command line', () => {
  it('names states that are there', async () => {
    await pm.refuses('diff nothing.db', 2, 'there is no database file nothing.db');
    mkdirSync(join(pm.home, 'folder'));
    await pm.refuses('diff ./folder', 2, 'holds no rows that pm can read');
    await pm.refuses('diff prud', 2, 'there is no profile "prud"', 'prod');
    const then = kept();
    await pm.refuses(`diff local ${then} --out x.plan`, 2, 'only a profile can be changed, and then.db is not one');
    await pm.refuses(
      'diff local local@2026-03-31 --out x.plan',
      2,
      'only a profile can be changed, and local@2026-03-31 is not one',
    );
    await pm.refuses('diff q4.csv', 2, 'there is no q4.csv', 'Name a folder, or a workbook');
    await pm.refuses('diff local q4.csv', 2, 'no profile "q4.csv"', 'A file of rows: pm import <resource> <file> -n');
    await pm.refuses(['diff', 'local', ''], 2, '"" names no state', 'Name a profile');
    await pm.refuses('diff @', 2, '"@" names no state');
    await pm.refuses('diff ann bob', 2, 'Two records: pm individuals diff <one> <other>');
    await pm.refuses('diff local --resource tokens', 2, 'tokens');
  });
});
