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

const workday = (today: Date, ago: number): string => fridayBefore(dayText(today, ago));

/** The day itself, and for a day of a weekend the Friday before. */
export function fridayBefore(day: string): string {
  const weekday = new Date(day).getUTCDay();
  return weekday === 6 ? dayText(new Date(day), 1) : weekday === 0 ? dayText(new Date(day), 2) : day;
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

/** Moves a day, as `yyyy-mm-dd`, to another quarter; `isWhole`: today does not cut the present one. */
export type Shift = (day: string, isWhole?: boolean) => string;

/**
 * Moves days of a recording, which was made on the last day of a quarter, so that they lie to today as they lay to that day:
 * what was behind it in its quarter is behind today in this one, and the other quarters are those at the same distance, from
 * their first days to their last. The order of days stays.
 */
export function shiftFrom(recorded: string, today: Date): Shift {
  const [present, now] = [quarterOf(recorded), dayText(today, 0)];
  return (day, isWhole = false) => {
    const distance = quarterOf(day) - present;
    const [first, last] = ends(quarterOf(day));
    const [newFirst, newLast] = ends(quarterOf(now) + distance);
    const end = distance === 0 && !isWhole ? dayNumber(now) : newLast;
    const moved = Math.floor(((dayNumber(day) - first) * (end - newFirst)) / (last - first));
    return new Date((newFirst + moved) * DAY).toISOString().slice(0, 10);
  };
}

const dayNumber = (day: string): number => Date.parse(day) / DAY;

/** Quarters since the year 0. */
const quarterOf = (day: string): number => Number(day.slice(0, 4)) * 4 + Math.floor((Number(day.slice(5, 7)) - 1) / 3);

const ends = (quarter: number): readonly [first: number, last: number] => {
  const [year, month] = [Math.floor(quarter / 4), (quarter % 4) * 3];
  return [dayNumber(isoDay(year, month, 1)), dayNumber(isoDay(year, month + 3, 0))];
};
