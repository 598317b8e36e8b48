// Builds a dashboard: its owner, the caller's right to it, its time, and its figures with levels and colors (D19, D30 to D36).
import { contract, resourceNamed } from '../../contract/index.ts';
import { type Row, type Value, valuesOf } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { SETTINGS } from '../records/defaults.ts';
import { periodOf } from '../records/periods.ts';
import { noSuch, readable } from '../records/read-record.ts';
import { findByID } from '../records/record-names.ts';
import { checkRight, mayRead } from '../rights/check.ts';
import type { ProjectSums, Rollup, RollupQuery, Stored, Sum, SumsByKind } from '../store/port.ts';

const INDIVIDUAL = 39;

type DashboardFrame = Awaited<ReturnType<typeof frameOf>>;

/** All dashboards of one call share it. `period` is an ID; the current period by default. Throws `not_found`. */
export async function frameOf(context: Context, period: Value | undefined) {
  const { store, site, now } = context;
  const span = await periodOf(context, period);
  const settings: Row = (await store.get('siteSetting', site, site)) ?? SETTINGS;
  const colors = await store.find({ resource: 'color', site, deleted: 0, ordered: true });
  const [minimum, meets, exceeds] = [settings.Threshold1, settings.Threshold2, settings.Threshold3].map(Number);
  const thresholds = [minimum ?? 0, meets ?? 0, exceeds ?? 0] as const;
  // The roll-up of this time, of any scopes.
  const query: Omit<RollupQuery, 'scopes'> = { site, from: span.from, to: span.to, now, period: span.id, thresholds };
  return { span, settings, grading: { thresholds, colors }, query };
}

/** One dashboard, in the contract's order. The owner is an organization, a department or an individual. */
export function dashboardOf(owner: Stored, { span, settings, grading }: DashboardFrame, rollup: Rollup): Row {
  const isIndividual = owner.RowType === undefined;
  const known: Record<string, Value> = {
    ...settings,
    ...figuresOf(rollup, grading, isIndividual),
    ID: owner.ID ?? null,
    SiteID: owner.SiteID ?? null,
    RowType: owner.RowType ?? INDIVIDUAL,
    Name: owner.FullName ?? owner.Name ?? null,
    FromDate: span.first,
    ToDate: span.last,
  };
  return valuesOf(known, Object.keys(contract.dashboard.fields));
}

/** A dashboard by the ID of its owner: the owner, the frame, and the query of its roll-up. Throws as `dashboardOwner` does. */
export async function dashboardIn(
  context: Context,
  id: Value | undefined,
  period: Value | undefined,
  resource?: string,
) {
  const owner = await dashboardOwner(context, String(id), resource);
  const frame = await frameOf(context, period);
  return { owner, frame, query: { ...frame.query, scopes: [String(owner.ID)] } };
}

/** The record of a dashboard. Throws `not_found`, `deleted`, or `forbidden` where the caller may not read the dashboard. */
async function dashboardOwner(context: Context, id: string, resource?: string): Promise<Stored> {
  const found = resource === undefined ? await findByID(context, id) : undefined;
  const kind = resource ?? found?.resource;
  if (kind !== 'organization' && kind !== 'individual') throw noSuch('dashboard', id);
  // A record that the caller may not read is missing, with the same message for every kind.
  if (found && !(await mayRead(context, resourceNamed(found.resource), found.row))) throw noSuch('dashboard', id);
  const owner = await readable(context, { resource: kind, id }, 0);
  // The right to read an organization covers its dashboard; an individual's dashboard has its own right.
  if (kind === 'individual')
    await checkRight(context, 'read', contract.dashboard, { ID: id, Name: owner.FullName ?? null });
  return owner;
}

interface Grading {
  /** The site's, in percent. */
  readonly thresholds: readonly [minimum: number, meets: number, exceeds: number];
  /** The site's colors by rank. */
  readonly colors: readonly Row[];
}

/**
 * Every computed figure of a dashboard, under the document's names. Null are figures without data, percentages of
 * nothing, and for others than individuals the figures that only individuals have.
 */
