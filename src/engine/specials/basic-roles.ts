// The summary of basic roles: every individual that the caller may read with how many it has, none included.
import type { Row } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { listed, mayReadBelow } from '../rights/check.ts';

export async function summariseBasicRoles(context: Context): Promise<readonly Row[]> {
  const counts = await context.store.count('basicRole', context.site, 'IndividualID');
  const countOf = new Map(counts.map(({ owner, count }) => [owner, count]));
  const rows: Row[] = [];
  for await (const one of listed(context, { resource: 'individual', site: context.site, deleted: 0, ordered: true })) {
    const isSeen = await mayReadBelow(context, 'basicRole', { resource: 'individual', row: one });
    rows.push({
      IndividualID: one.ID ?? null,
      FullOrderedName: one.FullOrderedName ?? null,
      Count: isSeen ? (countOf.get(String(one.ID)) ?? 0) : 0,
    });
  }
  return rows;
}
