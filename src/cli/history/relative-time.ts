// Times that are counted from the present one: so many hours, days, weeks, months or years before or after it.

const HOUR = 3_600_000;
const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24 };
const MONTHS: Readonly<Record<string, number>> = { m: 1, y: 12 };
/** The latest time that a date can hold. */
const FARTHEST = 9999 * 366 * 24 * HOUR;

/** The moment in UTC, as ISO 8601, of -30d, +2w, -12h, -6m or -1y; undefined if the text is no such time. */
export function relativeTime(text: string, now: Date): string | undefined {
  const [, count, unit = ''] = /^([+-]?\d{1,9})([hdwmy])$/i.exec(text) ?? [];
  if (count === undefined) return undefined;
  const hours = HOURS[unit.toLowerCase()];
  const months = MONTHS[unit.toLowerCase()] ?? 0;
  const time =
    hours === undefined ? inMonths(now, Number(count) * months) : now.getTime() + Number(count) * hours * HOUR;
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