function figuresOf(rollup: Rollup, look: Grading, isIndividual: boolean): Row {
  return {
    ...commitmentFigures(rollup.commitments, look),
    ...metricFigures(rollup),
    ...projectFigures('', rollup.projects),
    ...projectFigures('Dept', rollup.departmentProjects),
    EvaluationCriteriaPercent: percentOf(rollup.criteria),
    LeaderAssessmentPercent: null,
    TeamAssessmentPercent: null,
    DialogsCompletedPercent: percentOf(sumTogether(Object.values(rollup.dialogs))),
    FollowUpsCompletedPercent: percentOf(sumTogether(Object.values(rollup.followUps))),
    PersonalGoalsCompleted: rollup.goals.done,
    PersonalGoalsTotal: rollup.goals.of,
    ...byKind(rollup.dialogs, 'DialogsExpected', 'DialogsOccurred'),
    ...byKind(rollup.followUps, 'FollowUpsCreated', 'FollowUpsCompleted'),
    IndividualPerformancePercent: isIndividual ? percentOf(rollup.commitments.individual) : null,
    IndividualCoreValuesPercent: null,
    IndividualBasicRolePercent: isIndividual ? percentOf(rollup.roles) : null,
  };
}

function commitmentFigures({ organization, department, individual }: SumsByKind, look: Grading): Row {
  const figures = (name: string, sum: Sum): Row => ({
    [`${name}CommitmentsCompleted`]: sum.done,
    [`${name}CommitmentsTotal`]: sum.of,
    [`${name}CommitmentsColorValue`]: colorValue(sum, look),
  });
  return {
    ...figures('Organization', organization),
    ...figures('Department', department),
    ...figures('Individual', individual),
  };
}

/** Each level as a share of the metrics that have a value. */
function metricFigures({ levels, key, departments }: Rollup): Row {
  const of = levels.below + levels.minimum + levels.meets + levels.exceeds;
  return {
    MetricsExceedsPercent: percentOf({ done: levels.exceeds, of }),
    MetricsMeetsPercent: percentOf({ done: levels.meets, of }),
    MetricsMinimumPercent: percentOf({ done: levels.minimum, of }),
    MetricsBelowPercent: percentOf({ done: levels.below, of }),
    Metrics8020Percent: percentOf(key),
    Metrics8020CompositePercent: meanPercent(departments),
  };
}

const projectFigures = (prefix: string, sums: ProjectSums): Row => ({
  [`${prefix}ProjectsActive`]: sums.active,
  [`${prefix}ProjectsOnTime`]: sums.onTime,
  [`${prefix}ProjectsCompleted`]: sums.completed,
  [`${prefix}ProjectsDateChanges`]: sums.dateChanges,
});

const byKind = ({ organization, department, project, individual }: SumsByKind, of: string, done: string): Row =>
  Object.fromEntries(
    Object.entries({ Org: organization, Dept: department, Proj: project, Ind: individual }).flatMap(([kind, sum]) => [
      [`${kind}${of}`, sum.of],
      [`${kind}${done}`, sum.done],
    ]),
  );

const percentOf = ({ done, of }: Sum): number | null => (of === 0 ? null : rounded((done / of) * 100));

/** The mean of the unrounded percentages; null where there is none. */
function meanPercent(sums: readonly Sum[]): number | null {
  const shares = sums.filter(({ of }) => of > 0).map(({ done, of }) => done / of);
  if (shares.length === 0) return null;
  return rounded((shares.reduce((sum, share) => sum + share, 0) / shares.length) * 100);
}

const sumTogether = (sums: readonly Sum[]): Sum => ({
  done: sums.reduce((sum, { done }) => sum + done, 0),
  of: sums.reduce((sum, { of }) => sum + of, 0),
});

/** Compensates the binary error of fractions: 12.25 % may be computed as 12.2499… %. */
const SLACK = 1e-9;

const rounded = (percent: number): number => (Math.sign(percent) * Math.round(Math.abs(percent) * 10 + SLACK)) / 10;

/** The ID of the color for the part that is done; 0 of nothing, and where the site has no color. */
function colorValue({ done, of }: Sum, { thresholds, colors }: Grading): number {
  if (of === 0) return 0;
  const percent = (done / of) * 100;
  const [minimum, meets, exceeds] = thresholds;
  const level = percent >= exceeds ? 4 : percent >= meets ? 3 : percent >= minimum ? 2 : 1;
  return Number(colorOf(colors, level)?.ID ?? 0);
}

/** The color of a level from 1 below to 4 exceeds: the color of that rank, else the last one. */
export const colorOf = (colors: readonly Row[], level: number): Row | undefined =>
  colors[Math.min(level, colors.length) - 1];
