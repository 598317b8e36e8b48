// Days in the zone of `tz`, and a period of a site: one by its ID, or the current one (D28).
import type { Value } from '../../contract/resource.ts';
import { type Context, findIn } from '../context.ts';
import type { Query } from '../store/port.ts';
import { endOfDay } from './computed.ts';
import { noSuch } from './read-record.ts';

export interface Span {
  /** The ID of the period; undefined for a calendar quarter of a site without periods. */
  readonly id: number | undefined;
  /** The first and the last day, as the period writes them. */
  readonly first: string;
  readonly last: string;
  /** The first and the last moment. */
  readonly from: string;
  readonly to: string;
}

/** The period of this ID, by default the current one. Throws `not_found`. */
export async function periodOf(context: Context, id: Value | undefined): Promise<Span> {
  if (id === undefined || id === null) return currentPeriod(context);
  const period = await context.store.get('period', context.site, String(id));
  if (!period) throw noSuch('period', String(id));
  return spanOf(Number(period.ID), String(period.StartDate), String(period.EndDate));
}

/** The period that contains today, else the last one that began, else the calendar quarter. */
async function currentPeriod(context: Context): Promise<Span> {
  const periods = await findIn(context, 'period', { ordered: true });
  const now = Date.parse(context.now);
  const begun = periods.filter((period) => Date.parse(String(period.StartDate)) <= now);
  const current = begun.findLast((period) => now <= Date.parse(endOfDay(String(period.EndDate)))) ?? begun.at(-1);
  if (!current) return quarterOf(new Date(now));
  return spanOf(Number(current.ID), String(current.StartDate), String(current.EndDate));
}

const spanOf = (id: number | undefined, first: string, last: string): Span => ({
  id,
  first,
  last,
  from: first,
  to: endOfDay(last),
});

function quarterOf(day: Date): Span {
  const month = Math.floor(day.getUTCMonth() / 3) * 3;
  const dayOf = (date: number): string => `${new Date(date).toISOString().slice(0, 10)}T00:00:00+00:00`;
  const year = day.getUTCFullYear();
  return spanOf(undefined, dayOf(Date.UTC(year, month, 1)), dayOf(Date.UTC(year, month + 3, 0)));
}

/** The day of the call, as yyyy-mm-dd. */
export const today = ({ now, zone }: Pick<Context, 'now' | 'zone'>): string =>
  (zone ? zone.shift(now) : now).slice(0, 10);

const EARLIEST = '0001-01-01';
const LATEST = '9999-12-31';

/**
 * A date field between two days (a date with an offset keeps that): from the first moment of the one to the last moment
 * of the other. Either may be missing.
 */
export const daysBetween = (
  context: Pick<Context, 'zone'>,
  field: string,
  first: Value | undefined,
  last: Value | undefined,
): NonNullable<Query['between']> => ({
  field,
  from: at(context, String(first || EARLIEST), '00:00:00'),
  to: at(context, String(last || LATEST), '23:59:59', '.9999999'),
});

function at({ zone }: Pick<Context, 'zone'>, day: string, time: string, fraction = ''): string {
  const local = `${day.slice(0, 10)}T${time}`;
  const offset = /(Z|[+-]\d{2}:\d{2})$/i.exec(day.slice(10))?.[0];
  return local + fraction + (offset ?? zone?.offsetOf(local) ?? '+00:00');
}
