// Drift: has a record changed since it was planned?
import type { Field, Kind } from '../../contract/field.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { isRefusal, RULES } from '../../contract/kinds.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { etagOf, isShownAlike } from '../../contract/same-values.ts';

const LENGTH = 32;

/** The first 128 bits of the ETag, in hexadecimal digits; a row of a plan keeps them as `seen`. */
export const fingerprintOf = (resource: Resource, record: Row): string =>
  Buffer.from(etagOf(resource, record), 'base64url').toString('hex').slice(0, LENGTH);

/**
 * Has the record changed since it was planned? With `seen` every writable member counts; with `was` alone only those
 * members: an undo ignores what others changed in the rest of the record.
 */
export function hasDrifted(resource: Resource, row: PlannedRow, now: Row | undefined): boolean {
  // A service does not show deleted records (D5).
  if (!now && row.was?.Deleted === true) return false;
  if (row.seen !== undefined) return !now || fingerprintOf(resource, now) !== row.seen;
  if (row.was === undefined) return false;
  return !now || Object.entries(row.was).some(([name, value]) => !isSame(resource, name, value, now[name]));
}

/** Is the record already as the row wants it? Not for new records, and not where a secret would be set. */
export function isAsWanted(resource: Resource, { verb }: Operation, row: PlannedRow, now: Row | undefined): boolean {
  if (verb === 'delete') return !now || now.Deleted === true;
  if (verb === 'undelete') return now !== undefined && now.Deleted !== true;
  // A secret cannot be read back.
  if (!now || !row.patch || row.secret) return false;
  return Object.entries(row.patch).every(([name, value]) => isSame(resource, name, value, now[name]));
}

/** Do two values of a member mean the same? A missing value is null; a missing boolean is false. */
export const isSame = ({ fields }: Resource, name: string, one: unknown, other: unknown): boolean =>
  compared(fields[name], one, other, ({ kind }, a, b) => RULES[kind].same(a, b));

/** As `isSame`, but a date that is shown as it was written has another value with another offset (D13). */
export const isUnaltered = ({ fields }: Resource, name: string, one: unknown, other: unknown): boolean =>
  compared(fields[name], one, other, isShownAlike);

function compared(
  field: Field | undefined,
  one: unknown,
  other: unknown,
  areSame: (field: Field, one: Value, other: Value) => boolean,
): boolean {
  if (!field) return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
  return areSame(field, plain(field.kind, one), plain(field.kind, other));
}

/** The canonical spelling, where there is one; an empty text is null (D13). */
function plain(kind: Kind, value: unknown): Value {
  if (value === undefined || value === null || value === '') return kind === 'boolean' ? false : null;
  const checked = RULES[kind].check(value);
  // The contract lets bodies hold the values of a record alone.
  return isRefusal(checked) ? (value as Value) : checked;
}
