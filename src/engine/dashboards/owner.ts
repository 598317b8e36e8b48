// Whose dashboard it is, and whether the caller may see it (D19).
import { contract, resourceNamed } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { noSuch, readable } from '../records/read-record.ts';
import { rowTypeOf } from '../records/row-types.ts';
import { checkRight, mayRead } from '../rights/check.ts';
import type { Stored } from '../store/port.ts';

/** The record whose dashboard this is. Throws `not_found`, `deleted`, or `forbidden` where its dashboard is not for the caller. */
export async function dashboardOwner(context: Context, id: string, resource?: string): Promise<Stored> {
  const found = resource === undefined ? await rowTypeOf(context, id) : undefined;
  const kind = resource ?? found?.resource;
  if (kind !== 'organization' && kind !== 'individual') throw noSuch('dashboard', id);
  // Whatever kind it is, what may not be read is not there, in the same words.
  if (found && !(await mayRead(context, resourceNamed(found.resource), found.row))) throw noSuch('dashboard', id);
  const owner = await readable(context, { resource: kind, id }, 0);
  // Whoever may read an organization may see its dashboard; an individual's is its own.
  if (kind === 'individual') {
    await checkRight(context, 'read', contract.dashboard, { ID: id, Name: owner.FullName ?? null });
  }
  return owner;
}
