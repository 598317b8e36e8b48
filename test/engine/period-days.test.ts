// Whole days (D13): a day is compared with the days of a period as they are written, whatever offset the period has.
import { expect, it } from 'vitest';
import type { Row } from '../../src/contract/resource.ts';
import { type Asker, newSite } from '../support/site.ts';
import { dashboardOf } from './company.ts';

const OFFSETS = ['-11:00', '-04:00', '+00:00', '+05:30', '+14:00'];
const FIRST = '2028-07-01';
const LAST = '2028-09-30';
const DAYS = ['2028-06-30', FIRST, LAST, '2028-10-01'];

/** One of the first, two of the second, four and eight: each sum tells which ones were counted. */
const WEIGHED = DAYS.flatMap((day, at) => Array<string>(2 ** at).fill(day));

const quarterIn = (ada: Asker, offset: string): Promise<Row> =>
  ada.make('period', { StartDate: `${FIRST}T00:00:00${offset}`, EndDate: `${LAST}T00:00:00${offset}` });

it.each(OFFSETS)('holds for the last day of a project, in a period of the offset %s', async (offset) => {
  const { ada, organization, id } = await newSite();
  const period = await quarterIn(ada, offset);
  for (const day of WEIGHED) await ada.make('project', { StartDateActual: '2028-01-01', EndDateActual: day });
  const figures = await dashboardOf(ada, { organization }, { period: Number(period.ID) });
  expect(figures).toMatchObject({ ProjectsCompleted: 6, ProjectsActive: 14, ProjectsOnTime: 14 });
  expect((await ada.list('period', { site: id })).at(-1)).toMatchObject({ TotalProjects: 14 });
});

it.each(OFFSETS)('holds for the first day of a project, in a period of the offset %s', async (offset) => {
  const { ada, organization, id } = await newSite();
  const period = await quarterIn(ada, offset);
  for (const day of DAYS) await ada.make('project', { StartDateActual: day });
  for (const day of DAYS) await ada.make('project', { StartDateProjected: day });
  const figures = await dashboardOf(ada, { organization }, { period: Number(period.ID) });
  expect(figures).toMatchObject({ ProjectsActive: 6 });
  expect((await ada.list('period', { site: id })).at(-1)).toMatchObject({ TotalProjects: 6 });
});

it.each(OFFSETS)('holds for the last day of a follow-up, in a period of the offset %s', async (offset) => {
  const { ada, organization } = await newSite();
  const period = await quarterIn(ada, offset);
  const dialog = await ada.make('dialog', { AncestorID: organization });
  for (const day of WEIGHED) await ada.make('task', { AncestorID: dialog.ID, EndDateActual: day });
  const figures = await dashboardOf(ada, { organization }, { period: Number(period.ID) });
  expect(figures).toMatchObject({ OrgFollowUpsCompleted: 6 });
});

it('does not hold for a moment, which is compared with the first and the last moment', async () => {
  const { ada, organization } = await newSite();
  const period = await quarterIn(ada, '-04:00');
  const moments = [
    '2028-07-01T00:00:00+00:00', // the evening before, in the zone of the period
    '2028-06-30T23:00:00-05:00',
    '2028-09-30T23:59:59.9999999-04:00',
    '2028-10-01T05:00:00+02:00', // the evening of its last day, there
    '2028-10-01T04:00:00+00:00',
  ];
  for (const EndDateActual of moments) await ada.make('project', { StartDateActual: '2028-01-01', EndDateActual });
  const figures = await dashboardOf(ada, { organization }, { period: Number(period.ID) });
  expect(figures).toMatchObject({ ProjectsCompleted: 3 });
});

it('ends a day with its last tenth of a microsecond', async () => {
  const { ada, organization } = await newSite();
  await ada.make('dialog', { AncestorID: organization, DialogDate: '2026-06-30T23:59:59.9999999+00:00' });
  expect(await dashboardOf(ada, { organization })).toMatchObject({ OrgDialogsExpected: 1 });
});
