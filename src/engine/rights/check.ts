// Checks rights for the verbs: filters the records that the caller may read, and refuses all that it may not do (D19).
import { ServiceError } from '../../contract/errors.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Next } from '../../contract/next.ts';
import { type Action, isGone, type Resource, type Row, singular, type Value } from '../../contract/resource.ts';
import { STATES } from '../../contract/resources/permissions.ts';
import { CHILD_TYPES } from '../../contract/rights.ts';
import type { AnyRecord, Context } from '../context.ts';
import { type FoundRecord, findByID, individualByUserID, nameOf } from '../records/record-names.ts';
import type { Query, Stored } from '../store/port.ts';
import { globalAdminOnly, isAdministrator, isOutOfReach } from './labels.ts';
import { may, mayEach, readFilterOf } from './permissions.ts';
import { ownersNamed } from './walk.ts';

/** A record that the caller may not read counts as missing. */
export const mayRead = (context: Context, resource: Resource, row: Row): Promise<boolean> =>
  may(context, 'read', resource, row);

/** Whether the caller may read records of this resource below that one; for resources without permission rows of their own. */
export const mayReadBelow = (context: Context, resource: ResourceName, owner: AnyRecord): Promise<boolean> =>
  may(context, 'read', resourceNamed(resource), {}, owner);

/** Throws `forbidden`, and `global_admin_only` for deleting a global administrator. */
export async function checkRight(
  context: Context,
  action: Exclude<Action, 'create'>,
  resource: Resource,
  row: Row,
): Promise<void> {
  if (await may(context, action, resource, row)) return;
  if (action === 'delete' && isOutOfReach(context, row)) throw globalAdminOnly(`deleting or undeleting ${nameOf(row)}`);
  throw forbidden(context, action, `the ${singular(resource)} ${nameOf(row)}`, objectOf(resource, row));
}

/**
 * Throws `forbidden` where the caller may not create this record below each of its owners, or move it there. A membership needs
 * the right to change its individual instead, and who works on a project is the business of the project. An owner that is missing for the caller is left to the check of references.
 */
export async function checkNew(context: Context, resource: Resource, values: Row): Promise<void> {
  for (const owner of await ownersNamed(context, resource, values))
    if (owner) await checkNewIn(context, resource, values, owner);
}

async function checkNewIn(context: Context, resource: Resource, values: Row, owner: AnyRecord): Promise<void> {
  const kind = resourceNamed(owner.resource);
  if (isGone(owner.row) || !(await mayRead(context, kind, owner.row))) return;
  if (owner.resource === 'individual' && resource.name === 'organizationMember')
    return checkRight(context, 'update', kind, owner.row);
  if (owner.resource === 'individual' && resource.name === 'teamMember') return;
  if (await may(context, 'create', resource, values, owner)) return;
  const at = `${singular(kind)} ${nameOf(owner.row)}`;
  if (resource.rights.unset === 'delegated')
    throw forbidden(context, 'delegate', `the ${at}`, objectOf(kind, owner.row));
  const what = { resource: resource.name, within: objectOf(kind, owner.row) };
  throw forbidden(context, 'create', `a new ${singular(resource)} in the ${at}`, what);
}

const objectOf = (resource: Resource, row: Row) => ({ resource: resource.name, id: String(row.ID) });

const VERBS: Readonly<Record<Action, string>> = {
  create: 'make',
  read: 'read',
  update: 'change',
  delete: 'delete or undelete',
  delegate: 'give or see rights on',
};

/** The object of a refused action: a record, or a new one below its owner. */
type RightsQuestion = Omit<Extract<Next, { do: 'explain-rights' }>, 'do' | 'who' | 'action'>;

function forbidden({ caller }: Context, action: Action, object: string, what: RightsQuestion): ServiceError {
  return new ServiceError('forbidden', `${caller.userName} may not ${VERBS[action]} ${object} (${action})`, {
    next: { do: 'explain-rights', who: caller.userName, action, ...what },
  });
}

/** The records of a list that the caller may read (D2, D19); global administrators list the sites of all. */
export function visibleRows(context: Context, query: Omit<Query, 'site'>): AsyncIterable<Stored> {
  const { caller, store } = context;
  const site = query.resource === 'site' && caller.isGlobalAdmin ? undefined : context.site;
  const asked = { ...query, site, reader: caller.id };
  // Administrators read without the second generator, which costs several turns per row.
  return isAdministrator(context) ? store.iterate(asked) : filteredRows(context, asked);
}

/** The same of the own site alone. */
export async function* visibleHere(context: Context, resource: string, deleted: 0 | 2): AsyncIterable<Stored> {
  if (resource !== 'site') return yield* visibleRows(context, { resource, deleted });
  const site = await context.lookup('site', context.site);
  if (site) yield site;
}

async function* filteredRows(context: Context, query: Query): AsyncIterable<Stored> {
  const readFilter = await readFilterOf(context, resourceNamed(query.resource));
  const rows = context.store.iterate(readFilter ? { ...query, readFilter } : query);
  if (query.resource !== 'organizationMember') return yield* rows;
  // A membership is hidden with its individual, too, and individuals have rights of their own.
  const resource = resourceNamed(query.resource);
  for await (const row of rows) if (await mayRead(context, resource, row)) yield row;
}

const ALL_RIGHTS: Row = { CanRead: true, CanUpdate: true, CanDelete: true, CanDelegate: true };

/** The members with the caller's rights on a record. */
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

const ACTIONS = ['Create', 'Read', 'Update', 'Delete', 'Delegate'] as const;

/** The members that `readPermission` computes. */
export const PERMISSION_FIELDS: readonly string[] = [
  ...['RowType', 'PrincipalName', 'PrincipalType', 'RowName'],
  ...ACTIONS.map((action) => `${action}Text`),
];

export async function readPermission(row: Stored, context: Context): Promise<Row> {
  const object = await findByID(context, row.RowID ?? null);
  const group = await context.lookup('securityGroup', row.PrincipalID);
  const user = group ? undefined : await individualByUserID(context, row.PrincipalID ?? null);
  const words = ACTIONS.map((action) => [
    `${action}Text`,
    STATES[row[`${action}State`] as keyof typeof STATES] ?? null,
  ]);
  return {
    RowType: object?.rowType ?? null,
    RowName: await readableName(context, object),
    PrincipalName: await principalName(context, group, user),
    PrincipalType: group ? 2 : 1,
    ...Object.fromEntries(words),
  };
}

/** The name of a record; null without one, and where the caller may not read it. */
export async function readableName(context: Context, found: Omit<FoundRecord, 'rowType'> | undefined): Promise<Value> {
  return found && (await mayRead(context, resourceNamed(found.resource), found.row)) ? found.name : null;
}

/** Whether this is one of the document's child types (D20). */
export const isChildType = (number: Value): boolean => typeof number === 'number' && number in CHILD_TYPES;

function principalName(context: Context, group: Stored | undefined, user: Stored | undefined): Promise<Value> {
  if (group) return readableName(context, { resource: 'securityGroup', row: group, name: group.Group ?? null });
  return readableName(context, user && { resource: 'individual', row: user, name: user.FullName ?? null });
}
