// The table of dashboard areas, with the members behind each line, in drawing order; and the four levels of a figure.
import type { Row } from '../../contract/resource.ts';
import { defined } from '../../text/defined.ts';

export interface Line {
  readonly label: string;
  /** A gauge is compared with the thresholds, a share is a part of a whole, a count is a plain number. */
  readonly kind: 'gauge' | 'share' | 'count';
  /** The members for the number, the total, and the percentage. */
  readonly value?: string;
  readonly of?: string;
  readonly percent?: string;
  /** The members that add up to the number and to the total, where the record has neither. */
  readonly sums?: readonly [value: readonly string[], of: readonly string[]];
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

const score = (label: string, percent: string, show?: string): Line =>
  defined<Line>({ label, kind: 'gauge', percent, show });

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

/** All of them, and those about each kind of owner. */
function byOwner(percent: string, value: string, of: string): readonly Line[] {
  const kinds = { Org: 'Organizations', Dept: 'Departments', Proj: 'Projects', Ind: 'Individuals' };
  const members = (name: string): readonly string[] => Object.keys(kinds).map((kind) => kind + name);
  return [
    { ...score('All', percent), sums: [members(value), members(of)] },
    ...Object.entries(kinds).map(([kind, label]) => done(label, kind + value, kind + of)),
  ];
}

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
    lines: byOwner('DialogsCompletedPercent', 'DialogsOccurred', 'DialogsExpected'),
  },
  {
    title: 'Follow-ups',
    show: 'ShowFollowUps',
    lines: byOwner('FollowUpsCompletedPercent', 'FollowUpsCompleted', 'FollowUpsCreated'),
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

export const membersOf = ({ value, of, percent }: Line): readonly string[] =>
  [value, of, percent].filter((member) => member !== undefined);

/** Each member once, with the first line that it is read for, in drawing order. */
export const MEMBERS: readonly { readonly Area: string; readonly Label: string; readonly Member: string }[] =
  AREAS.flatMap(({ title, lines }) =>
    lines.flatMap((line) => membersOf(line).map((Member) => ({ Area: title, Label: line.label, Member }))),
  ).filter(({ Member }, at, all) => all.findIndex((one) => one.Member === Member) === at);

export type Level = 'below' | 'minimum' | 'meets' | 'exceeds' | 'none';

/** The percentages that are set, from the lowest level to the highest: from each on, a figure reaches the level. */
export type Thresholds = readonly { readonly level: Level; readonly at: number }[];

const THRESHOLDS = { minimum: 'Threshold1', meets: 'Threshold2', exceeds: 'Threshold3' } as const;

export const thresholdsOf = (row: Row): Thresholds =>
  Object.entries(THRESHOLDS).flatMap(([level, member]) => {
    const at = row[member];
    return typeof at === 'number' ? [{ level: level as Level, at }] : [];
  });

/** The level of a percentage; `none` where there is no data or no threshold. */
export function levelOf(percent: number | null, thresholds: Thresholds): Level {
  if (percent === null || thresholds.length === 0) return 'none';
  return thresholds.findLast(({ at }) => percent >= at)?.level ?? 'below';
}

/** The thresholds that fit on a bar from 0 to 100. */
export const marksOf = (thresholds: Thresholds): Thresholds => thresholds.filter(({ at }) => at > 0 && at <= 100);
