// The operations of dashboards: figures of organizations, departments and individuals, and what they count (D30 to D36).
import { contract } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { chunks } from '../../text/batches.ts';
import type { Context } from '../context.ts';
import { colorOf, dashboardIn, dashboardOf, frameOf } from '../dashboards/build.ts';
import { formatNumber } from '../dashboards/number-format.ts';
import { answer } from '../records/answer.ts';
import { mayReadBelow, visibleRows } from '../rights/check.ts';
import type { CountedSet, GradedMetric, MetricSet, Rollup, Stored } from '../store/port.ts';
import type { Target } from '../target.ts';

/** One query sums the figures of so many owners. */
const OWNERS_PER_QUERY = 500;

/** The dashboards that the caller may read: organizations and departments in tree order, then individuals by name. */
async function* list(context: Context): AsyncGenerator<Row> {
  const frame = await frameOf(context, undefined);
  for await (const owners of chunks(readableOwners(context), OWNERS_PER_QUERY)) {
    const scopes = owners.map(({ ID }) => String(ID));
    const rollups = await context.store.rollup({ ...frame.query, scopes });
    for (const owner of owners) yield dashboardOf(owner, frame, rollups.get(String(owner.ID)) as Rollup);
  }
}

/** The owners of those dashboards. Departments are stored as organizations. */
async function* readableOwners(context: Context): AsyncGenerator<Stored> {
  const all = { deleted: 0, ordered: true } as const;
  yield* visibleRows(context, { ...all, resource: 'organization' });
  for await (const row of visibleRows(context, { ...all, resource: 'individual' })) {
    if (await mayReadBelow(context, 'dashboard', { resource: 'individual', row })) yield row;
  }
}

async function get(context: Context, { named: [named], query: { period } }: Target): Promise<readonly Row[]> {
  const { owner, frame, query } = await dashboardIn(context, named?.id, period, named?.resource);
  const rollups = await context.store.rollup(query);
  return [dashboardOf(owner, frame, rollups.get(String(owner.ID)) as Rollup)];
}

/** Always the same figures; the owner, by default the caller's organization, sets name and kind, the period the days. */
async function sample(context: Context, { query: { id, period } }: Target): Promise<readonly Row[]> {
  const me = await context.lookup('individual', context.caller.id);
  const { owner, frame } = await dashboardIn(context, id ?? me?.PrimaryOrganizationID, period);
  return [{ ...dashboardOf(owner, frame, SAMPLE), ...SAMPLE_ASSESSMENTS }];
}

/** The metrics of one level; `8020` and `8020dept` list the 80/20 metrics of every level. */
async function metrics(context: Context, { values, query: { period } }: Target): Promise<readonly Row[]> {
  const { frame, query } = await dashboardIn(context, values.id, period);
  const kind = String(values.metrictype).toLowerCase() as MetricSet;
  const graded = await context.store.gradedMetrics(query, kind);
  const gradedByID = new Map(graded.map((one) => [one.id, one]));
  const rows: Row[] = [];
  for await (const metric of readableOf(context, 'metric', [...gradedByID.keys()])) {
    const found = gradedByID.get(String(metric.ID));
    if (found) rows.push(metricRow(metric, found, frame.grading.colors));
  }
  return rows;
}

/** Lists the projects that one figure counts. */
const projectsIn =
  (set: CountedSet) =>
  async (context: Context, target: Target): Promise<readonly Row[]> => {
    const { query } = await dashboardIn(context, target.values.id, target.query.period);
    const ids = await context.store.countedRecords(query, set);
    const rows: Row[] = [];
    for await (const project of readableOf(context, 'project', ids))
      rows.push(await answer(context, contract.project, project));
    return rows;
  };

/** Those of the counted records that the caller may read, in the order of their resource. */
const readableOf = (context: Context, resource: string, ids: readonly string[]): AsyncIterable<Stored> =>
  visibleRows(context, { resource, ids, deleted: 0, ordered: true });

export const dashboardSpecials = {
  list,
  get,
  sample,
  metrics,
  activeProjects: projectsIn('active projects'),
  completedProjects: projectsIn('completed projects'),
  deptActiveProjects: projectsIn('active projects of departments'),
};

const FORMAT = '0.#';

/** The color is the metric's own for the level, else the site's. */
function metricRow(metric: Stored, graded: GradedMetric, colors: readonly Row[]): Row {
  const ofSite = colorOf(colors, graded.level);
  const format = String(metric.Format ?? '') || FORMAT;
  return {
    ID: metric.ID ?? null,
    RowType: contract.metric.rowType ?? null,
    Name: metric.Name ?? null,
    AncestorID: metric.AncestorID ?? null,
    Color: textOr(metric[`TColor${graded.level}`], ofSite?.Code),
    ColorRank: ofSite?.Rank ?? null,
    ColorName: ofSite?.Name ?? null,
    Format: format,
    Minimum: graded.minimum,
    Meets: graded.meets,
    Exceeds: graded.exceeds,
    Current: graded.value,
    CurrentDate: graded.date,
    FormattedMinimum: formatNumber(graded.minimum, format),
    FormattedMeets: formatNumber(graded.meets, format),
    FormattedExceeds: formatNumber(graded.exceeds, format),
    FormattedCurrent: formatNumber(graded.value, format),
    ThresholdLevel: graded.level,
  };
}

const textOr = (own: Value | undefined, other: Value | undefined): Value =>
  typeof own === 'string' && own !== '' ? own : (other ?? null);

const sum = (done: number, of: number) => ({ done, of });

const SAMPLE: Rollup = {
  commitments: { organization: sum(4, 5), department: sum(19, 26), project: sum(0, 0), individual: sum(88, 104) },
  dialogs: { organization: sum(1, 1), department: sum(9, 12), project: sum(6, 7), individual: sum(31, 40) },
  followUps: { organization: sum(2, 3), department: sum(14, 20), project: sum(11, 12), individual: sum(37, 52) },
  goals: sum(21, 34),
  criteria: sum(27, 36),
  roles: sum(3, 4),
  projects: { active: 14, onTime: 11, completed: 3, dateChanges: 6 },
  departmentProjects: { active: 10, onTime: 8, completed: 2, dateChanges: 5 },
  levels: { below: 3, minimum: 7, meets: 22, exceeds: 9 },
  key: sum(13, 16),
  departments: [sum(5, 6), sum(4, 4), sum(2, 4)],
};

/** Assessments, which the service has and this engine does not. */
const SAMPLE_ASSESSMENTS: Row = { LeaderAssessmentPercent: 84.5, TeamAssessmentPercent: 78.2 };
