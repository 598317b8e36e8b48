// Conditional changes: a record with another ETag than the caller read is not changed (D10).
import { ServiceError } from '../../contract/errors.ts';
import { type Resource, singular } from '../../contract/resource.ts';
import { type Change, lookupIn } from '../context.ts';
import type { Stored } from '../store/port.ts';
import { answer } from './answer.ts';
import { nameOf } from './record-names.ts';

/** Throws `drifted` where `match` is another ETag than the record's, or there is no record. */
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

/** Uses lookups of its own: the change may outdate what is cached here. */
async function etagNow(change: Change, resource: Resource, row: Stored): Promise<string> {
  const { etagOf } = await import('../../contract/etag.ts');
  return etagOf(resource, await answer({ ...change, lookup: lookupIn(change.store, change.site) }, resource, row));
}
