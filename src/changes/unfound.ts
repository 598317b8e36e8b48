// What is said where a record is needed and not found.
import type { Found } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { resourceNamed } from '../contract/index.ts';
import { listAddresses } from '../contract/record-address.ts';
import { type Resource, singular } from '../contract/resource.ts';

/** Why a record cannot be had: in the service's own words where it said something. */
export function unfound(resource: Resource, id: string | undefined, { state, refusal }: Found): ServiceError {
  if (state === 'unseen') return unlisted(resource, 0, id);
  if (refusal) return refusal;
  const what = `${singular(resource)} ${id ?? ''}`;
  if (state !== 'deleted')
    return new ServiceError('not_found', `there is no ${what} to be found there`, {
      hint: `pm ${resource.command} list --help shows how to look for it.`,
    });
  const { command, operations } = resource;
  return new ServiceError('deleted', `the ${what} is deleted`, {
    hint: operations.undelete ? `pm ${command} undelete ${id ?? ''}` : `pm ${command} get ${id ?? ''} --deleted 2`,
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
    hint: `Say so with ${owners.map((owner) => `--${owner} <ref>`).join(' or ')}${id === undefined ? ', or give the ID' : ''}.`,
  });
}

/** What the owners are called by which a list shows it. */
export function ownersShowing(resource: Resource, deleted: 0 | 1 | 2): readonly string[] {
  const kinds = listAddresses(resource, deleted).flatMap(({ filled }) => filled[0]?.kind ?? []);
  return [...new Set(kinds)].filter((kind) => kind !== 'site').map((kind) => resourceNamed(kind).aliases[0] ?? kind);
}
