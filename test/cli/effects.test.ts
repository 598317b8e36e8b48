// --effects: which figures of the nearest dashboards a change would move.
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

it('is refused where nothing is rehearsed', async () => {
  await pm.refuses('individuals update bob --primary-title Chief --effects', 2, 'Write -n beside it.');
});
