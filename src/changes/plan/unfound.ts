// What is said where a record is needed and not found.
import type { Found } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { listAddresses } from '../../contract/record-address.ts';
import { type Resource, singular } from '../../contract/resource.ts';

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
