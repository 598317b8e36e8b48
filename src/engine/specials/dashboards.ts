// Roll-ups of an organization, a department or an individual, and the lists behind them (D30 to D36).
import { contract } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { type DashboardFrame, dashboardOf, dashboardOwner, frameOf, rollupQuery } from '../dashboards/build.ts';
import { metricRow, SAMPLE, SAMPLE_ASSESSMENTS } from '../dashboards/metrics.ts';
import { answer } from '../records/answer.ts';
import { mayReadBelow, visibleRows } from '../rights/check.ts';
import type { CountedSet, MetricSet, Rollup, Stored } from '../store/port.ts';
import type { Target } from '../target.ts';

/** The number of scopes that are summed in one query. */
const BATCH = 500;

/** Organizations and departments in tree order, then individuals by name, whose dashboards the caller may read. */
async function* list(context: Context): AsyncGenerator<Row> {
  const frame = await frameOf(context, undefined);
  for await (const owners of batches(accessible(context))) {
    const ids = owners.map(({ ID }) => String(ID));
    const rollups = await context.store.rollup(rollupQuery(context, frame, ids));
    for (const owner of owners) yield dashboardOf(owner, frame, rollups.get(String(owner.ID)) as Rollup);
  }
}

async function* accessible(context: Context): AsyncGenerator<Stored> {
  const all = { deleted: 0, ordered: true } as const;
  yield* visibleRows(context, { ...all, resource: 'organization' });
  for await (const row of visibleRows(context, { ...all, resource: 'individual' })) {
    if (await mayReadBelow(context, 'dashboard', { resource: 'individual', row })) yield row;
  }
}

async function* batches(owners: AsyncIterable<Stored>): AsyncGenerator<readonly Stored[]> {
  let batch: Stored[] = [];
  for await (const owner of owners) {
    batch.push(owner);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function get(context: Context, target: Target): Promise<readonly Row[]> {
  const [named] = target.named;
  const owner = await dashboardOwner(context, String(named?.id), named?.resource);
  const frame = await frameOf(context, target.query.period);
  const rollups = await context.store.rollup(rollupQuery(context, frame, [String(owner.ID)]));
  return [dashboardOf(owner, frame, rollups.get(String(owner.ID)) as Rollup)];
}

/** The figures are always the same; the ID sets name and kind, the period the days. By default of the caller's organization. */
async function sample(context: Context, target: Target): Promise<readonly Row[]> {
  const { caller, query } = { ...context, ...target };
  const me = await context.lookup('individual', caller.id);
  const owner = await dashboardOwner(context, String(query.id ?? me?.PrimaryOrganizationID));
  const frame = await frameOf(context, query.period);
  return [{ ...dashboardOf(owner, frame, SAMPLE), ...SAMPLE_ASSESSMENTS }];
}

/** The dashboard in the path of a list. */
async function dashboardIn(context: Context, target: Target): Promise<{ frame: DashboardFrame; id: string }> {
  const owner = await dashboardOwner(context, String(target.values.id));
  return { frame: await frameOf(context, target.query.period), id: String(owner.ID) };
}

/** 8020 and 8020dept list such metrics of every level. */
async function metrics(context: Context, target: Target): Promise<readonly Row[]> {
  const { frame, id } = await dashboardIn(context, target);
  const kind = String(target.values.metrictype).toLowerCase() as MetricSet;
  const graded = await context.store.gradedMetrics(rollupQuery(context, frame, [id]), kind);
  const known = new Map(graded.map((one) => [one.id, one]));
  const rows: Row[] = [];
  for await (const metric of readableOf(context, 'metric', [...known.keys()])) {
    const one = known.get(String(metric.ID));
    if (one) rows.push(metricRow(metric, one, frame.grading.colors));
  }
  return rows;
}

const projects =
  (what: CountedSet) =>
  async (context: Context, target: Target): Promise<readonly Row[]> => {
    const { frame, id } = await dashboardIn(context, target);
    const ids = await context.store.countedRecords(rollupQuery(context, frame, [id]), what);
    const rows: Row[] = [];
    for await (const project of readableOf(context, 'project', ids))
      rows.push(await answer(context, contract.project, project));
    return rows;
  };

/** The counted records that the caller may read, in order. */
const readableOf = (context: Context, resource: string, ids: readonly string[]): AsyncIterable<Stored> =>
  visibleRows(context, { resource, ids, deleted: 0, ordered: true });

export const dashboardSpecials = {
  list,
  get,
  sample,
  metrics,
  activeProjects: projects('active projects'),
  completedProjects: projects('completed projects'),
  deptActiveProjects: projects('active projects of departments'),
};
