// Finds the current record of a planned row, and makes the errors for records that are not found.
import type { Found, LookupMode, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { sameID } from '../../contract/kinds.ts';
import { listAddresses, listValuesIn, placeFromParams, placeIn } from '../../contract/record-address.ts';
import { type Resource, type Row, singular, type Value } from '../../contract/resource.ts';
import { defined, nonEmpty } from '../../text/defined.ts';
import { isFinalDeletion } from './change.ts';

/** The further updates of a row, as rows of its number. */
export const alsoOf = ({ number, also }: PlannedRow): readonly PlannedRow[] =>
  also?.map((one) => ({ number, ...one })) ?? NONE;

const NONE: readonly PlannedRow[] = [];

/** The current record. A row that moves it may have been done already, so it is looked up below its new owner, too. */
export async function locate(session: Session, row: PlannedRow, ask?: LookupMode): Promise<Found> {
  const resource = resourceNamed(row.resource);
  const { id } = row;
  const place = listedIn(resource, row);
  const found = await session.find.record(
    resource.name,
    defined({ id, place }),
    ask ?? (isFinalDeletion(row) ? 'deleted' : undefined),
  );
  const newPlace = nonEmpty(placeIn(resource, row.patch));
  if (found.row || found.state === 'deleted' || !newPlace) return found;
  const moved = await session.find.record(resource.name, defined({ id, place: { ...place, ...newPlace } }));
  // It may still stand below its old owner, which nothing names.
  return moved.row || !canMove(resource, newPlace) ? moved : found;
}

const canMove = ({ fields }: Resource, place: Row): boolean => Object.keys(place).some((name) => fields[name]?.moves);

/** The members by which a list shows the record. */
function listedIn(resource: Resource, { operation, by, params, body, place }: PlannedRow): Row {
  const planned = resource.operations[operation];
  const fromParams = planned && params ? placeFromParams(resource, planned, by, params) : undefined;
  return { ...placeIn(resource, body), ...place, ...fromParams };
}

/**
 * The records with the same owners as the row's new record, which is among them if it was made; undefined if no
 * list can show them.
 */
export function locateSiblings(
  session: Session,
  { resource: name, body = {} }: PlannedRow,
): Promise<readonly Row[] | undefined> {
  const members = Object.entries(listValuesIn(resourceNamed(name), body)).filter(([, value]) => value !== null);
  return session.find.byMembers(name, Object.fromEntries(members));
}

/** A record with the key of the row's new record, which was not there when the row was planned. */
export async function otherWithKey(
  session: Session,
  { resource, key, body, id }: PlannedRow,
): Promise<Row | undefined> {
  if (!key || key.includes('ID')) return undefined;
  // The contract lets bodies hold the values of a record alone.
  const values = Object.fromEntries(key.map((name) => [name, (body?.[name] ?? null) as Value]));
  const found = (await session.find.byMembers(resource, values)) ?? [];
  return found.find(({ ID, Deleted }) => Deleted !== true && !sameID(ID, id));
}

/** The error for a record that was not found: the service's own, where it gave one. `patch`: the members that were to change. */
export function notFoundError(
  resource: Resource,
  id: string | undefined,
  { state, refusal }: Found,
  patch: PlannedRow['patch'] = {},
): ServiceError {
  if (refusal) return refusal;
  if (state === 'unseen') return notListedError(resource, 0, id, patch);
  const { name, operations } = resource;
  const what = `${singular(resource)} ${id ?? ''}`;
  if (state !== 'deleted')
    return new ServiceError('not_found', `there is no ${what} there`, { next: { do: 'list', resource: name } });
  return new ServiceError('deleted', `the ${what} is deleted`, {
    ...(id === undefined ? {} : { next: { do: operations.undelete ? 'undelete' : 'get-deleted', resource: name, id } }),
  });
}

/**
 * The error where the service lists such records only below an owner, or not at all. `deleted` is the list's (D4). A flag of
 * an owner in `patch` says where the record goes, and not where it is.
 */
export function notListedError(
  resource: Resource,
  deleted: 0 | 1 | 2,
  id?: string,
  patch: PlannedRow['patch'] = {},
): ServiceError {
  const state = deleted === 1 ? 'deleted ' : '';
  const owners = listingOwners(resource, deleted, patch);
  if (owners.length === 0)
    return new ServiceError('usage', `the service lists no ${state}${resource.command}, so pm cannot look one up`, {
      ...(id === undefined ? { hint: 'Give the ID.' } : {}),
    });
  return new ServiceError('usage', `the service lists ${state}${resource.command} only for one owner: name the owner`, {
    next: { do: 'name-owner', owners, ...(id === undefined ? { orID: true } : {}) },
  });
}

/** The resources below whose records the service lists these, such as `individual`; the site and new owners are left out. */
export function listingOwners(
  resource: Resource,
  deleted: 0 | 1 | 2,
  patch: PlannedRow['patch'] = {},
): readonly string[] {
  const isNew = (member: string): boolean => member in patch && resource.fields[member]?.moves === true;
  const kinds = listAddresses(resource, deleted).flatMap(({ filled: [owner] }) =>
    owner?.kind === undefined || isNew(owner.member) ? [] : [owner.kind],
  );
  return [...new Set(kinds)].filter((kind) => kind !== 'site');
}
