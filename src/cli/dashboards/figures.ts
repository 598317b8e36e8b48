// The figures of a dashboard as text, for the terminal and the page.
import type { Bar, Picture, Section } from './picture.ts';

export const NO_DATA = 'no data';

/** `60.0 %`, a bare count, or `no data`. */
export function figureOf({ kind, value, percent }: Bar): string {
  if (kind === 'count') return value === null ? NO_DATA : grouped(value);
  if (percent !== null) return percentText(percent);
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
export function thresholdWords({ thresholds }: Picture): string {
  const known = Object.entries(thresholds).filter(([, at]) => at !== null);
  return known.length === 0 ? '' : `${known.map(([name, at]) => `${name} ${grouped(Number(at))}`).join(', ')} %`;
}

/** Has no bar of the section any data? */
export const isBlank = ({ bars }: Section): boolean => bars.every((bar) => figureOf(bar) === NO_DATA);

/** One decimal, as the service gives them. */
const percentText = (percent: number): string => `${grouped(percent, 1)} %`;

const grouped = (value: number, decimals = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: Math.max(decimals, 1) });
