// What a dashboard shows, as data: the terminal, the page and the comparison all draw this one picture.
import type { Row, Value } from '../../contract/resource.ts';
import { AREAS, type Area, type Line } from './areas.ts';
import { type Level, levelOf, type Thresholds, thresholdsOf } from './levels.ts';

/** One line of a picture. */
export interface Bar {
  readonly label: string;
  /** The document's members it is read from. */
  readonly members: readonly string[];
  /** A gauge is held against the thresholds, a share is a part of a whole, a count is a bare number. */
  readonly kind: Line['kind'];
  /** How many; null where it is known in percent alone, or not at all. */
  readonly value: number | null;
  /** Out of how many. */
  readonly of: number | null;
  /** 0 to 100, rarely more; null means that there is no data. */
  readonly percent: number | null;
  readonly level: Level;
  /** `#rrggbb`, as the site colors the level; null where it has no color for it. */
  readonly color: string | null;
}

export interface Section {
  readonly title: string;
  /** Its bars are the parts of one whole. */
  readonly stacked: boolean;
  readonly bars: readonly Bar[];
}

export interface Picture {
  readonly id: string;
  readonly name: string;
  readonly kind: 'organization' | 'department' | 'individual';
  /** First and last day, `2026-01-01`; null where the record has none. */
  readonly from: string | null;
  readonly to: string | null;
  readonly thresholds: Thresholds;
  readonly sections: readonly Section[];
}

/** A record of a dashboard as a picture; `colors` are the site's, which say how a level looks (D31). */
export function picture(row: Row, colors: readonly Row[]): Picture {
  const thresholds = thresholdsOf(row);
  const bar = (line: Line): Bar => barOf(row, line, thresholds, colors);
  return {
    id: textOf(row.ID) ?? '',
    name: textOf(row.Name) ?? '',
    kind: row.RowType === 39 ? 'individual' : row.RowType === 56 ? 'department' : 'organization',
    from: textOf(row.FromDate)?.slice(0, 10) ?? null,
    to: textOf(row.ToDate)?.slice(0, 10) ?? null,
    thresholds,
    sections: shown(row).map(({ title, stacked = false, lines }) => ({ title, stacked, bars: lines.map(bar) })),
  };
}

/** The areas that the site shows of such a record, each with the lines that it shows. */
function shown(row: Row): readonly Area[] {
  const isShown = ({ show, rowTypes }: Pick<Area, 'show' | 'rowTypes'>): boolean =>
    (show === undefined || row[show] !== false) && (rowTypes === undefined || rowTypes.includes(Number(row.RowType)));
  return AREAS.filter(isShown)
    .map((area) => ({ ...area, lines: area.lines.filter(isShown) }))
    .filter(({ lines }) => lines.length > 0);
}

function barOf(row: Row, line: Line, thresholds: Thresholds, colors: readonly Row[]): Bar {
  const read = (name: string | undefined): number | null => (name === undefined ? null : numberOf(row[name]));
  const [value, of] = [read(line.value), read(line.of)];
  const percent = line.percent === undefined ? partOf(value, of) : read(line.percent);
  const level = line.level ?? (line.kind === 'gauge' ? levelOf(percent, thresholds) : 'none');
  return {
    label: line.label,
    members: [line.value, line.of, line.percent].filter((name) => name !== undefined),
    kind: line.kind,
    value,
    of,
    percent,
    level,
    color: colorOf(colors, read(line.color), level),
  };
}

/** A count of more than its whole is no part of it, and a part of nothing is no number. */
const partOf = (value: number | null, of: number | null): number | null =>
  value === null || of === null || of <= 0 || value > of ? null : Math.round((value / of) * 1000) / 10;

const RANKS: readonly Level[] = ['none', 'below', 'minimum', 'meets', 'exceeds'];

/** The color that the record names, else the site's color of that rank; the last one for higher levels (D31). */
function colorOf(colors: readonly Row[], id: number | null, level: Level): string | null {
  if (level === 'none') return null;
  const ranked = [...colors].sort((a, b) => Number(a.Rank) - Number(b.Rank));
  const named = id === null ? undefined : ranked.find((color) => color.ID === id);
  const [, code] = /^#?([0-9a-f]{6})$/i.exec(
    String((named ?? ranked[Math.min(RANKS.indexOf(level), ranked.length) - 1])?.Code),
  ) ?? [undefined, undefined];
  return code === undefined ? null : `#${code.toLowerCase()}`;
}

const textOf = (value: Row[string] | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

/** Decimals may come as text; what is no number is no data. */
export function numberOf(value: Value | undefined): number | null {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
