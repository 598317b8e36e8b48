// A dashboard as data, and its figures as text: the terminal, the page and the comparison use the same.
import type { Row, Value } from '../../contract/resource.ts';
import { AREAS, type Area, type Level, type Line, levelOf, membersOf, type Thresholds, thresholdsOf } from './areas.ts';

export interface Bar {
  readonly label: string;
  readonly members: readonly string[];
  /** A gauge is compared with the thresholds, a share is a part of a whole, a count is a plain number. */
  readonly kind: Line['kind'];
  /** The number; null if only the percentage is known, or nothing. */
  readonly value: number | null;
  readonly of: number | null;
  /** 0 to 100, rarely more; null without data. */
  readonly percent: number | null;
  readonly level: Level;
  /** `#rrggbb`, the site's color of the level; null without one. */
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

/** A dashboard record as a picture; `colors` are the site's colors of the levels (D31). */
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

/** The bar that is read from this member; undefined if the site shows none. */
export const barWith = ({ sections }: Picture, member: string): Bar | undefined =>
  sections.flatMap(({ bars }) => bars).find(({ members }) => members.includes(member));

/** The areas and lines that the site shows for this type of record. */
function shown(row: Row): readonly Area[] {
  const isShown = ({ show, rowTypes }: Pick<Area, 'show' | 'rowTypes'>): boolean =>
    (show === undefined || row[show] !== false) && (rowTypes === undefined || rowTypes.includes(Number(row.RowType)));
  return AREAS.filter(isShown)
    .map((area) => ({ ...area, lines: area.lines.filter(isShown) }))
    .filter(({ lines }) => lines.length > 0);
}

function barOf(row: Row, line: Line, thresholds: Thresholds, colors: readonly Row[]): Bar {
  const read = (name: string | undefined): number | null => (name === undefined ? null : numberOf(row[name]));
  const sum = (at: 0 | 1): number | null => sumOf((line.sums?.[at] ?? []).map(read));
  const [value, of] = line.sums ? [sum(0), sum(1)] : [read(line.value), read(line.of)];
  const percent = line.percent === undefined ? partOf(value, of) : read(line.percent);
  const level = line.level ?? (line.kind === 'gauge' ? levelOf(percent, thresholds) : 'none');
  return {
    label: line.label,
    members: membersOf(line),
    kind: line.kind,
    value,
    of,
    percent,
    level,
    color: colorOf(colors, read(line.color), level),
  };
}

/** Null where all are. */
const sumOf = (numbers: readonly (number | null)[]): number | null =>
  numbers.every((one) => one === null) ? null : numbers.reduce<number>((sum, one) => sum + (one ?? 0), 0);

/** The percentage; null if the part exceeds the whole, or the whole is 0. */
const partOf = (value: number | null, of: number | null): number | null =>
  value === null || of === null || of <= 0 || value > of ? null : Math.round((value / of) * 1000) / 10;

const RANKS: readonly Level[] = ['none', 'below', 'minimum', 'meets', 'exceeds'];

/** The color that the record names, or the site's color of that rank; the last color for higher levels (D31). */
function colorOf(colors: readonly Row[], id: number | null, level: Level): string | null {
  if (level === 'none') return null;
  const ranked = [...colors].sort((a, b) => Number(a.Rank) - Number(b.Rank));
  const named = id === null ? undefined : ranked.find((color) => color.ID === id);
  const color = named ?? ranked[Math.min(RANKS.indexOf(level), ranked.length) - 1];
  const code = /^#?([0-9a-f]{6})$/i.exec(String(color?.Code))?.[1];
  return code === undefined ? null : `#${code.toLowerCase()}`;
}

const textOf = (value: Row[string] | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

/** A number, also from text; null for anything else. */
export function numberOf(value: Value | undefined): number | null {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

export const NO_DATA = 'no data';

/** `60.0 %`, a bare count, or `no data`. */
export function figureOf({ kind, value, percent }: Bar): string {
  if (kind === 'count') return value === null ? NO_DATA : grouped(value);
  if (percent !== null) return `${grouped(percent, 1)} %`;
  return value !== null && value > 0 ? grouped(value) : NO_DATA;
}

/** `12 of 20`; blank if the figure says it all. */
export const amountOf = ({ kind, value, of, percent }: Bar): string =>
  kind === 'count' || value === null || of === null || percent === null ? '' : `${grouped(value)} of ${grouped(of)}`;

/** The level that a gauge has reached; blank for other kinds. */
export const levelWord = ({ kind, level }: Bar): string => (kind !== 'gauge' || level === 'none' ? '' : level);

/** The whole line for screen readers: `Departments: 12 of 20, 60.0 %, minimum`. */
export const barDescription = (bar: Bar, label = bar.label): string =>
  `${label}: ${[amountOf(bar), figureOf(bar), levelWord(bar)].filter((part) => part !== '').join(', ')}`;

/** `2026-01-01 – 2026-03-31`; blank without a period. */
export const spanOf = ({ from, to }: Picture): string =>
  from === null && to === null ? '' : `${from ?? '…'} – ${to ?? '…'}`;

/** `minimum 60, meets 80, exceeds 100 %`; blank without thresholds. */
export const thresholdWords = ({ thresholds }: Picture): string =>
  thresholds.length === 0 ? '' : `${thresholds.map(({ level, at }) => `${level} ${grouped(at)}`).join(', ')} %`;

export const isBlank = ({ bars }: Section): boolean => bars.every((bar) => figureOf(bar) === NO_DATA);

const grouped = (value: number, decimals = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: Math.max(decimals, 1) });
