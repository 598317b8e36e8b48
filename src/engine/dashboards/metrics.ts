// The metrics of a dashboard with their newest values and levels (D32), and the figures of the sample dashboard (D36).
import { contract } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import type { GradedMetric, Rollup, Stored } from '../store/port.ts';
import { colorOf } from './figures.ts';
import { formatNumber } from './number-format.ts';

const FORMAT = '0.#';

/** The color is the metric's own for the level, else the site's. */
export function metricRow(metric: Stored, graded: GradedMetric, colors: readonly Row[]): Row {
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

/** The sums of the sample dashboard. */
export const SAMPLE: Rollup = {
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
export const SAMPLE_ASSESSMENTS: Row = { LeaderAssessmentPercent: 84.5, TeamAssessmentPercent: 78.2 };
