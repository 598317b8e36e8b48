// Days as Excel counts them, from 1900 on.

const DAY = 86_400_000;
const EPOCH_DAYS = 25_569;
/** The day behind 9999-12-31. */
const NO_DAY = 2_958_466;
const LEAP_DAY = 60;

/**
 * `2024-05-31`, or `2024-05-31T09:30:00` where it has a time; without a zone, since Excel has none. Undefined if it is none, as
 * the day 0, which Excel shows as 1900-01-00.
 * Excel counts a 29 February 1900, which did not exist, and which a date refuses.
 */
export function dateText(days: number): string | undefined {
  if (days < 1 || days >= NO_DAY) return undefined;
  const isBefore = days < LEAP_DAY + 1;
  // A time is a fraction of a day, which can be some milliseconds off: rounded to the second.
  const seconds = Math.round((days - EPOCH_DAYS + (isBefore && days < LEAP_DAY ? 1 : 0)) * (DAY / 1000));
  const [day = '', time = ''] = new Date(seconds * 1000).toISOString().slice(0, 19).split('T');
  const written = isBefore && days >= LEAP_DAY ? '1900-02-29' : day;
  return time === '00:00:00' ? written : `${written}T${time}`;
}

/** The number of a day and a time; undefined for no day, and for those before March 1900, which programs count in two ways. */
export function dayNumber(day: string, time = ''): number | undefined {
  const moment = Date.parse(`${day}T${time || '00:00:00'}Z`);
  const days = Number((moment / DAY + EPOCH_DAYS).toPrecision(15));
  return days > LEAP_DAY && new Date(moment).toISOString().startsWith(day) ? days : undefined;
}
