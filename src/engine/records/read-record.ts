// Reads the record of an address, or throws why it is not there (D5).
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { RecordNamed } from '../../contract/next.ts';
import { isGone, type Resource, singular } from '../../contract/resource.ts';
import { type AnyRecord, type Context, findIn } from '../context.ts';
import { mayRead } from '../rights/check.ts';
import { allAbove, ownersOf } from '../rights/walk.ts';
import type { Deleted, Stored } from '../store/port.ts';
import type { Target } from '../target.ts';
import { nameOf } from './record-names.ts';

type RecordTarget = Pick<Target, 'resource' | 'id' | 'owners'>;

/** The record of a single address; deleted ones only where `deleted` allows. Throws `not_found` or `deleted`. */
export async function recordOf(context: Context, target: RecordTarget, deleted: Deleted = 0): Promise<Stored> {
  const { resource, id } = target;
  const row =
    id === undefined ? await recordOfOwners(context, target) : await context.store.get(resource.name, context.site, id);
  if (!row || !isOwnedBy(row, target.owners) || !(await mayRead(context, resource, row)))
    throw missing(resource, id ?? Object.values(target.owners).join(' and '));
  if (deleted === 0 && isGone(row)) throw await gone(context, resource, row);
  return row;
}

function isOwnedBy(row: Stored, owners: Target['owners']): boolean {
  for (const field in owners) if (row[field] !== owners[field]) return false;
  return true;
}

/** The record that its two owners name: a membership, an entry of a dialog. */
export async function recordOfOwners(context: Context, target: RecordTarget): Promise<Stored | undefined> {
  const [row] = await findIn(context, target.resource.name, { equals: target.owners, deleted: 2, limit: 1 });
  return row;
}

/** An owner in an address. Throws `not_found`, also where the caller may not read it, and `deleted` unless `deleted` allows it. */
export const readable = (context: Context, { resource, id }: RecordNamed, deleted: Deleted): Promise<Stored> =>
  recordOf(context, { resource: resourceNamed(resource), id, owners: {} }, deleted);

export const missing = (resource: Resource, id: string): ServiceError => noSuch(singular(resource), id, resource.name);

/** `what` is the kind of record in words; the list of `resource` shows it. */
export const noSuch = (what: string, id: string, resource = what): ServiceError =>
  new ServiceError('not_found', `there is no ${what} ${id} in this site`, { next: { do: 'list', resource } });

async function gone(context: Context, resource: Resource, row: Stored): Promise<ServiceError> {
  const isDeleted = row.Deleted === true && resource.operations.undelete !== undefined;
  const first = isDeleted ? { resource: resource.name, row } : await deletedAbove(context, resource, row);
  const owner = first
    ? `the ${singular(resourceNamed(first.resource))} ${nameOf(first.row)}`
    : 'something it belongs to';
  const why = isDeleted ? 'is deleted' : `is hidden, because ${owner} is deleted`;
  return new ServiceError('deleted', `the ${singular(resource)} ${nameOf(row)} ${why}`, {
    ...(isDeleted ? {} : { hint: 'Undelete what it belongs to; it comes back with it.' }),
    ...(first && { next: { do: 'undelete', resource: first.resource, id: String(first.row.ID) } }),
  });
}

/** The deleted record that a hidden one belongs to, or what that belongs to; undefined if the caller may not read it. */
async function deletedAbove(context: Context, resource: Resource, row: Stored): Promise<AnyRecord | undefined> {
  const above = allAbove(await ownersOf(context, resource, row)).find((owner) => owner.row.Deleted === true);
  return above && (await mayRead(context, resourceNamed(above.resource), above.row)) ? above : undefined;
}
