// Times that are counted from the present one: so many minutes, hours, days, weeks, months or years before or after it.
import { ServiceError } from '../../contract/errors.ts';
import type { Zone } from '../../contract/zone.ts';

const MINUTE = 60_000;
const MINUTES: Readonly<Record<string, number>> = { min: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 };
const MONTHS: Readonly<Record<string, number>> = { mo: 1, y: 12 };
/** The latest time that a date can hold. */
const FARTHEST = 9999 * 366 * 24 * 60 * MINUTE;

/**
 * The moment in UTC, as ISO 8601, of -30d, +2w, -12h, -10min, -6mo or -1y; undefined if the text is no such time. Throws `usage`
 * for -6m: who means months and gets minutes takes back too little, and the other way round far too much.
 */
export function relativeTime(text: string, now: Date): string | undefined {
  const [, count, written = ''] = /^([+-]?\d{1,9})(min|h|d|w|mo?|y)$/i.exec(text) ?? [];
  if (count === undefined) return undefined;
  const unit = written.toLowerCase();
  if (unit === 'm')
    throw new ServiceError('usage', `"${text}" may be minutes or months`, { hint: `Write ${count}min or ${count}mo.` });
  const minutes = MINUTES[unit];
  const months = MONTHS[unit] ?? 0;
  const time =
    minutes === undefined ? inMonths(now, Number(count) * months) : now.getTime() + Number(count) * minutes * MINUTE;
  return Math.abs(time) < FARTHEST ? new Date(time).toISOString() : undefined;
}

/** The same day of another month, or its last day where it is shorter. */
function inMonths(now: Date, months: number): number {
  const moved = new Date(now);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  return moved.setUTCDate(Math.min(now.getUTCDate(), last));
}

/** The day that `today` or `yesterday` is by the clock: 2026-11-28; undefined for another text. */
export function dayCalled(text: string, { now, zone }: { readonly now: Date; readonly zone?: Zone | undefined }) {
  const daysAgo = ['today', 'yesterday'].indexOf(text.toLowerCase());
  const today = zone?.shift(now.toISOString()) ?? now.toISOString();
  if (daysAgo < 0) return undefined;
  return new Date(Date.parse(today.slice(0, 10)) - daysAgo * 24 * 60 * MINUTE).toISOString().slice(0, 10);
}
