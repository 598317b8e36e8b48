// The hours of a project with those of the projects below it.
import type { Value } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import type { Stored } from '../store/port.ts';

/** Null where nobody has said any. */
export async function sumHours(
  row: Stored,
  context: Context,
): Promise<{
  SumHoursActual: number | null;
  SumHoursProjected: number | null;
}> {
  const below = await context.store.find({
    resource: 'project',
    site: context.site,
    equals: { ParentID: row.ID ?? null },
    deleted: 0,
  });
  const sums = await Promise.all(below.map((project) => sumHours(project, context)));
  return {
    SumHoursActual: total([row.HoursActual, ...sums.map((sum) => sum.SumHoursActual)]),
    SumHoursProjected: total([row.HoursProjected, ...sums.map((sum) => sum.SumHoursProjected)]),
  };
}

function total(hours: readonly (Value | undefined)[]): number | null {
  const known = hours.filter((value) => typeof value === 'number');
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
