// The ordinary verbs that read, for any resource.
import type { ListOptions } from '../../contract/call.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { checkRight, visibleRows } from '../rights/check.ts';
import type { Query } from '../store/port.ts';
import type { Target } from '../target.ts';
import { answer, answeredInPages } from './answer.ts';
import { readable, recordOf } from './read-record.ts';

/** D4, D16. A list below a deleted owner needs `deleted` 1 or 2 (D5). */
export async function* list(context: Context, target: Target, want: ListOptions = {}): AsyncGenerator<Row> {
  const deleted = (target.query.deleted ?? 0) as Query['deleted'];
  for (const owner of [...target.named, ...target.queryOwners]) await readable(context, owner, deleted);
  await checkDelegate(context, target);
  // Loaded on demand: only lists have further conditions.
  const { selectionOf } = await import('../specials/selections.ts');
  const { ignoresOwners, ...narrowed } = await selectionOf(context, target);
  const query = {
    resource: target.resource.name,
    deleted,
    ordered: true,
    ...narrowed,
    equals: { ...(ignoresOwners ? {} : target.owners), ...narrowed.equals },
    ...(want.limit === undefined ? {} : { limit: want.limit }),
  };
  const rows = visibleRows(context, query);
  if (context.store.isFar) return yield* answeredInPages(context, target.resource, rows);
  for await (const row of rows) yield await answer(context, target.resource, row, 'list');
}

/** Listing the permission rows of an object needs the right to delegate on it. */
async function checkDelegate(context: Context, { resource, named, site }: Target): Promise<void> {
  if (resource.rights.unset !== 'delegated') return;
  const { resource: kind, id } = named[0] ?? { resource: 'site', id: site };
  const row = await context.lookup(kind as ResourceName, id);
  if (row) await checkRight(context, 'delegate', resourceNamed(kind), row);
}

/** D5: a deleted record throws `deleted`. */
export async function get(context: Context, target: Target): Promise<Row> {
  return await answer(context, target.resource, await recordOf(context, target));
}
