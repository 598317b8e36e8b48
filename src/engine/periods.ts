// The current period of a site (D28).
import { endOfDay } from './computed.ts';
import type { Context } from './context.ts';

/** The period that contains today, else the one begun last, else the bounds of the calendar quarter. */
export async function currentPeriod(context: Context): Promise<{ id: number } | { from: string; to: string }> {
  const periods = await context.store.find({
    resource: 'period',
    site: context.site,
    deleted: 0,
    ordered: true,
  });
  const now = Date.parse(context.now);
  const begun = periods.filter((period) => Date.parse(String(period.StartDate)) <= now);
  const current = begun.findLast((period) => now <= Date.parse(endOfDay(String(period.EndDate)))) ?? begun.at(-1);
  return current ? { id: Number(current.ID) } : quarterOf(new Date(now));
}

function quarterOf(day: Date): { from: string; to: string } {
  const first = Math.floor(day.getUTCMonth() / 3) * 3;
  const from = new Date(Date.UTC(day.getUTCFullYear(), first, 1));
  const to = new Date(Date.UTC(day.getUTCFullYear(), first + 3, 1) - 1);
  return { from: from.toISOString(), to: to.toISOString() };
}
