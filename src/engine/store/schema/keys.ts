// The key by which the store compares dates in any notation.
const DATE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/;
const DIGITS = 7;
const FIRST = '0000-01-01T00:00:00.0000000';
const LAST = '9999-12-31T23:59:59.9999999';

/**
 * The instant of a date as a sortable UTC text of fixed width. A day is its first instant in UTC. Throws for a text that
 * is no date: only checked values are stored.
 */
export function instantKey(date: string): string {
  const parts = DATE_TIME.exec(date.length === 10 ? `${date}T00:00:00Z` : date);
  if (!parts) throw new Error(`"${date}" is no date that the store can compare`);
  const [, local = '', fraction = '', offset = 'Z'] = parts;
  const isUtc = offset === 'Z' || offset === '+00:00';
  return withFraction(isUtc ? local : inUtc(local, offset), fraction);
}

const withFraction = (seconds: string, fraction: string): string =>
  seconds.length > 19 ? seconds : `${seconds}.${fraction.padEnd(DIGITS, '0').slice(0, DIGITS)}`;

/** An offset can move the first and last instants out of the years 0000 to 9999; they are cut off there. */
function inUtc(local: string, offset: string): string {
  const text = new Date(local + offset).toISOString();
  if (text.startsWith('-')) return FIRST;
  return text.startsWith('+') ? LAST : text.slice(0, 19);
}
