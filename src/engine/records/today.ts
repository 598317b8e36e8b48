// Days as people count them: where the clocks of `tz` stand, else in UTC.
import type { Context } from '../context.ts';

/** The day of the call, as yyyy-mm-dd. */
export const today = ({ now, zone }: Pick<Context, 'now' | 'zone'>): string =>
  (zone ? zone.shift(now) : now).slice(0, 10);

/** The first moment of a day (a date with an offset keeps that). */
export const startOfDay = (context: Pick<Context, 'zone'>, day: string): string => at(context, day, '00:00:00');

/** The last moment of a day. */
export const lastOfDay = (context: Pick<Context, 'zone'>, day: string): string =>
  at(context, day, '23:59:59', '.9999999');

function at({ zone }: Pick<Context, 'zone'>, day: string, time: string, fraction = ''): string {
  const local = `${day.slice(0, 10)}T${time}`;
  const offset = /(Z|[+-]\d{2}:\d{2})$/i.exec(day.slice(10))?.[0];
  return local + fraction + (offset ?? zone?.offsetOf(local) ?? '+00:00');
}
