// pm apply <folder>: the rows of all files are one job, and name what other files make.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Member, type Pm, pmIn, usingPm } from '../support/pm.ts';
import { filesIn, siteFolder } from '../support/site-folder.ts';
import { company } from './company.ts';

const pm = usingPm(async (one) => {
  await company(one);
  await one('sites create Elsewhere --admin taken.there').prints();
});

const [NORTH, CLEO] = ['a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002'];
const PERSON = 'ID,UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganizationID,PrimaryReportsTo';
const RIGHTS = 'ID,RowID,PrincipalID,ChildType,CreateState,ReadState,UpdateState,DeleteState,DelegateState';
const person = (id: string, user: string, place: string): string =>
  `${id},${user},${user},Best,${user}@example.org,Clerk,${place},ann`;
const NEW = {
  'departments.csv': ['ID,ParentID,Name,Rank', `${NORTH},Local,North,4`],
  'individuals.csv': [PERSON, person(CLEO, 'cleo', 'North')],
};
/** Labs is to become an organization, and Cleo to have a user name of another site: only the service says that it cannot be. */
const refused = (labs: string) => ({
  'departments.csv': ['ID,ParentID,Name,Rank', `${NORTH},Local,North,4`, `${labs},site,Labs,2`],
  'individuals.csv': [PERSON, person(CLEO, 'taken.there', NORTH)],
});

const folder = (files: Readonly<Record<string, readonly string[]>>): string => siteFolder(join(pm.home, 'site'), files);
const labs = async (): Promise<string> => pm('departments get Labs -o id').id();
const imports = async (): Promise<readonly Member[]> =>
  (await pm('jobs list -o json').rows()).filter(({ Kind }) => Kind === 'import');
const theJob = async (): Promise<string> => String((await imports())[0]?.ID);
/** What a site holds, as its export says it. */
async function heldBy(one: Pm): Promise<string> {
  const texts: string[] = [];
  for (const name of ['departments', 'individuals', 'department-members', 'accountabilities', 'permissions'])
    texts.push(await one(`export ${name}`).prints());
  return texts.join('');
}

