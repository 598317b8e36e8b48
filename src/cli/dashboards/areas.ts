// The table of dashboard areas, with the members behind each line, in drawing order.
import type { Level } from './levels.ts';

export interface Line {
  readonly label: string;
  /** A gauge is compared with the thresholds, a share is a part of a whole, a count is a plain number. */
  readonly kind: 'gauge' | 'share' | 'count';
  /** The members for the number, the total, and the percentage. */
  readonly value?: string;
  readonly of?: string;
  readonly percent?: string;
  /** The member that names a color of the site. */
  readonly color?: string;
  /** The fixed level of the line. */
  readonly level?: Level;
  /** The member that hides it when false. */
  readonly show?: string;
  /** The row types it is drawn for; all by default. */
  readonly rowTypes?: readonly number[];
}

export interface Area extends Pick<Line, 'show' | 'rowTypes'> {
  readonly title: string;
  readonly lines: readonly Line[];
  /** Its lines are the parts of one whole. */
  readonly stacked?: true;
}

const UNITS = [4, 56];
const INDIVIDUAL = [39];

const score = (label: string, percent: string, show?: string): Line => ({
  label,
  kind: 'gauge',
  percent,
  ...(show === undefined ? {} : { show }),
});

const done = (label: string, value: string, of: string): Line => ({ label, kind: 'share', value, of });

const count = (label: string, value: string): Line => ({ label, kind: 'count', value });

const commitments = (label: string, name: string, show: string): Line => ({
  label,
  kind: 'gauge',
  value: `${name}CommitmentsCompleted`,
  of: `${name}CommitmentsTotal`,
  color: `${name}CommitmentsColorValue`,
  show,
});

const metrics = (label: string, percent: string, level: Level): Line => ({ label, kind: 'share', percent, level });

const projects = (prefix: '' | 'Dept'): readonly Line[] => [
  count('Active', `${prefix}ProjectsActive`),
  done('On time', `${prefix}ProjectsOnTime`, `${prefix}ProjectsActive`),
  done('Completed', `${prefix}ProjectsCompleted`, `${prefix}ProjectsActive`),
  count('Date changes', `${prefix}ProjectsDateChanges`),
];

const perOwner = (value: string, of: string): readonly Line[] => [
  done('Organizations', `Org${value}`, `Org${of}`),
  done('Departments', `Dept${value}`, `Dept${of}`),
  done('Projects', `Proj${value}`, `Proj${of}`),
  done('Individuals', `Ind${value}`, `Ind${of}`),
];

export const AREAS: readonly Area[] = [
  {
    title: 'Commitments',
    lines: [
      commitments('Organizations', 'Organization', 'ShowOrgCommitments'),
      commitments('Departments', 'Department', 'ShowDeptCommitments'),
      commitments('Individuals', 'Individual', 'ShowIndCommitments'),
    ],
  },
  {
    title: 'Metrics',
    show: 'ShowMetrics',
    stacked: true,
    lines: [
      metrics('Exceeds', 'MetricsExceedsPercent', 'exceeds'),
      metrics('Meets', 'MetricsMeetsPercent', 'meets'),
      metrics('Minimum', 'MetricsMinimumPercent', 'minimum'),
      metrics('Below', 'MetricsBelowPercent', 'below'),
    ],
  },
  {
    title: '80/20 metrics',
    show: 'Show8020Metrics',
    lines: [
      score('Meeting', 'Metrics8020Percent'),
      { ...score('Departments', 'Metrics8020CompositePercent'), rowTypes: UNITS },
    ],
  },
  { title: 'Projects', show: 'ShowProjectLoad', lines: projects('') },
  { title: 'Projects of departments', show: 'ShowProjectLoad', rowTypes: UNITS, lines: projects('Dept') },
  {
    title: 'Assessments',
    lines: [
      score('Criteria', 'EvaluationCriteriaPercent', 'ShowEvaluationCriteria'),
      score('Leader', 'LeaderAssessmentPercent', 'ShowLeaderAssessment'),
      score('Team', 'TeamAssessmentPercent', 'ShowTeamAssessment'),
    ],
  },
  {
    title: 'Dialogs',
    show: 'ShowDialogs',
    lines: [score('All', 'DialogsCompletedPercent'), ...perOwner('DialogsOccurred', 'DialogsExpected')],
  },
  {
    title: 'Follow-ups',
    show: 'ShowFollowUps',
    lines: [score('All', 'FollowUpsCompletedPercent'), ...perOwner('FollowUpsCompleted', 'FollowUpsCreated')],
  },
  {
    title: 'Personal goals',
    show: 'ShowGoals',
    lines: [{ label: 'Goals', kind: 'gauge', value: 'PersonalGoalsCompleted', of: 'PersonalGoalsTotal' }],
  },
  {
    title: 'Individual',
    rowTypes: INDIVIDUAL,
    lines: [
      score('Performance', 'IndividualPerformancePercent'),
      score('Core values', 'IndividualCoreValuesPercent'),
      score('Basic roles', 'IndividualBasicRolePercent'),
    ],
  },
];
