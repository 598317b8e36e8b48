// A second department of one name in one place is allowed and mostly a mistake: pm warns of it.
import { expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const WARNING = (name: string): string =>
  `Warning: another department in the same place is called "${name}": only their IDs tell them apart.\n`;

it('is said of a new department and of a dry run, in whatever case the name is written', async () => {
  const line = 'departments create --name sales --rank 9 --parent Local';
  await pm(`${line} -n`).says(WARNING('sales'));
  await pm(line).says(WARNING('sales'));
  expect(
    (await pm('departments list -o json').rows()).filter(({ Name }) => /^sales$/i.test(String(Name))),
  ).toHaveLength(2);
});

it('is said of a department that is renamed or moved there', async () => {
  await pm('departments update Labs --name Sales -n').says(WARNING('Sales'));
  await pm('departments create --name EMEA --rank 2 --parent Labs').prints();
  await pm('departments update Labs/EMEA --parent Sales -n').says(WARNING('EMEA'));
});

it('is not said elsewhere, of what stays as it is, of a deleted one, nor with -q', async () => {
  const silent = async (line: string) => expect((await pm(line).says()).err).not.toContain('Warning');
  await silent('departments create --name Sales --rank 1 --parent Labs');
  await silent('departments update Local/Sales --focus Buyers');
  await silent('departments update Local/Sales --name SALES');
  await silent('departments create --name Sales --rank 1 --parent Local -q -n');
  await pm('departments delete Local/Sales --yes').prints();
  await silent('departments create --name Sales --rank 1 --parent Local');
});
