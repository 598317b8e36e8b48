// What a plan saw of a record, in short: so that a run knows whether the record still says so.
import { etagOf } from '../../contract/etag.ts';
import type { Kind } from '../../contract/field.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { isRefusal, RULES } from '../../contract/kinds.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';

const LENGTH = 32;

/** A hash of the writable members, `Deleted` and `DeletedByRef`; what is computed, and who changed it when, does not count. */
export const seenOf = (resource: Resource, record: Row): string =>
  Buffer.from(etagOf(resource, record), 'base64url').toString('hex').slice(0, LENGTH);

/**
 * Is the record another one than the plan saw? With `seen` all that it saw counts; with `was` alone those members, since
 * whoever takes a change back does not mind what others changed beside it.
 */
export function hasDrifted(resource: Resource, row: PlannedRow, now: Row | undefined): boolean {
  if (row.seen !== undefined) return !now || seenOf(resource, now) !== row.seen;
  if (row.was === undefined) return false;
  // A service does not show what is deleted (D5): that it shows nothing is what was to be seen.
  if (!now && row.was.Deleted === true) return false;
  return !now || Object.entries(row.was).some(([name, value]) => !isSame(resource, name, value, now[name]));
}

/** Do two values of a member mean the same? What is not there is null; a mark that is not there is not set. */
export function isSame({ fields }: Resource, name: string, one: unknown, other: unknown): boolean {
  const field = fields[name];
  if (!field) return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
  return RULES[field.kind].same(plain(field.kind, one), plain(field.kind, other));
}

/** In the canonical spelling, as far as it has one; an empty text says as little as none (D13). */
function plain(kind: Kind, value: unknown): Value {
  if (value === undefined || value === null || value === '') return kind === 'boolean' ? false : null;
  const checked = RULES[kind].check(value);
  // Bodies hold what the contract lets them hold: the values of a record.
  return isRefusal(checked) ? (value as Value) : checked;
}
