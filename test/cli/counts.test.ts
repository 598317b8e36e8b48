// Counts: -o count says how many there are, --group-by how many have each value of a field. Fields may be called as in sheets.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company, individual } from './company.ts';

const pm = usingPm(async (run) => {
  await company(run);
  await run(individual('cara', 'Cara Roe', 'Sales', 'ann')).prints();
});

describe('-o count', () => {
  it('prints a number', async () => {
    await pm('individuals list -o count').prints(/^4\n$/);
    await pm(['individuals', 'list', '-o', 'count', '--where', "Manager = 'ann'"]).prints(/^2\n$/);
    await pm('individuals list --deleted 1 -o count').prints(/^0\n$/);
    await pm('individuals get ann -o count').prints(/^1\n$/);
  });

  it('counts all of a log, and not the newest alone', async () => {
    const total = Number(await pm('log -o count').prints());
    expect(total).toBe((await pm('log --limit 1000 -o json').rows()).length);
  });
});

describe('--group-by', () => {
  it('counts the records of each value, by name, the most first', async () => {
    expect(await pm('individuals list --group-by Department -o csv').prints()).toBe(
      'Department,Count\nSales,2\nLocal,1\nEMEA,1\n',
    );
    expect(await pm('individuals list --group-by PrimaryOrganizationID -o json').rows()).toEqual([
      { Department: 'Sales', Count: 2 },
      { Department: 'Local', Count: 1 },
      { Department: 'EMEA', Count: 1 },
    ]);
  });

  it('says which field is counted where it is called as in a sheet: a second place is another one', async () => {
    await pm('department-members create --individual ann --department Labs --title Guest').prints();
    await pm('individuals list --group-by Department').says('Counted: Department is PrimaryOrganizationID.');
    await pm('individuals list --group-by Department -o count').prints(/^3\n$/);
    await pm('individuals list --department Labs -o count').prints(/^1\n$/);
    expect((await pm('individuals list --group-by UserName').says()).err).toBe('');
    await pm.refuses('individuals list --group-by Departmnt', 2, 'Did you mean Department?');
    await pm.refuses('individuals list --group-by PrimaryDepartment', 2, 'Did you mean PrimaryOrganizationID?');
  });

  it('counts what --where chooses; --sort and --limit are for the counts', async () => {
    const line = ['individuals', 'list', '--group-by', 'Manager', '--where', "UserName != 'admin'"];
    expect(await pm([...line, '--sort', '-Manager', '--limit', '1', '-o', 'csv']).prints()).toBe(
      'Manager,Count\nann Smith,2\n'.replace('ann', 'Ann'),
    );
  });

  it('counts all records for the first lines of the counts', async () => {
    await pm('individuals list --group-by Department --limit 1 -o csv').prints('Sales,2');
    expect(await pm('log --group-by Who --limit 1 -o json').rows()).toEqual(
      (await pm('log --group-by Who -o json').rows()).slice(0, 1),
    );
    expect(await pm('jobs list --group-by State --limit 1 -o json').rows()).toEqual(
      await pm('jobs list --group-by State -o json').rows(),
    );
  });

  it('has a line for those without a value', async () => {
    expect(await pm('individuals list --group-by HireDate -o csv').prints()).toBe('HireDate,Count\n,4\n');
  });

  it('counts all of a log', async () => {
    const [most] = await pm('log --group-by Who -o json').rows();
    expect(most?.Count).toBe(Number(await pm(['log', '-o', 'count', '--where', `Who = '${most?.Who}'`]).prints()));
  });

  it('is refused of one record, of a page, of a change, and of an unknown field', async () => {
    await pm.refuses('individuals get ann --group-by Manager', 2, 'counts the records of a list');
    await pm.refuses('individuals show ann --group-by Manager', 2, 'shown whole');
    await pm.refuses('individuals delete ann --group-by Manager', 2, 'takes no --group-by');
    await pm.refuses('individuals list --group-by Shoe', 2, '--group-by: there is no field "Shoe"');
  });
});

describe('fields as sheets call them', () => {
  it('are understood by --where, --fields and --sort', async () => {
    const line = ['individuals', 'list', '--where', "department = 'Sales' and Manager = 'ann'"];
    await pm([...line, '--fields', 'UserName,Title', '--sort', 'Department', '-o', 'csv']).prints(
      /^UserName,PrimaryTitle\ncara,/,
    );
  });
});
