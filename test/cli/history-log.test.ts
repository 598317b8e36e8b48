// pm history and pm log: who did what to a record, and to the site.
import { expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

it('tells of a record who changed which member from what to what', async () => {
  await pm('individuals update ann --primary-title Chief').prints();
  await pm('individuals update ann --primary-title Boss --suffix Dr').prints();
  const lines = await pm('history individuals ann -o json').rows();
  expect(lines.map(({ Who, What, Field, Before, After }) => [Who, What, Field, Before, After])).toEqual([
    ['admin', 'create', null, null, null],
    ['admin', 'update', 'PrimaryTitle', 'Member', 'Chief'],
    ['admin', 'update', 'Suffix', null, 'Dr'],
    ['admin', 'update', 'PrimaryTitle', 'Chief', 'Boss'],
  ]);
});

it('tells of a deleted record too', async () => {
  await pm('individuals delete bob --yes').prints();
  const lines = await pm('history individuals bob -o json').rows();
  expect(lines.map(({ What }) => What)).toEqual(['create', 'delete']);
});

it('takes the flags that say whose record is meant', async () => {
  await pm.refuses('history accountabilities Keep', 7, 'Keep');
  await pm('accountabilities update Keep --individual bob --rank 4').prints();
  const lines = await pm('history accountabilities Keep --individual bob -o json').rows();
  expect(lines.map(({ What, Field }) => [What, Field])).toEqual([
    ['create', null],
    ['update', 'Rank'],
  ]);
  expect(await pm('history accountabilities Keep --individual ann -o json').rows()).toHaveLength(1);
  expect(await pm('history department-members --individual ann --department Sales -o json').rows()).toHaveLength(1);
  await pm.refuses('history individuals ann --project Ferry', 2, '--project says nothing of individuals');
  await pm.refuses('history accountabilities', 2, 'needs to know which');
});

it('knows nothing of what never was', async () => {
  await pm.refuses('history individuals 0f8fad5b-d9cb-469f-a165-70867728950e', 6, 'nothing is known of an individual');
});

it('tells of the site, the newest first', async () => {
  await pm('individuals update ann --primary-title Chief').prints();
  const lines = await pm('log --limit 3 -o json').rows();
  expect(lines).toHaveLength(3);
  expect(lines.some(({ Resource, Fields }) => Resource === 'individuals' && Fields === 'PrimaryTitle')).toBe(true);
  expect(await pm('log --since 2027-01-01 -o json').rows()).toEqual([]);
  expect((await pm('log --since -1d -o json').rows()).length).toBeGreaterThan(3);
  await pm.refuses('log --since yesterday', 2, '--since is "yesterday"');
});
