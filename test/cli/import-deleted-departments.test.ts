// A sheet whose departments were made by its import and are deleted since, as by an undo: --on-deleted undelete brings them back.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const IMPORT = 'import individuals people.csv --make departments --below Local';
const sheet = (...departments: readonly string[]): void => {
  const rows = departments.map((name, at) => `p${at},P${at},Roe,p${at}@example.org,Clerk,admin,${name}`);
  const head = 'UserName,FirstName,LastName,Email,Title,Manager,Department';
  writeFileSync(join(pm.home, 'people.csv'), [head, ...rows, ''].join('\n'));
};
const deleted = async (): Promise<unknown> =>
  (await pm('departments list --deleted 1 -o json').rows()).map(({ Name }) => Name);

beforeEach(async () => {
  sheet('East', 'West');
  await pm(`${IMPORT} --yes`).says('4 creates');
  await pm('undo --yes').says('4 deletes');
});

describe('an import of people whose departments are deleted', () => {
  it('says one flag that brings all of them back, and that works', async () => {
    const { err } = await pm.refuses(`${IMPORT} --yes`, 7, '(2 such rows: 2, 3 "West")');
    expect(err).toMatch(/hint: --on-deleted undelete brings it back\.\n$/);
    await pm(`${IMPORT} --on-deleted undelete -n`).says('4 undeletes');
    await pm(`${IMPORT} --on-deleted undelete --yes`).says('4 undeletes');
    expect(await deleted()).toEqual([]);
    await pm(`${IMPORT} --yes`).says('Nothing to change.');
    await pm('undo --yes').says('4 deletes');
    expect(await deleted()).toEqual(['East', 'West']);
  });

  it('names each of them where departments are not made', async () => {
    const { err } = await pm.refuses('import individuals people.csv --on-deleted undelete', 7, '"East" is deleted');
    for (const name of ['East', 'West']) expect(err).toMatch(new RegExp(`: pm departments undelete ${name}$`, 'm'));
  });

  it('brings back a path with what is below it, and makes what is new', async () => {
    sheet('Local/Coast/North', 'Local/Coast/South');
    const paths = `${IMPORT.replace('departments', 'paths')} --on-deleted undelete --yes`;
    await pm(paths).says('3 creates', '2 undeletes');
    await pm('departments delete Coast --yes').prints();
    sheet('Local/Coast/North', 'Local/Coast/West');
    await pm(paths).says('1 create', '1 undelete');
    expect(await pm('individuals get p0 -o json').row()).toMatchObject({ PrimaryOrganizationName: 'North' });
    expect(await pm('individuals get p1 -o json').row()).toMatchObject({ PrimaryOrganizationName: 'West' });
  });

  it('is refused where two deleted ones have the name', async () => {
    const id = await pm('departments create --name East --rank 3 --parent Labs -o id').id();
    await pm(`departments delete ${id} --yes`).prints();
    await pm.refuses(
      `${IMPORT} --on-deleted undelete --yes`,
      7,
      'the department "East" is deleted',
      'pm departments undelete ',
    );
  });

  it('is refused where it is hidden with another one', async () => {
    await pm('departments undelete East --yes').prints();
    await pm('departments update East --parent Labs').prints();
    await pm('departments delete Labs --yes').prints();
    await pm.refuses(`${IMPORT} --on-deleted undelete --yes`, 7, 'Undelete what it belongs to');
  });
});
