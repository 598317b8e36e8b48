// --effects: which figures of the nearest dashboards a change would move.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const MEASURES = [1, 2, 3, 4, 5].map((n) => `--measure${n} m --measure${n}-completed false`).join(' ');
const pm = usingPm(async (one) => {
  await company(one);
  for (const name of ['Grow', 'Save'])
    await one(
      `commitments create --individual bob --name ${name} --completed false --due-date 2026-03-30 --period 1 ${MEASURES}`,
    ).prints();
});

it('shows the figures before and after, of the individual and of the departments above, and changes nothing', async () => {
  const before = pm.dump();
  const id = (await pm('commitments list --individual bob -o json').rows())[0]?.ID;
  const { out } = await pm(`commitments delete ${id} --individual bob -n --effects -o json`);
  const rows = JSON.parse(out) as readonly Record<string, unknown>[];
  const totals = rows.filter(({ Member }) => Member === 'IndividualCommitmentsTotal');
  expect(totals.map(({ Dashboard, Before, After }) => [Dashboard, Before, After])).toEqual([
    ['Bob Stone', 2, 1],
    ['EMEA', 2, 1],
    ['Sales', 2, 1],
    ['Local', 2, 1],
  ]);
  expect(pm.dump()).toEqual(before);
});

it('says that no figure moves', async () => {
  await pm('individuals update bob --primary-title Chief -n --effects').says(
    'No figure of the nearest dashboards moves',
  );
});

it('is the same of a file, of each row and of a plan, with what goes along', async () => {
  const before = pm.dump();
  const { out } = await pm('individuals delete bob -n --effects -o json').says('Hidden along: ');
  writeFileSync(join(pm.home, 'leavers.csv'), 'UserName\nbob\n');
  await pm('plan individuals leavers.csv --mode delete --out leavers.plan').says('1 delete');
  for (const line of ['import individuals leavers.csv --mode delete', 'each leavers.csv', 'apply leavers.plan']) {
    const words = `${line} -n --effects -o json${line.startsWith('each') ? ' -- individuals delete {UserName}' : ''}`;
    const result = await pm(words).says('1 delete', 'Hidden along: ');
    expect(JSON.parse(result.out), line).toEqual(JSON.parse(out));
  }
  expect(pm.dump()).toEqual(before);
});

it('of a long file is found by its first rows', async () => {
  const people = Array.from({ length: 502 }, (_, at) => `user${at},Fay,${at},user${at}@example.org,EMEA,Member,bob`);
  const columns = 'UserName,FirstName,LastName,Email,PrimaryOrganizationID,PrimaryTitle,PrimaryReportsTo';
  writeFileSync(join(pm.home, 'people.csv'), [columns, ...people].join('\n'));
  await pm('import individuals people.csv -n --effects').says(
    'Rows whose dashboards were not looked for, after the first 500: 2\n',
  );
});

it('is refused where nothing is rehearsed', async () => {
  writeFileSync(join(pm.home, 'leavers.csv'), 'UserName\nbob\n');
  await pm.refuses('import individuals leavers.csv --mode delete --effects', 2, 'Write -n beside it.');
  await pm.refuses('individuals update bob --primary-title Chief --effects', 2, 'Write -n beside it.');
});
