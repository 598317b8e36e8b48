// A change that was made on what a record said: it is only made while the record still says so (D10).
import { ServiceError } from '../../contract/errors.ts';
import { type Resource, singular } from '../../contract/resource.ts';
import { type Change, lookupIn } from '../context.ts';
import type { Stored } from '../store/port.ts';
import { answer } from './answer.ts';
import { nameOf } from './record-names.ts';

/** Throws `drifted` where the record has another ETag than the caller read, or is not there. */
export async function checkMatch(
  change: Change,
  resource: Resource,
  row: Stored | undefined,
  match: string | undefined,
): Promise<void> {
  if (match === undefined || (row && (await etagNow(change, resource, row)) === match)) return;
  const what = `the ${singular(resource)}${row ? ` ${nameOf(row)}` : ''}`;
  throw new ServiceError('drifted', `${what} is no longer as it was read; nothing was changed`, {
    hint: 'Read it again, and make the change on what it says now.',
  });
}

/** Nothing that is looked up here is remembered for the change, which may bring it out of date. */
async function etagNow(change: Change, resource: Resource, row: Stored): Promise<string> {
  const { etagOf } = await import('../../contract/etag.ts');
  return etagOf(resource, await answer({ ...change, lookup: lookupIn(change.store, change.site) }, resource, row));
}
