// Computes the figures of a dashboard from the sums of its scope, with levels and colors (D31 to D36).
import type { Row } from '../../contract/resource.ts';
import type { ProjectSums, Rollup, Sum, SumsByKind } from '../store/port.ts';

export interface Grading {
  /** The site's, in percent. */
  readonly thresholds: readonly [minimum: number, meets: number, exceeds: number];
  /** The site's colors by rank. */
  readonly colors: readonly Row[];
}

/**
 * Every computed figure of a dashboard, under the document's names. Null are figures without data, percentages of
 * nothing, and for others than individuals the figures that only individuals have.
 */
export function figuresOf(rollup: Rollup, look: Grading, isIndividual: boolean): Row {
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

/** The percentage that is done; null of nothing. */
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
