// The summary of basic roles: every individual of the site with how many it has, none included.
import type { Row } from '../../contract/resource.ts';
import type { Context } from '../context.ts';

export async function summariseBasicRoles(context: Context): Promise<readonly Row[]> {
  const counts = await context.store.count('basicRole', context.site, 'IndividualID');
  const countOf = new Map(counts.map(({ owner, count }) => [owner, count]));
  const individuals = await context.store.find({
    resource: 'individual',
    site: context.site,
    deleted: 0,
    ordered: true,
  });
  return individuals.map((one) => ({
    IndividualID: one.ID ?? null,
    FullOrderedName: one.FullOrderedName ?? null,
    Count: countOf.get(String(one.ID)) ?? 0,
  }));
}
