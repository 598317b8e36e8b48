// Wherever a person reads, a reference is a name; formats for programs keep the IDs.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const TERMINAL = { columns: 120, env: { PM_COLOR: 'never' } };
const WIDE = { ...TERMINAL, columns: 200 };
const idOf = (line: string): Promise<string> => pm(`${line} -o id`).id();
/** The lines of a table below its head. */
const body = (out: string): readonly string[] =>
  out
    .trimEnd()
    .split('\n')
    .slice(2)
    .filter((line) => !line.includes(': use -o json'));

describe('a rehearsal', () => {
  it('shows what a record refers to, before and after, by name', async () => {
    const out = await pm('departments update EMEA --parent Labs -n', TERMINAL).prints();
    expect(body(out)[0]).toMatch(/^update +EMEA +ParentID +Sales +Labs +departments/);
  });

  it('names the individuals and departments of a move', async () => {
    const line = 'individuals update bob --primary-organization Labs --primary-reports-to admin -n';
    const out = await pm(line, TERMINAL).prints();
    expect(out).toMatch(/PrimaryOrganizationID +EMEA +Labs/);
    expect(out).toMatch(/PrimaryReportsTo +Ann Smith +admin Administrator/);
  });

  it('does so in markdown, and keeps the IDs for programs', async () => {
    const line = 'departments update EMEA --parent Labs -n';
    await pm(`${line} -o md`).prints('| ParentID | Sales | Labs |');
    const [row] = await pm(`${line} -o json`).rows();
    expect(row).toMatchObject({
      Before: await idOf('departments get Sales'),
      After: await idOf('departments get Labs'),
    });
    expect((await pm(line).prints()).split('\n')[1]).toMatch(ID);
  });

  it('tells two records of one name apart by their IDs', async () => {
    await pm('departments create --name EMEA --rank 3 --parent Labs').prints();
    const line = 'individuals update bob --primary-organization Labs/EMEA -n';
    const out = await pm(line, WIDE).prints();
    expect(out).toContain(`EMEA (${await idOf('departments get Sales/EMEA')})`);
    expect(out).toContain(`EMEA (${await idOf('departments get Labs/EMEA')})`);
  });

  it('names the records that the same import makes', async () => {
    const rows = ['Name,Rank,Parent', 'North,1,Sales', 'Oslo,1,North'].join('\n');
    const out = await pm('import departments - --key Name -n', { ...TERMINAL, stdin: rows }).prints();
    expect(out).toMatch(/Oslo +North +1/);
  });

  it('names the people that the same import makes', async () => {
    const rows = [
      'UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryReportsTo,PrimaryOrganizationID',
      'eve,Eve,Young,eve@example.org,Member,dan,Labs',
      'dan,Dan,Old,dan@example.org,Member,ann,Labs',
    ].join('\n');
    const out = await pm('import individuals - -n', { ...TERMINAL, stdin: rows }).prints();
    expect(out).toMatch(/eve +Member +Labs +Dan Old/);
    expect(out).toMatch(/dan +Member +Labs +Ann Smith/);
  });
});

describe('one record', () => {
  it('has the ID beside the name where there is room', async () => {
    const ann = await idOf('individuals get ann');
    expect(await pm('individuals get bob', TERMINAL).prints()).toContain(
      `PrimaryReportsTo         Ann Smith  ${ann}\n`,
    );
    expect(await pm('individuals get bob', { ...TERMINAL, columns: 60 }).prints()).toContain('  Ann Smith\n');
  });

  it('shows who made it, and where it belongs', async () => {
    const out = await pm('individuals get bob', TERMINAL).prints();
    expect(out).toMatch(/\nCreatedBy +admin Administrator {2}/);
    expect(out).toMatch(/\nPrimaryOrganizationID +EMEA {2}/);
  });

  it('is in markdown with both, and as it is for programs', async () => {
    const ann = await idOf('individuals get ann');
    await pm('individuals get bob -o md').prints(`| PrimaryReportsTo | Ann Smith (${ann}) |`);
    expect((await pm('individuals get bob -o json').row()).PrimaryReportsTo).toBe(ann);
  });

  it('keeps an ID that nobody can name', async () => {
    await pm('individuals delete ann --yes').prints();
    const out = await pm('individuals get bob', TERMINAL).prints();
    expect(out).toMatch(/\nPrimaryReportsTo +Ann Smith/);
  });
});

describe('a list', () => {
  it('shows names in columns of references', async () => {
    const out = await pm('individuals list --fields UserName,PrimaryReportsTo', TERMINAL).prints();
    expect(body(out)).toContain('bob       Ann Smith');
    expect(await pm('individuals list --fields UserName,PrimaryReportsTo').prints()).toMatch(ID);
  });
});

describe('jobs', () => {
  const titles = async (): Promise<readonly unknown[]> =>
    (await pm('jobs list -o json').rows()).map((row) => row.Title);

  it('are called by the name of the record', async () => {
    await pm(`individuals update ${await idOf('individuals get bob')} --primary-title Boss`).prints();
    expect((await titles())[0]).toBe('individuals update Bob Stone');
    await pm('departments create --name Oslo --rank 9 --parent Local').prints();
    expect((await titles())[0]).toBe('departments create Oslo');
    await pm('departments delete Oslo --yes').prints();
    expect((await titles())[0]).toBe('departments delete Oslo');
  });

  it('name the records of their rows', async () => {
    await pm('individuals update bob ann --primary-title Boss').prints();
    const [job] = await pm('jobs list -o json').rows();
    const rows = body(await pm(`jobs show ${job?.ID} --rows`, WIDE).prints());
    expect(rows.map((row) => /individuals +(\w+)/.exec(row)?.[1])).toEqual(['bob', 'ann']);
  });

  it('are undone by the name of a row', async () => {
    await pm('individuals update bob ann --primary-title Boss').prints();
    await pm(`undo --where "Name = 'ann'" --yes`).prints();
    expect((await pm('individuals get ann -o json').row()).PrimaryTitle).toBe('Member');
    expect((await pm('individuals get bob -o json').row()).PrimaryTitle).toBe('Boss');
  });

  it('say by name what has changed since', async () => {
    await pm('individuals update bob --primary-title Boss').prints();
    const [job] = await pm('jobs list -o json').rows();
    await pm('individuals update bob --primary-title Chief').prints();
    const bob = await idOf('individuals get bob');
    await pm(`undo ${job?.ID} --yes`).fails(3, `the individual Bob Stone (${bob}) has changed since`);
  });
});

describe('a plan', () => {
  it('is shown with names, those of its own new records too', async () => {
    const rows = ['Name,Rank,Parent', 'North,1,Sales', 'Oslo,1,North'].join('\n');
    await pm('plan departments - --key Name --out p.plan', { stdin: rows, cwd: pm.home }).says('2 changes');
    const out = await pm('plan show p.plan', { ...TERMINAL, cwd: pm.home }).prints();
    expect(out).toMatch(/North +Sales +1/);
    expect(out).toMatch(/Oslo +North +1/);
  });
});