describe('a folder of files', () => {
  it('is one job, which one undo takes back', async () => {
    const before = await heldBy(pm);
    const { err, out } = await pm(`apply ${folder(NEW)} --yes -o json`).says('▲ local as admin – 2 creates');
    expect(err).toContain('departments.csv: 1 row, 1 create\nindividuals.csv: 1 row, 1 create\n');
    expect(JSON.parse(out)).toMatchObject({ State: 'ended', Done: 2, Unchanged: 0, FailedFile: null });
    expect(await pm('individuals get cleo -o json').row()).toMatchObject({ PrimaryOrganizationName: 'North' });
    expect(await imports()).toMatchObject([{ Title: expect.stringContaining('apply '), Total: 2 }]);
    await pm(`apply ${folder(NEW)} --yes`).says('  2 unchanged', 'Nothing to change.');
    await pm('undo --yes').prints();
    expect(await heldBy(pm)).toBe(before);
  });

  it('holds the site and its settings, which share an ID, beside others', async () => {
    const departments = ['One', 'Two', 'Three'].map((name, at) => `Local,${name},${at + 10}`);
    const files = {
      'sites.csv': ['Name,Comment', 'Local,Ours'],
      'site-settings.csv': ['Threshold1', '49'],
      'departments.csv': ['ParentID,Name,Rank', ...departments],
    };
    const { out } = await pm(`apply ${folder(files)} --yes -o json`).says('3 creates, 2 updates');
    expect(JSON.parse(out)).toMatchObject({ Done: 5, Drifted: 0 });
    await pm(`apply ${folder(files)} --yes`).says('  5 unchanged');
    await pm('undo --yes').prints();
  });

  it('is rehearsed as one table, with the file and the line of each row', async () => {
    const rows = await pm(`apply ${folder(NEW)} -n -o json`).rows();
    expect(rows.filter(({ Field }) => Field === 'Name' || Field === 'UserName')).toMatchObject([
      { File: 'departments.csv', Line: 2, Operation: 'create', Field: 'Name', After: 'North', ID: NORTH },
      { File: 'individuals.csv', Line: 2, Operation: 'create', Field: 'UserName', After: 'cleo', ID: CLEO },
    ]);
    expect(await imports()).toEqual([]);
    await pm(`apply ${folder(refused(await labs()))} -n`).fails(
      3,
      'departments.csv line 3: ',
      'individuals.csv line 2: ',
      '2 of these changes would fail.',
    );
  });

  it('changes nothing where rows of a file cannot be understood, and tells all faults of that file', async () => {
    const bad = ['UserName,PrimaryTitle,PrimaryReportsTo', 'ann,Chief,nobody', 'dora,Chief,ann'];
    const files = { ...NEW, 'individuals.csv': bad };
    await pm.refuses(
      `apply ${folder(files)} --yes`,
      7,
      'individuals.csv:2, column PrimaryReportsTo cannot be used: there is no individual "nobody"',
      'individuals.csv:3 is new, and the file has no column for FirstName, LastName, Email, Department',
    );
  });

  it('takes flags that are for a job, and none that are for one file', async () => {
    await pm.refuses(`apply ${folder(NEW)} --key Name --yes`, 2, "unknown option '--key'");
    await pm(`apply ${folder(NEW)} --yes --on-error stop`).prints();
  });

  it('is refused where a file lacks its key, with the name of that file', async () => {
    const keyless = await pm.refuses(
      `apply ${folder({ ...NEW, 'commitments.csv': ['Individual,Name', 'admin,G'] })} --yes`,
      7,
      'commitments.csv:1 has no column for Period, which finds existing commitments',
      'Add columns Period, ',
    );
    expect(keyless.err).not.toContain('--key');
  });
});

