// The days of a sample, counted back from today; samples are made on working days, at working hours.
import { oncePer } from '../../text/once-per.ts';
import type { Random } from './random.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

/** The age of a sample, in days. */
export const BEGINNING = 730;

/** That many days before today, as `yyyy-mm-dd`; a negative number is a day to come. */
export const dayText = (today: Date, ago: number): string =>
  new Date(today.getTime() - ago * DAY).toISOString().slice(0, 10);

/** The same day as a date-time; a working day. */
export const dayStart = (today: Date, ago: number): string => `${workday(today, ago)}T00:00:00+00:00`;

/** A moment of a dialog on that day, at a whole hour. */
export const hourOf = (today: Date, ago: number, hour: number): string =>
  `${workday(today, ago)}T${String(hour).padStart(2, '0')}:00:00+00:00`;

/** A moment in the working hours of that day. */
export const moment = (today: Date, ago: number, random: Random): number =>
  Date.parse(`${workday(today, ago)}T08:00:00Z`) + random.between(0, 8 * 60) * MINUTE;

/** The Friday before a weekend. */
function workday(today: Date, ago: number): string {
  const weekday = new Date(today.getTime() - ago * DAY).getUTCDay();
  return dayText(today, ago + (weekday === 6 ? 1 : weekday === 0 ? 2 : 0));
}

export interface Quarter {
  /** First and last day, as `yyyy-mm-dd`. */
  readonly first: string;
  readonly last: string;
}

/** The quarters of last year, this year and next year. */
export const quartersAround = oncePer((today: Date): readonly Quarter[] => {
  const year = today.getUTCFullYear();
  return [year - 1, year, year + 1].flatMap((one) =>
    [0, 3, 6, 9].map((month) => ({ first: isoDay(one, month, 1), last: isoDay(one, month + 3, 0) })),
  );
});

const isoDay = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

/** How many days before today that day is. */
export const daysAgo = (today: Date, day: string): number =>
  Math.round((Date.parse(dayText(today, 0)) - Date.parse(day)) / DAY);
