// Whoever is deleted still has those who reported to her: a filter, a tree and a page lead to them, and mark her.
import { beforeEach, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const logins = async (filter: string, flags = ''): Promise<unknown> =>
  (await pm(['individuals', 'list', '--where', filter, '-o', 'json', ...flags.split(' ').filter(Boolean)]).rows()).map(
    ({ UserName }) => UserName,
  );

beforeEach(async () => {
  await pm('individuals delete ann --yes').prints();
});

it('a filter finds those who reported to her, by each of her names', async () => {
  for (const name of ['ann', 'Ann Smith', 'ann@example.org'])
    expect(await logins(`PrimaryReportsTo = '${name}'`)).toEqual(['bob']);
  await pm(['individuals', 'list', '--where', "Manager = 'nobody'"]).fails(6);
});

it('a filter finds those of a deleted department', async () => {
  await pm('departments delete EMEA --yes').prints();
  expect(await logins("Department = 'EMEA'")).toEqual(['bob']);
});

it('a filter means the live one of two', async () => {
  await pm('departments create --name Europe --rank 3 --parent Sales').prints();
  await pm('departments delete Europe --yes').prints();
  await pm('departments create --name Europe --rank 3 --parent Labs').prints();
  await pm('individuals update bob --primary-organization Europe').prints();
  expect(await logins("Department = 'Europe'")).toEqual(['bob']);
});

it('those who reported to her can be given to somebody else at once', async () => {
  await pm(['individuals', 'update', '--where', "Manager = 'ann'", '--primary-reports-to', 'me', '--yes']).prints();
  expect(await logins("Manager = 'admin'")).toContain('bob');
});

it('her tree has them, and says that she is deleted', async () => {
  expect(await pm('individuals tree ann').prints()).toMatch(
    /^Ann Smith \(ann\) – .* \(deleted\)\n└── Bob Stone \(bob\)/,
  );
  expect((await pm('individuals tree ann -o json').rows()).map(({ UserName }) => UserName)).toEqual(['ann', 'bob']);
  await pm.refuses('individuals tree nobody', 6, 'there is no individual "nobody"');
});

it('the pages of a person and a department mark her', async () => {
  expect(await pm('show bob -o table').prints()).toMatch(/EMEA +Member +yes +Ann Smith \(deleted\)/);
  expect(await pm('show EMEA -o table').prints()).toMatch(/Bob Stone +Member +yes +Ann Smith \(deleted\)/);
});
