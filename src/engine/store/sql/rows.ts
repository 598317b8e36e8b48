// Converts stored rows to the values that SQLite binds, and back.
import type { Value } from '../../../contract/resource.ts';
import { textKey } from '../../../text/text-key.ts';
import type { Stored } from '../port.ts';
import { instantKey } from '../schema/keys.ts';
import type { Coding, Column, Table } from '../schema/tables.ts';
import type { Bound } from '../sqlite/connection.ts';

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

/** Raw values by the names of their columns. */
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
