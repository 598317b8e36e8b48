// Finds the record that a row of a plan is about, and says what is missing where it is not found.
import type { Found, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { listAddresses, listedIn, placeAt, placeIn } from '../../contract/record-address.ts';
import { type Resource, type Row, singular } from '../../contract/resource.ts';

/** The record as it stands. One that was moved is looked for with its new owner, too. */
export async function locate(session: Session, row: PlannedRow): Promise<Found> {
  const resource = resourceNamed(row.resource);
  const id = row.id === undefined ? {} : { id: row.id };
  const place = placeOf(resource, row);
  const found = await session.find.record(resource.name, { ...id, place });
  if (found.row || found.state === 'deleted') return found;
  const moved = placeIn(resource, row.patch);
  if (Object.keys(moved).length === 0) return found;
  return session.find.record(resource.name, { ...id, place: { ...place, ...moved } });
}

/** By what its list shows it. A job of an earlier pm keeps its owners among the values before. */
function placeOf(resource: Resource, { operation, by, params, was, body, place }: PlannedRow): Row {
  const known = resource.operations[operation];
  const said = known && params ? placeAt(resource, known, by, params) : undefined;
  return { ...placeIn(resource, was, body, place), ...said };
}

/**
 * The records beside which the new one of a row stands, or would stand; undefined where no list of the service can show
 * them.
 */
export function locateBeside(
  session: Session,
  { resource: name, body = {} }: PlannedRow,
): Promise<readonly Row[] | undefined> {
  const members = Object.entries(listedIn(resourceNamed(name), body)).filter(([, value]) => value !== null);
  return session.find.beside(name, Object.fromEntries(members));
}

/** Why a record cannot be had: in the service's own words where it said something. */
export function unfound(resource: Resource, id: string | undefined, { state, refusal }: Found): ServiceError {
  if (state === 'unseen') return unlisted(resource, 0, id);
  if (refusal) return refusal;
  const { name, operations } = resource;
  const what = `${singular(resource)} ${id ?? ''}`;
  if (state !== 'deleted')
    return new ServiceError('not_found', `there is no ${what} to be found there`, {
      next: { do: 'list', resource: name },
    });
  return new ServiceError('deleted', `the ${what} is deleted`, {
    ...(id === undefined ? {} : { next: { do: operations.undelete ? 'undelete' : 'get-deleted', resource: name, id } }),
  });
}

/** The service lists such records only of an owner that nobody named, or not at all. `deleted` as in D4. */
export function unlisted(resource: Resource, deleted: 0 | 1 | 2, id?: string): ServiceError {
  const state = deleted === 1 ? 'deleted ' : '';
  const owners = ownersShowing(resource, deleted);
  if (owners.length === 0)
    return new ServiceError('usage', `the service lists no ${state}${resource.command}, so none can be found there`, {
      ...(id === undefined ? { hint: 'Give the ID.' } : {}),
    });
  return new ServiceError('usage', `the service lists ${state}${resource.command} only of one owner: whose is it?`, {
    next: { do: 'name-owner', owners, ...(id === undefined ? { orID: true } : {}) },
  });
}

/** The resources of the owners by which a list shows it. */
export function ownersShowing(resource: Resource, deleted: 0 | 1 | 2): readonly string[] {
  const kinds = listAddresses(resource, deleted).flatMap(({ filled }) => filled[0]?.kind ?? []);
  return [...new Set(kinds)].filter((kind) => kind !== 'site');
}
