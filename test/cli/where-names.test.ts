// --where by the names of what a record refers to.
import { describe, expect, it } from 'vitest';
import { sorted } from '../../src/cli/output/sorting/sort.ts';
import { compileWithNames } from '../../src/cli/output/where.ts';
import { contract } from '../../src/contract/index.ts';
import { usingPm } from '../support/pm.ts';
import { refuses } from '../support/refuses.ts';
import { company, individual } from './company.ts';
import { everything, rowsOf } from './output-printed.ts';

const pm = usingPm(company);
const who = async (filter: string): Promise<readonly unknown[]> =>
  (await pm(['individuals', 'list', '-o', 'json', '--sort', 'UserName', '--where', filter]).rows()).map(
    (row) => row.UserName,
  );

describe('a reference in a filter', () => {
  it('takes a user name, a full name, an e-mail, a path and me', async () => {
    expect(await who("PrimaryReportsTo = 'ann'")).toEqual(['bob']);
    expect(await who("PrimaryReportsTo = 'Ann Smith'")).toEqual(['bob']);
    expect(await who("PrimaryReportsTo = 'ann@example.org'")).toEqual(['bob']);
    expect(await who("PrimaryOrganizationID = 'Local/Sales/EMEA'")).toEqual(['bob']);
    expect(await who("PrimaryReportsTo = 'me'")).toEqual(['admin', 'ann']);
  });

  it('takes them among others, and their opposite', async () => {
    expect(await who("PrimaryOrganizationID in ('Sales', 'EMEA')")).toEqual(['ann', 'bob']);
    expect(await who("PrimaryReportsTo != 'ann'")).toEqual(['admin', 'ann']);
    expect(await who("PrimaryReportsTo = 'ann' and not PrimaryOrganizationID = 'Sales'")).toEqual(['bob']);
  });

  it('still takes an ID, quoted or not', async () => {
    const ann = await pm('individuals get ann -o id').id();
    expect(await who(`PrimaryReportsTo = '${ann}'`)).toEqual(['bob']);
    expect(await who(`PrimaryReportsTo = ${ann}`)).toEqual(['bob']);
  });

  it('refuses a name that nobody has, with near ones', () =>
    pm.refuses('individuals list --where "PrimaryReportsTo = \'an\'"', 6, 'there is no individual "an"', 'ann'));

  it('refuses a name that several have, with all of them', async () => {
    await pm(individual('ann2', 'Ann Smith', 'Labs', 'admin')).prints();
    await pm.refuses('individuals list --where "PrimaryReportsTo = \'Ann Smith\'"', 7, 'fits 2 individuals', 'ann2');
  });

  it('finds deleted ones, and those of one who is deleted', async () => {
    await pm('individuals delete ann --yes').prints();
    await pm('individuals list --where "PrimaryReportsTo = \'ann\'" -o id').id();
    await pm('individuals list --deleted 2 --where "PrimaryReportsTo = \'ann\'" -o id').id();
  });

  it('chooses what is changed', async () => {
    await pm('individuals update --primary-title Boss --where "PrimaryReportsTo = \'ann\'" --yes').prints();
    expect((await pm('individuals get bob -o json').row()).PrimaryTitle).toBe('Boss');
    expect((await pm('individuals get ann -o json').row()).PrimaryTitle).toBe('Member');
  });

  it('is looked into with ~ and ~~ by the name, and never by its ID', async () => {
    expect(await who("PrimaryReportsTo ~ '^Ann S'")).toEqual(['bob']);
    expect(await who("PrimaryReportsTo ~~ 'smith'")).toEqual(['bob']);
    expect(await who("PrimaryOrganizationID ~ 'e'")).toEqual(['ann', 'bob']);
    expect(await who("PrimaryOrganizationID !~ 'sales'")).toEqual(['admin', 'bob']);
    const ann = await pm('individuals get ann -o id').id();
    expect(await who(`PrimaryReportsTo ~ '${ann.slice(0, 8)}'`)).toEqual([]);
    await pm(['permissions', 'set', 'bob', 'allow', 'read', 'department', 'Sales']).prints();
    await pm([
      'permissions',
      'list',
      '--department',
      'Sales',
      '--where',
      "PrincipalID ~~ 'stone'",
      '-o',
      'count',
    ]).prints(/^1$/m);
    await pm('individuals delete ann --yes').prints();
    expect(await who("PrimaryReportsTo ~ '^Ann S'")).toEqual(['bob']);
  });

  it('is looked into where no record is there to be named', async () => {
    await pm('projects list --sort StatusID').says('No projects.');
    await pm('projects list --where "StatusID ~ \'risk\'"').says('No projects.');
  });

  it('is refused where a service does not list the names, which then are in no order', async () => {
    const refer = { id: async () => '', names: async () => undefined };
    const { fields } = contract.individual;
    const where = compileWithNames(["PrimaryReportsTo ~ 'ann'"], fields, new Date(), undefined, refer);
    await refuses(where).with('usage', 'does not list the names', 'Compare with = and one name');
    const rows = [{ PrimaryReportsTo: 'b' }, { PrimaryReportsTo: 'a' }];
    const inOrder = sorted(rowsOf(rows), 'PrimaryReportsTo', fields, { namesOf: refer.names });
    expect(await everything(inOrder)).toEqual(rows.toReversed());
  });

  it('has no order', () => pm.refuses('individuals list --where "PrimaryReportsTo < \'ann\'"', 2, 'PrimaryReportsTo'));
});

describe('today and yesterday', () => {
  it('are days by the clock, in quotes or not', async () => {
    for (const filter of ['Updated >= yesterday', "Updated >= 'Today'"]) expect(await who(filter)).toHaveLength(3);
    expect(await who('Updated < today')).toEqual([]);
    await pm.refuses('individuals list --where "UserName = yesterday"', 2, "Write it in single quotes: 'yesterday'.");
  });
});

describe('--sort by a reference', () => {
  const sortedBy = async (sort: string): Promise<readonly unknown[]> =>
    (await pm(['individuals', 'list', '-o', 'json', '--sort', sort]).rows()).map(({ UserName }) => UserName);

  it('is by the names that are shown', async () => {
    // EMEA, Local, Sales.
    expect(await sortedBy('Department')).toEqual(['bob', 'admin', 'ann']);
    expect(await sortedBy('-Department')).toEqual(['ann', 'admin', 'bob']);
    expect((await sortedBy('Manager,-UserName'))[0]).toBe('ann');
  });
});