describe('rows that fail', () => {
  it('are told with file and line, and left in a file of each', async () => {
    const told = await pm(`apply ${folder(refused(await labs()))} --yes -o json`).fails(
      3,
      'error: departments.csv line 3: ',
      'error: individuals.csv line 2: ',
    );
    const { FailedFile, ...counts } = JSON.parse(told.out) as Member;
    expect(counts).toMatchObject({ Done: 1, Failed: 2 });
    const [departments = '', individuals = ''] = String(FailedFile).split(', ');
    expect(told.err).toContain(`What was not done: ${departments}\nWhat was not done: ${individuals}\n`);
    expect(readFileSync(departments, 'utf8')).toMatch(/^ID,ParentID,Name,Rank,_line,.*\n.*,site,Labs,2,3,/);
    expect(readFileSync(individuals, 'utf8')).toContain('taken.there');
    const rows = await pm(`jobs show ${await theJob()} --rows --state failed -o json`).rows();
    expect(rows).toMatchObject([
      { File: 'departments.csv', Line: 3 },
      { File: 'individuals.csv', Line: 2 },
    ]);
    await pm(`jobs report ${await theJob()}`).says(`Written: ${departments}`, `Written: ${individuals}`);
    await pm.refuses(`jobs report ${await theJob()} --out left.csv`, 2, 'rows of 2 files were not done');
  });

  it('have a file and a row in errors for programs', async () => {
    const dir = folder(refused(await labs()));
    const { err } = await pm(`apply ${dir} --yes --errors json`).fails(3);
    const errors = err.split('\n').flatMap((line) => (line.startsWith('{"code"') ? [JSON.parse(line) as Member] : []));
    expect(errors).toMatchObject([
      { file: 'departments.csv', row: 3 },
      { file: 'individuals.csv', row: 2 },
    ]);
  });

  it('are tried again once the cause is gone, together with those that name their records', async () => {
    const dir = folder({
      'individuals.csv': [PERSON, person(CLEO, 'taken.there', 'Sales')],
      'accountabilities.csv': ['AncestorID,Name,Rank,Description', `${CLEO},Travel,1,Go there`],
      'permissions.csv': [RIGHTS.replace('ID,', ''), 'Labs,taken.there,<null>,0,1,0,0,0'],
    });
    await pm(`apply ${dir} --yes`).fails(
      7,
      'individuals.csv line 2: there is an individual with UserName taken.there already',
      'accountabilities.csv line 2: ',
      'permissions.csv line 2: PrincipalID names a new individual that was not made',
    );
    await pm('individuals update taken.there --user-name elsewhere --site Elsewhere').prints();
    await pm(`jobs retry ${await theJob()}`).prints();
    expect(await pm('accountabilities list --individual taken.there -o json').rows()).toHaveLength(1);
    const rights = await pm('permissions list --department Labs -o json').rows();
    expect(rights).toMatchObject([{ PrincipalName: 'taken.there Best' }]);
  });

  it('take all files back with --on-error rollback', async () => {
    const before = await heldBy(pm);
    const dir = folder(refused(await labs()));
    await pm(`apply ${dir} --yes --on-error rollback`).fails(7, 'departments.csv line 3: ');
    expect(await heldBy(pm)).toBe(before);
  });

  it('of more than 500 rows leave the others, which one undo takes back; with --on-error rollback none is made', async () => {
    const before = await heldBy(pm);
    const users = [...Array.from({ length: 550 }, (_, at) => `user${at}`), 'taken.there'];
    const dir = folder({
      'departments.csv': NEW['departments.csv'],
      'individuals.csv': [PERSON, ...users.map((user) => person('', user, 'North'))].map((line) =>
        line.replace(/^\w*,/, ''),
      ),
    });
    await pm(`apply ${dir} --yes --on-error rollback`).fails(7, 'individuals.csv line 552: ');
    expect(await heldBy(pm)).toBe(before);
    await pm(`apply ${dir} --yes`).fails(3, 'individuals.csv line 552: ');
    expect(await imports()).toMatchObject([{ Total: 552, Done: 551, Failed: 1 }, { Done: 0 }]);
    await pm('undo --yes').prints();
    expect(await pm('individuals list -o json').rows()).toHaveLength(3);
  });
});

