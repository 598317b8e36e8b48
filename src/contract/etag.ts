// The ETag of a record (D10): it changes when, and only when, something of the record changes that people can change.
import { hash } from 'node:crypto';
import { oncePer } from '../text/once-per.ts';
import { type Field, isWritable } from './field.ts';
import type { Resource, Row, Value } from './resource.ts';
import { offsetOf } from './same-values.ts';

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
  const offset = floating ? offsetOf(value) : UTC;
  // Plans of older programs have fingerprints without an offset.
  return offset === UTC ? instant : [...instant, offset];
}

const UTC = '+00:00';
