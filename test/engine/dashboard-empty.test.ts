// Dashboards where there is nothing to sum, and the sample.
import { expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { refuses } from '../support/refuses.ts';
import { newSite } from '../support/site.ts';
import { dashboardOf } from './company.ts';

const figures = Object.entries(contract.dashboard.fields).filter(
  ([name, field]) =>
    field.rule === 'read-only' && !['ID', 'SiteID', 'RowType', 'Name', 'FromDate', 'ToDate'].includes(name),
);
/** Counts are zero, and a share of nothing is nothing. */
const NOTHING: Row = Object.fromEntries(figures.map(([name, { kind }]) => [name, kind === 'integer' ? 0 : null]));

it('a new site has no data, which is null and never 0 % or NaN', async () => {
  const { ada, organization } = await newSite();
  expect(await dashboardOf(ada, { organization })).toMatchObject(NOTHING);
  expect(await dashboardOf(ada, { individual: ada.id })).toMatchObject(NOTHING);
});

it('before the first period the calendar quarter counts, commitments by their due date', async () => {
  const { ada, organization, at } = await newSite();
  at('2025-05-13T09:00:00Z');
  await ada.make('commitment', { AncestorID: organization, DueDate: '2025-06-30T22:00:00+00:00', Completed: true });
  await ada.make('commitment', { AncestorID: organization, DueDate: '2025-07-01T00:00:00+00:00' });
  expect(await dashboardOf(ada, { organization })).toMatchObject({
    FromDate: '2025-04-01T00:00:00+00:00',
    ToDate: '2025-06-30T00:00:00+00:00',
    OrganizationCommitmentsCompleted: 1,
    OrganizationCommitmentsTotal: 1,
  });
  expect(await ada.list('commitment', { dashboard: [organization, 'organization'] })).toHaveLength(1);
});

it('the period of another site is not there', async () => {
  const { ada, as, organization } = await newSite();
  const other = await ada.call('site', 'create', 'plain', { body: { Name: 'Other', Admin: 'olga' } });
  const there = await as('ada', String(other.ID));
  const { ID } = await there.make('period', { SiteID: other.ID });
  expect(ID).toBe(5);
  await refuses(dashboardOf(ada, { organization }, { period: 5 })).with('not_found', /no period 5 /);
});

it('a site without colors has the color value 0', async () => {
  const { ada, organization } = await newSite();
  for (const { ID } of await ada.list('color')) await ada.delete('color', ID);
  await ada.make('commitment', { AncestorID: organization });
  expect(await dashboardOf(ada, { organization })).toMatchObject({
    OrganizationCommitmentsTotal: 1,
    OrganizationCommitmentsColorValue: 0,
  });
});

it('levels that have no color of their own have the last one', async () => {
  const { ada, organization } = await newSite();
  const [, minimum, ...higher] = await ada.list('color');
  for (const { ID } of higher) await ada.delete('color', ID);
  await ada.make('commitment', { AncestorID: organization, Completed: true });
  expect(await dashboardOf(ada, { organization })).toMatchObject({ OrganizationCommitmentsColorValue: minimum?.ID });
});

it('the sample is always the same, in the name of whom it is asked for and the days of the period', async () => {
  const { ada, organization } = await newSite();
  const sample = (query = {}): Promise<Row> => ada.call('dashboard', 'sample', 'plain', { query });
  const first = await sample();
  expect(first).toMatchObject({ ID: organization, Name: 'Test', RowType: 4, MetricsMeetsPercent: 53.7 });
  expect(await sample()).toEqual(first);
  expect(await sample({ id: ada.id, period: 3 })).toMatchObject({
    ID: ada.id,
    RowType: 39,
    FromDate: '2026-07-01T00:00:00+00:00',
    MetricsMeetsPercent: 53.7,
    IndividualPerformancePercent: 84.6,
  });
  expect(Object.entries(await sample({ id: ada.id })).filter(([, value]) => value === null)).toEqual([
    ['IndividualCoreValuesPercent', null],
  ]);
});