describe('a row of a file names', () => {
  it('records that another one makes, also where the service numbers them or gives them another ID', async () => {
    const [project, right] = ['b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-000000000002'];
    const dir = folder({
      ...NEW,
      'project-phases.csv': ['Name,Rank', 'Pilot,9'],
      'periods.csv': ['StartDate,EndDate', '2031-01-01,2031-06-30'],
      'projects.csv': ['ID,AncestorID,Name,PhaseID', `${project},North,Move,Pilot`],
      'commitments.csv': [
        `AncestorID,Name,Completed,DueDate,PeriodID${[1, 2, 3, 4, 5].map((n) => `,Measure${n},Measure${n}Completed`).join('')}`,
        `${CLEO},Learn,false,2031-02-01,2031-01-01 to 2031-06-30${',x,false'.repeat(5)}`,
      ],
      'permissions.csv': [RIGHTS, `${right},${project},cleo,<null>,1,1,1,1,0`],
    });
    await pm(`apply ${dir} --yes`).says('7 creates');
    expect(await pm(`projects get ${project} -o json`).row()).toMatchObject({ Phase: 'Pilot', AncestorName: 'North' });
    const [commitment] = await pm(
      'commitments list --individual cleo --period "2031-01-01 to 2031-06-30" -o json',
    ).rows();
    expect(commitment).toMatchObject({ Name: 'Learn' });
    const rights = await pm(`permissions list --project ${project} -o json`).rows();
    expect(rights).toMatchObject([{ ID: right, PrincipalName: 'cleo Best' }]);
    await pm(`apply ${dir} --yes`).says('Nothing to change.');
    await pm('undo --yes').prints();
    await pm(`projects get ${project}`).fails(6);
    await pm('individuals get cleo').fails(6);
  });

  it('records that have another ID here', async () => {
    const [local, ann] = ['c0000000-0000-4000-8000-000000000001', 'c0000000-0000-4000-8000-000000000002'];
    const dir = folder({
      'departments.csv': ['ID,ParentID,Name,Rank', `${local},site,Local,1`],
      'individuals.csv': ['ID,UserName,PrimaryTitle', `${ann},ann,Chief`],
      'accountabilities.csv': ['AncestorID,Name,Rank,Description', `${ann},Travel,5,Go there`],
    });
    await pm(`apply ${dir} --yes`).prints();
    const duties = await pm('accountabilities list --individual ann -o json').rows();
    expect(duties.map(({ Name }) => Name)).toContain('Travel');
  });

  it('a department that another one makes by its whole path, of which the site has the beginning', async () => {
    const dir = folder({
      'departments.csv': ['Name,Parent,Rank', 'Yard,Sales,1', 'Slip,Yard,1'],
      'individuals.csv': ['UserName,Department', 'ann,Local/Sales/Yard', 'bob,Local/Sales/Yard/Slip'],
    });
    await pm(`apply ${dir} --yes`).says('2 creates');
    for (const [login, name] of Object.entries({ ann: 'Yard', bob: 'Slip' }))
      expect(await pm(`individuals get ${login} -o json`).row()).toMatchObject({ PrimaryOrganizationName: name });
  });

  it('none that a row and a record of the site are called by', async () => {
    const duty = (who: string) => ['AncestorID,Name,Rank,Description', `${who},Travel,5,Go there`];
    const person = [PERSON.replace('ID,', ''), 'new,Ann,Smith,new@example.org,Clerk,Sales,ann'];
    const two = folder({ 'individuals.csv': person, 'accountabilities.csv': duty('Ann Smith') });
    await pm.refuses(
      `apply ${two} --yes`,
      7,
      'a row of the folder and a record of the site have this name',
      'user name',
    );
    for (const [who, count] of Object.entries({ ann: '2 creates', new: '1 create' })) {
      const one = folder({ 'individuals.csv': person, 'accountabilities.csv': duty(who) });
      await pm(`apply ${one} --yes`).says(count);
    }
  });

  it('none that several rows are called by', async () => {
    const dir = folder({
      'individuals.csv': [PERSON, ...['x', 'y'].map((one) => `,${one},Cleo,Best,${one}@example.org,Clerk,Sales,ann`)],
      'accountabilities.csv': ['AncestorID,Name,Rank,Description', 'Cleo Best,Travel,5,Go there'],
    });
    await pm.refuses(`apply ${dir} --yes`, 7, 'accountabilities.csv', 'several rows of the folder');
  });
});

describe('a department that a file of a folder names elsewhere', () => {
  it('is moved, or has another name, where the table has a column of what it was', async () => {
    const rows = ['Labs,Sales', 'Yard,Local'];
    const table = (was: readonly string[]) => `apply ${folder({ 'departments.csv': was })} --yes`;
    const { err } = await pm(table(['Name,Parent', ...rows])).fails(7, 'there is a "Labs" already');
    expect(err).toContain('say where it was in a column was: <its path>.');
    const before = await labs();
    await pm(table(['Name,Parent,was', 'Labs,Sales,Local/Labs', 'Yard,Local,'])).says('1 create, 1 update');
    await pm(table(['Name,Parent,was', 'Dock,Local,Yard'])).says('1 update');
    expect(await labs()).toBe(before);
    expect(await pm('departments get Sales/Labs -o json').row()).toMatchObject({ ID: before });
  });

  it('is not made a second time, and the command that is printed moves it', async () => {
    const dir = folder({ 'departments.csv': ['Name,Parent,Rank', 'Labs,Sales,1'] });
    const before = await pm('departments tree').prints();
    const { err } = await pm(`apply ${dir} --yes`).fails(7, 'there is a "Labs" already');
    expect(await pm('departments tree').prints()).toBe(before);
    const [, command = ''] = /To move it: pm (.+)/.exec(err) ?? [];
    await pm(command).says('1 update');
    expect((await pm('departments list -o json').rows()).filter(({ Name }) => Name === 'Labs')).toHaveLength(1);
  });
});

