// The metrics of a dashboard, each with its newest value, its thresholds and the color of its level (D32).

import { contract } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import type { Graded, Stored } from '../store/port.ts';
import { colorOf } from './levels.ts';
import { formatNumber } from './number-format.ts';

const FORMAT = '0.#';

/** The color is the metric's own for the level, else the site's. */
export function metricRow(metric: Stored, graded: Graded, colors: readonly Row[]): Row {
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
