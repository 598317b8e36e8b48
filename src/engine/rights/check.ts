// What the verbs ask of rights: whether a record is there for the caller, and what is refused with which words (D19).
import { ServiceError } from '../../contract/errors.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Next } from '../../contract/next.ts';
import { type Action, type Resource, type Row, singular } from '../../contract/resource.ts';
import { type Context, isGone } from '../context.ts';
import { nameOf } from '../records/record-names.ts';
import type { Query, Stored, Viewer } from '../store/port.ts';
import { globalAdminOnly, isAdministrator, isOutOfReach } from './labels.ts';
import { may, mayEach, sightOf } from './permissions.ts';
import { nearestOwner, type Place } from './walk.ts';

/** What a caller may not read is not there for them. */
export const mayRead = (context: Context, resource: Resource, row: Row): Promise<boolean> =>
  may(context, 'read', resource, row);

/** May the caller read records of this resource below that one? All of them have one answer where none has rows of its own. */
export const mayReadBelow = (context: Context, resource: ResourceName, owner: Place): Promise<boolean> =>
  may(context, 'read', resourceNamed(resource), {}, owner);

/** Throws `forbidden` for what the caller may read and not do, `global_admin_only` for a deletion out of their reach. */
export async function checkRight(
  context: Context,
  action: Exclude<Action, 'create'>,
  resource: Resource,
  row: Row,
): Promise<void> {
  if (await may(context, action, resource, row)) return;
  if (action === 'delete' && isOutOfReach(context, row)) throw globalAdminOnly(`deleting or undeleting ${nameOf(row)}`);
  throw forbidden(context, action, `the ${singular(resource)} ${nameOf(row)}`, placeOf(resource, row));
}

/**
 * Throws `forbidden` where the caller may not make this record below its owner, or move it there. An owner that is
 * not there for the caller is left to the check of references, which says so.
 */
export async function checkNew(context: Context, resource: Resource, values: Row): Promise<void> {
  const owner = await nearestOwner(context, resource, values);
  if (!owner || isGone(owner.row)) return;
  const kind = resourceNamed(owner.resource);
  if (!(await mayRead(context, kind, owner.row)) || (await may(context, 'create', resource, values))) return;
  const at = `${singular(kind)} ${nameOf(owner.row)}`;
  if (resource.rights.unset === 'delegated')
    throw forbidden(context, 'delegate', `the ${at}`, placeOf(kind, owner.row));
  const what = { resource: resource.name, within: placeOf(kind, owner.row) };
  throw forbidden(context, 'create', `a new ${singular(resource)} in the ${at}`, what);
}

const placeOf = (resource: Resource, row: Row) => ({ resource: resource.name, id: String(row.ID) });

const VERBS: Readonly<Record<Action, string>> = {
  create: 'make',
  read: 'read',
  update: 'change',
  delete: 'delete or undelete',
  delegate: 'give or see rights on',
};

/** What somebody may not do something with: a record, or a new one below its owner. */
type Asked = Omit<Extract<Next, { do: 'explain-rights' }>, 'do' | 'who' | 'action'>;

function forbidden({ caller }: Context, action: Action, object: string, what: Asked): ServiceError {
  return new ServiceError('forbidden', `${caller.userName} may not ${VERBS[action]} ${object} (${action})`, {
    next: { do: 'explain-rights', who: caller.userName, action, ...what },
  });
}

/** The records of a list that the caller may read, left out by the store itself. */
export function listed(context: Context, query: Query): AsyncIterable<Stored> {
  const viewer = { individual: context.caller.id, site: context.site };
  // Every generator that a row passes through costs it several turns.
  return isAdministrator(context) ? context.store.visible(query, viewer) : inSight(context, query, viewer);
}

async function* inSight(context: Context, query: Query, viewer: Viewer): AsyncIterable<Stored> {
  const sight = await sightOf(context, resourceNamed(query.resource));
  yield* context.store.visible(query, sight ? { ...viewer, sight } : viewer);
}

const ALL_RIGHTS: Row = { CanRead: true, CanUpdate: true, CanDelete: true, CanDelegate: true };

/** The members by which a record tells the caller's rights. */
export async function rightsOn(resource: Resource, row: Row, context: Context): Promise<Row> {
  if (isAdministrator(context) && !isOutOfReach(context, row)) return ALL_RIGHTS;
  const [CanRead = false, CanUpdate = false, CanDelete = false, CanDelegate = false] = await mayEach(
    context,
    ['read', 'update', 'delete', 'delegate'],
    resource,
    row,
  );
  return { CanRead, CanUpdate, CanDelete, CanDelegate };
}
