// The lists behind a dashboard hold exactly what it has counted (D36).
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Input } from '../../src/contract/call.ts';
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { refuses } from '../support/refuses.ts';
import type { Asker } from '../support/site.ts';
import { type Company, company } from './company.ts';

let ours: Company;
beforeAll(async () => {
  ours = await company();
});
afterAll(() => ours.site.engine.end());

type Lists = 'metrics' | 'activeProjects' | 'completedProjects' | 'deptActiveProjects';

async function listed(asker: Asker, list: Lists, id: string, more: Input['params'] = {}, query: Input['query'] = {}) {
  const rows: Row[] = [];
  const input = { params: { id, ...more }, query };
  for await (const row of asker.session.list(contract.dashboard.operations[list], input)) rows.push(row);
  return rows;
}

const names = (rows: readonly Row[]): unknown[] => rows.map(({ Name }) => Name).sort();
const metrics = async (id: string, metricType: string, query: Input['query'] = {}): Promise<unknown[]> =>
  names(await listed(ours.site.ada, 'metrics', id, { metricType }, query));
const projects = async (list: Lists, id: string): Promise<unknown[]> => names(await listed(ours.site.ada, list, id));

it('of metrics are of one level each, those of individuals among them', async () => {
  const { organization } = ours;
  expect(await metrics(organization, 'exceeds')).toEqual(['Coats', 'Errors', 'Orders']);
  expect(await metrics(organization, 'meets')).toEqual(['Ferries', 'Shine']);
  expect(await metrics(organization, 'min')).toEqual(['Scrap']);
  expect(await metrics(organization, 'below')).toEqual(['Seams']);
  expect(await metrics(organization, 'below', { period: 1 })).toEqual(['Calls']);
});

it('of 80/20 metrics hold all that have a value, and those of departments below', async () => {
  expect(await metrics(ours.organization, '8020')).toEqual(['Coats', 'Ferries', 'Orders', 'Seams']);
  expect(await metrics(ours.organization, '8020dept')).toEqual(['Coats', 'Ferries', 'Seams']);
  expect(await metrics(ours.yard, '8020DEPT')).toEqual(['Coats', 'Seams']);
  expect(await metrics(ours.paint, '8020dept')).toEqual([]);
});

it('of metrics show the newest value, the thresholds and the color of the level', async () => {
  const [ferries, shine] = await listed(ours.site.ada, 'metrics', ours.organization, { metricType: 'meets' });
  expect(ferries).toEqual({
    ID: expect.any(String),
    RowType: 7,
    Name: 'Ferries',
    AncestorID: ours.yard,
    Color: '2e9e4f',
    ColorRank: 3,
    ColorName: 'Meets',
    Format: '0.#',
    Minimum: 10,
    Meets: 20,
    Exceeds: 30,
    Current: 25,
    CurrentDate: '2026-05-01T00:00:00+00:00',
    FormattedMinimum: '10',
    FormattedMeets: '20',
    FormattedExceeds: '30',
    FormattedCurrent: '25',
    ThresholdLevel: 3,
  });
  expect(shine).toMatchObject({ Minimum: 60, Meets: 80, Exceeds: 100 });
});

it('of metrics grade by the thresholds of the site, where a metric has not all three of its own', async () => {
  const { ada } = ours.site;
  const metric = await ada.make('metric', { AncestorID: ours.di, Name: 'Rate', Threshold3: 10 });
  await ada.make('metricValue', { MetricID: metric.ID, Value: 9 });
  const [row] = await listed(ada, 'metrics', ours.di, { metricType: 'below' });
  expect(row).toMatchObject({ Name: 'Rate', Minimum: 60, Meets: 80, Exceeds: 100 });
  await ada.delete('metric', metric.ID);
});

it('of metrics show a metric in its own color and format', async () => {
  const { ada } = ours.site;
  const own = { Name: 'Rate', TColor2: 'abcdef', Format: '0.0%', Threshold1: 0.2, Threshold2: 0.8, Threshold3: 0.9 };
  const metric = await ada.make('metric', { AncestorID: ours.di, ...own });
  await ada.make('metricValue', { MetricID: metric.ID, Value: 0.255 });
  const [row] = await listed(ada, 'metrics', ours.di, { metricType: 'min' });
  expect(row).toMatchObject({
    Color: 'abcdef',
    ColorName: 'Minimum',
    FormattedCurrent: '25.5%',
    FormattedMeets: '80.0%',
  });
  await ada.delete('metric', metric.ID);
});

it('of projects hold those under way, those that ended, and those of departments below', async () => {
  expect(await projects('activeProjects', ours.organization)).toEqual(['Crane', 'Dock', 'Ferry', 'Hull']);
  expect(await projects('completedProjects', ours.organization)).toEqual(['Crane', 'Dock', 'Mast']);
  expect(await projects('deptActiveProjects', ours.organization)).toEqual(['Crane', 'Dock', 'Hull']);
  expect(await projects('activeProjects', ours.yard)).toEqual(['Crane', 'Dock', 'Hull']);
  expect(await projects('deptActiveProjects', ours.yard)).toEqual(['Hull']);
  expect(await projects('activeProjects', ours.bo)).toEqual([]);
});

it('of projects hold whole projects', async () => {
  const [ferry] = await listed(ours.site.ada, 'activeProjects', ours.organization);
  expect(ferry).toEqual(await ours.site.ada.get('project', ferry?.ID));
});

it('of commitments hold those of organizations, departments or individuals', async () => {
  const count = async (id: string, type: string, query: Input['query'] = {}): Promise<number> =>
    (await ours.site.ada.list('commitment', { dashboard: [id, type] }, query)).length;
  expect(await count(ours.organization, 'organization')).toBe(2);
  expect(await count(ours.organization, 'department')).toBe(4);
  expect(await count(ours.organization, 'individual')).toBe(3);
  expect(await count(ours.organization, 'department', { period: 1 })).toBe(1);
  expect(await count(ours.paint, 'department')).toBe(1);
  expect(await count(ours.paint, 'organization')).toBe(0);
  expect(await count(ours.bo, 'individual')).toBe(2);
});

it('leave out what the caller may not read', async () => {
  const di = await ours.site.as('di');
  expect(await di.list('commitment', { dashboard: [ours.organization, 'individual'] })).toEqual([]);
  expect(names(await listed(di, 'metrics', ours.organization, { metricType: 'exceeds' }))).toEqual(['Coats', 'Orders']);
});

it('are asked of an organization, a department or an individual that is there', async () => {
  const { ada } = ours.site;
  const nobody = '00000000-0000-4000-9000-000000000000';
  await refuses(listed(ada, 'activeProjects', nobody)).with('not_found', nobody);
  await refuses(listed(ada, 'activeProjects', ours.ed)).with('deleted');
  await refuses(listed(ada, 'activeProjects', ours.yard, {}, { period: 99 })).with('not_found', /period 99 /);
  await refuses(listed(ada, 'metrics', ours.yard, { metricType: 'best' })).with('invalid', /metricType/);
  await refuses(listed(await ours.site.as('di'), 'activeProjects', ours.bo)).with('forbidden');
});
