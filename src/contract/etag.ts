// The ETag of a record (D10): it changes when, and only when, something of the record changes that people can change.
import { createHash } from 'node:crypto';
import { isWritable } from './field.ts';
import type { Resource, Row, Value } from './resource.ts';

/**
 * A strong ETag, in its quotes, over the writable members and the marks of deletion; what is computed, and who changed
 * the record when, does not count. Equal content has equal ETags, in whatever zone its dates are written.
 */
export function etagOf(resource: Resource, row: Row): string {
  const content = membersOf(resource, row).map((name) => [name, canonical(resource, name, row[name] ?? null)]);
  return `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url')}"`;
}

const MARKS = ['Deleted', 'DeletedByRef'];

function membersOf({ fields, open }: Resource, row: Row): readonly string[] {
  const known = Object.entries(fields)
    .filter(([name, field]) => MARKS.includes(name) || (isWritable(field) && !field.writeOnly))
    .map(([name]) => name);
  const unknown = open ? Object.keys(row).filter((name) => !Object.hasOwn(fields, name)) : [];
  return [...known, ...unknown.sort()];
}

/** A date counts as its instant: `tz` may have moved its offset (D25). */
function canonical({ fields }: Resource, name: string, value: Value): unknown {
  const kind = fields[name]?.kind;
  if (typeof value !== 'string' || (kind !== 'date' && kind !== 'stamp')) return value;
  const fraction = /\.\d+/.exec(value)?.[0] ?? '';
  return [Math.floor(Date.parse(value) / 1000), Number(fraction)];
}
