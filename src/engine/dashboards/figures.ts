// From the sums of a scope to the figures of its dashboard (D31 to D35). Nothing here asks the store.
import type { Row } from '../../contract/resource.ts';
import type { ProjectSums, Rollup, Sum, SumsByKind } from '../store/port.ts';
import { colorValue } from './levels.ts';
import { meanPercent, percentOf, together } from './percent.ts';

export interface Look {
  /** The site's, in percent. */
  readonly thresholds: readonly [minimum: number, meets: number, exceeds: number];
  /** The site's colors by rank. */
  readonly colors: readonly Row[];
}

/**
 * Every computed figure of a dashboard, under the document's names. What the service has no data for is null, as is
 * every percentage of nothing; what only individuals have is null for all others.
 */
export function figuresOf(rollup: Rollup, look: Look, isIndividual: boolean): Row {
  return {
    ...commitmentFigures(rollup.commitments, look),
    ...metricFigures(rollup),
    ...projectFigures('', rollup.projects),
    ...projectFigures('Dept', rollup.departmentProjects),
    EvaluationCriteriaPercent: percentOf(rollup.criteria),
    LeaderAssessmentPercent: null,
    TeamAssessmentPercent: null,
    DialogsCompletedPercent: percentOf(together(Object.values(rollup.dialogs))),
    FollowUpsCompletedPercent: percentOf(together(Object.values(rollup.followUps))),
    PersonalGoalsCompleted: rollup.goals.done,
    PersonalGoalsTotal: rollup.goals.of,
    ...byKind(rollup.dialogs, 'DialogsExpected', 'DialogsOccurred'),
    ...byKind(rollup.followUps, 'FollowUpsCreated', 'FollowUpsCompleted'),
    IndividualPerformancePercent: isIndividual ? percentOf(rollup.commitments.individual) : null,
    IndividualCoreValuesPercent: null,
    IndividualBasicRolePercent: isIndividual ? percentOf(rollup.roles) : null,
  };
}

function commitmentFigures({ organization, department, individual }: SumsByKind, look: Look): Row {
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

/** Each level as a share of the metrics that have a value; those are all of the four. */
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
