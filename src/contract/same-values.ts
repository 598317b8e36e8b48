// When two values of a field are the same: as people see them, or as the key by which a record is found; and when two records
// are, by their ETags (D10).
import { hash } from 'node:crypto';
import { oncePer } from '../text/once-per.ts';
import { textKey } from '../text/text-key.ts';
import { type Field, isMoment, isOfDays, isWritable } from './field.ts';
import { momentKey, RULES } from './kinds.ts';
import type { Resource, Row, Value } from './resource.ts';

const OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/i;
const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})(?:T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/i;
const UTC = /^(?:Z|[+-]00:00)$/i;

/** Are both shown alike? Of a date that is shown as it was written the offset counts, too (D13). */
export const isShownAlike = ({ kind, floating }: Field, one: Value, other: Value): boolean =>
  RULES[kind].same(one, other) && (!floating || offsetOf(one) === offsetOf(other));

/** The offset of a date; UTC is +00:00, however it is spelled. */
function offsetOf(date: Value): string | undefined {
  const offset = OFFSET.exec(String(date))?.[0];
  return offset !== undefined && UTC.test(offset) ? '+00:00' : offset;
}

/** Does the value of a record fit the one that it is looked for by? */
export const isFound = (field: Field | undefined, wanted: Value, value: Value): boolean =>
  foundKey(field, wanted) === foundKey(field, value);

/** The key by which a record is found: that of a text (D16), of a date as `dateKey` says, of any other moment the moment. */
export function foundKey(field: Field | undefined, value: Value): string {
  if (value === null) return NONE;
  if (typeof value !== 'string') return String(value);
  if (field && isOfDays(field)) return dateKey(field, value);
  if (isMoment(field)) return momentKey(value);
  return field?.kind === 'bytes' ? value : textKey(value);
}

/** No text holds it. */
const NONE = '\u0001';

/** Midnight of a date that is shown as it was written is its day, in every zone; any other date is a moment. */
export function dateKey(field: Field, date: string): string {
  const day = isOfDays(field) ? MIDNIGHT.exec(date)?.[1] : undefined;
  const moment = Date.parse(date);
  return day ?? (Number.isNaN(moment) ? date : String(moment));
}

/**
 * A strong ETag, in its quotes, over the writable members and the marks of deletion; what is computed, and who changed
 * the record when, does not count. Equal content has equal ETags, in whatever zone its moments are written.
 */
export function etagOf(resource: Resource, row: Row): string {
  const content: unknown[] = [];
  for (const [name, field] of knownOf(resource)) content.push([name, canonical(field, row[name] ?? null)]);
  for (const name of unknownIn(resource, row)) content.push([name, row[name] ?? null]);
  return `"${hash('sha256', JSON.stringify(content), 'base64url')}"`;
}

const MARKS = ['Deleted', 'DeletedByRef'];

const knownOf = oncePer(({ fields }: Resource) =>
  Object.entries(fields).filter(([name, field]) => MARKS.includes(name) || (isWritable(field) && !field.writeOnly)),
);

/** A service that is not ours may have members that the contract does not know (D11). */
function unknownIn({ fields }: Resource, row: Row): readonly string[] {
  const unknown: string[] = [];
  for (const name in row) if (!Object.hasOwn(fields, name)) unknown.push(name);
  return unknown.sort();
}

/** A date counts as its instant: `tz` may have moved its offset (D25), but not where it is shown as it was written. */
function canonical({ kind, floating }: Field, value: Value): unknown {
  if (typeof value !== 'string' || (kind !== 'date' && kind !== 'stamp')) return value;
  const fraction = /\.\d+/.exec(value)?.[0] ?? '';
  const instant = [Math.floor(Date.parse(value) / 1000), Number(fraction)];
  const offset = floating ? offsetOf(value) : '+00:00';
  // Plans of older programs have fingerprints without an offset.
  return offset === '+00:00' ? instant : [...instant, offset];
}
