// Converts stored rows to the values that SQLite binds, and back; dates also to the key by which they are compared.
import type { Value } from '../../../contract/resource.ts';
import { textKey } from '../../../text/text-key.ts';
import type { Stored } from '../port.ts';
import type { Coding, Column, Table } from '../schema/tables.ts';
import type { Bound } from './steps.ts';

/** The values of these columns, in their order. */
export function encode(columns: readonly Column[], row: Stored): Bound[] {
  const bound: Bound[] = [];
  for (const column of columns) bound.push(ENCODE[column.coding](row[column.from] ?? null));
  return bound;
}

/** A row as the engine reads it: fields in the contract's order, then the hidden ones. */
export function decode({ columns, blank }: Table, raw: readonly unknown[]): Stored {
  const row: Record<string, Value> = { ...blank };
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i] as Column;
    const value = raw[i] as Bound;
    row[column.name] = column.coding === 'plain' || value === null ? value : value === 1;
  }
  return row;
}

/** A row that was just written, as `decode` would read it. */
export function asStored({ columns, blank }: Table, row: Stored): Stored {
  const stored: Record<string, Value> = { ...blank };
  for (const { name, from, coding } of columns) {
    const value = row[from] ?? null;
    stored[name] = coding === 'mark' ? value === true : value;
  }
  return stored;
}

export const byName = <Name extends string>(names: readonly Name[], raw: readonly unknown[]): Record<Name, unknown> =>
  Object.fromEntries(names.map((name, i) => [name, raw[i]])) as Record<Name, unknown>;

const plain = (value: Value): Bound => (typeof value === 'boolean' ? Number(value) : value);

const ENCODE: Readonly<Record<Coding, (value: Value) => Bound>> = {
  plain,
  boolean: plain,
  mark: (value) => (value === true ? 1 : 0),
  'text key': (value) => (value === null ? null : textKey(String(value))),
  'instant key': (value) => (value === null ? null : instantKey(String(value))),
};

const DATE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/;
const DIGITS = 7;
const FIRST = '0000-01-01T00:00:00.0000000';
const LAST = '9999-12-31T23:59:59.9999999';

/**
 * The instant of a date as a sortable UTC text of fixed width. A day is its first instant in UTC. Throws for a text that
 * is no date: only checked values are stored.
 */
export function instantKey(date: string): string {
  const parts = DATE_TIME.exec(date.length === 10 ? `${date}T00:00:00Z` : date);
  if (!parts) throw new Error(`"${date}" is not a date that the store can compare`);
  const [, local = '', fraction = '', offset = 'Z'] = parts;
  const isUtc = offset === 'Z' || offset === '+00:00';
  return withFraction(isUtc ? local : inUtc(local, offset), fraction);
}

const withFraction = (seconds: string, fraction: string): string =>
  seconds.length > 19 ? seconds : `${seconds}.${fraction.padEnd(DIGITS, '0').slice(0, DIGITS)}`;

/** An offset can move the first and last instants out of the years 0000 to 9999; they are cut off there. */
function inUtc(local: string, offset: string): string {
  const text = new Date(local + offset).toISOString();
  if (text.startsWith('-')) return FIRST;
  return text.startsWith('+') ? LAST : text.slice(0, 19);
}
