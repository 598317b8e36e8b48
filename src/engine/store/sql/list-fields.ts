// List fields contain several IDs. Each has a side table, by which a record is found by any of its IDs.
import { oncePer } from '../../../text/once-per.ts';
import type { Stored } from '../port.ts';
import type { Table } from '../schema/tables.ts';
import type { Typed } from './dialect.ts';
import { type Bound, each, type Steps } from './steps.ts';

export const listFields = oncePer(({ resource, columns }: Table): readonly string[] =>
  columns.map(({ name }) => name).filter((name) => resource.fields[name]?.kind === 'guids'),
);

export const isListField = ({ resource }: Table, field: string): boolean => resource.fields[field]?.kind === 'guids';

const nameOf = (table: Table, field: string): string => `"${table.name}_${field}"`;

/** The side tables, one statement each. */
export const listTables = (table: Table): readonly string[] =>
  listFields(table).map(
    (field) => `CREATE TABLE ${nameOf(table, field)} (
  "SiteID" TEXT NOT NULL,
  "Held" TEXT NOT NULL,
  "ID" TEXT NOT NULL,
  PRIMARY KEY ("SiteID", "Held", "ID")
) STRICT, WITHOUT ROWID`,
  );

/** SQL that fills a new side table from the existing records. */
export const fillListTable = (table: Table, field: string): string =>
  `INSERT INTO ${nameOf(table, field)} ("SiteID", "Held", "ID")
  SELECT DISTINCT t."SiteID", item.value, t."ID"
  FROM "${table.name}" AS t, json_each('["' || replace(t."${field}", ' ', '","') || '"]') AS item
  WHERE t."${field}" <> ''`;

/** The condition that the field contains an ID; a site and the ID are bound. */
export const listContains = (table: Table, field: string): string => inLists(table, field, '"Held" = ?');

/** Holds the list any of the IDs of a JSON array? */
export const listContainsAny = (table: Table, field: string): string =>
  inLists(table, field, table.dialect.isAny(HELD));

const inLists = (table: Table, field: string, condition: string): string =>
  `"ID" IN (SELECT "ID" FROM ${nameOf(table, field)} WHERE "SiteID" = ? AND ${condition})`;

/** A record before and after a change; `before` or `now` is undefined where there is none. */
export interface ListChange {
  readonly site: string;
  readonly id: string;
  readonly before: Stored | undefined;
  readonly now: Stored | undefined;
}

const HELD: Typed = { name: '"Held"', type: 'TEXT' };
const KEY: readonly Typed[] = [{ name: '"SiteID"', type: 'TEXT' }, HELD, { name: '"ID"', type: 'TEXT' }];

/** Updates the side tables for records. */
export function* updateLists(table: Table, changes: readonly ListChange[]): Steps<void> {
  for (const field of listFields(table)) {
    const name = nameOf(table, field);
    const removed: Bound[][] = [];
    const added: Bound[][] = [];
    for (const { site, id, before, now } of changes) {
      const [was, is] = [idsIn(before?.[field]), idsIn(now?.[field])];
      for (const item of was) if (!is.includes(item)) removed.push([site, item, id]);
      for (const item of is) if (!was.includes(item)) added.push([site, item, id]);
    }
    yield* each(table.dialect.deleteEach(name, KEY), removed);
    yield* each(`${table.dialect.insertEach(name, KEY)} ON CONFLICT DO NOTHING`, added);
  }
}

const idsIn = (value: Stored[string] | undefined): readonly string[] =>
  typeof value === 'string' ? value.split(' ') : [];