describe('a site that is exported', () => {
  /** Another site with the same records as this one had. */
  function copy(): Pm {
    const home = join(pm.home, 'copy');
    cpSync(join(pm.home, 'local.db'), join(home, 'local.db'));
    return pmIn(() => home);
  }

  it('is followed by a copy, with the memberships that come and go with individuals', async () => {
    const other = copy();
    await other('export --dir before').says();
    await pm('departments create --name North --rank 5 --parent Local').prints();
    await pm('individuals update bob --primary-organization Labs --primary-title Head').prints();
    await pm('department-members create --individual bob --department Sales --title Guest').prints();
    await pm('individuals update ann --primary-organization North').prints();
    await pm('export --dir site').says();
    await other(`apply ${join(pm.home, 'site')} --yes`).prints();
    await other('export --dir site').says();
    expect(filesIn(join(other.home, 'site'))).toEqual(filesIn(join(pm.home, 'site')));
    await other(`apply ${join(pm.home, 'site')} --yes`).says('Nothing to change.');
    await other('undo --yes').prints();
    await other('export --dir undone').says();
    expect(filesIn(join(other.home, 'undone'))).toEqual(filesIn(join(other.home, 'before')));
  });

  it('brings back what was deleted since, and what is hidden with it', async () => {
    await pm('export --dir site').says();
    const before = await heldBy(pm);
    await pm('accountabilities update Keep --individual bob --description Other').prints();
    await pm('individuals delete bob --yes').prints();
    await pm('departments delete EMEA --yes').prints();
    await pm('apply site --yes').says('2 undeletes');
    expect(await heldBy(pm)).toBe(before);
  });

  it('as tables brings back what it declares, unless a recipe says otherwise', async () => {
    await pm('export departments individuals accountabilities --dir tables').says();
    await pm('individuals delete bob --yes').prints();
    const recipe = join(pm.home, 'tables', 'individuals.pm');
    writeFileSync(recipe, 'recipe: 1\nresource: individuals\non-deleted: error\n');
    await pm.refuses('apply tables --yes', 7, 'individuals.csv:', 'is deleted');
    rmSync(recipe);
    await pm('apply tables --yes').says('1 undelete');
  });

  it('brings back a department and the one below it, after both were taken back', async () => {
    const files = folder({ 'departments.csv': ['Name,Parent', 'North,Local', 'Desk,North'] });
    await pm(`apply ${files} --yes`).says('2 creates');
    const made = await heldBy(pm);
    await pm('undo --yes').says('2 deletes');
    await pm(`apply ${files} -n`).says('2 undeletes');
    await pm(`apply ${files} --yes`).says('2 undeletes');
    expect(await heldBy(pm)).toBe(made);
  });
});

it('a password stays in its file, and is read from there when the job is gone on with', async () => {
  const secret = 'Correct-horse-1';
  const people = [`${PERSON},Password`, `${person(CLEO, 'cleo', NORTH)},${secret}`];
  const dir = folder({ ...refused(await labs()), 'individuals.csv': people });
  await pm(`apply ${dir} --yes --on-error stop`).fails(3, 'departments.csv line 3: ');
  expect(JSON.stringify(pm.dump())).not.toContain(secret);
  await pm(`jobs resume ${await theJob()}`).fails(3);
  await pm('individuals get cleo').prints();
});
