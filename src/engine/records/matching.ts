// Finds records by the values of several members: what the store can compare it is asked for, the rest is looked at here.
import { RULES } from '../../contract/kinds.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { textKey } from '../../text/text-key.ts';
import type { Query } from '../store/port.ts';

/** `fits` tells whether a record that the query finds is one of those that are meant. */
export function matchingIn(
  resource: Resource,
  members: Row,
): { query: Pick<Query, 'equals' | 'named'>; fits(row: Row): boolean } {
  const equals: Record<string, Value> = {};
  const named: Record<string, string> = {};
  const others: [string, Value][] = [];
  for (const [name, value] of Object.entries(members)) {
    const kind = resource.fields[name]?.kind;
    if (typeof value === 'string' && kind === 'guid') equals[name] = value.toLowerCase();
    else if (value === null || kind === 'integer' || kind === 'boolean') equals[name] = value;
    else if (kind === 'text' && isKeyed(resource, name)) named[name] = String(value);
    else others.push([name, value]);
  }
  return { query: { equals, named }, fits: (row) => others.every(([name, value]) => same(resource, name, value, row)) };
}

/** Texts by which people name a record are stored with their key. */
const isKeyed = ({ names, fields }: Resource, name: string): boolean =>
  fields[name]?.unique === true || (names.includes(name) && fields[name]?.rule !== 'read-only');

function same({ fields }: Resource, name: string, wanted: Value, row: Row): boolean {
  const value = row[name] ?? null;
  if (typeof wanted === 'string' && typeof value === 'string' && fields[name]?.kind === 'text')
    return textKey(wanted) === textKey(value);
  return RULES[fields[name]?.kind ?? 'text'].same(wanted, value);
}
