// Members that hold several IDs have a side table, so that a record is found by each of them.
import { oncePer } from '../../../text/once-per.ts';
import type { Stored } from '../port.ts';
import type { Table } from '../schema/tables.ts';
import type { Connection } from '../sqlite/connection.ts';

/** The fields of a table that hold several IDs. */
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

/** SQL that fills a new side table from the records that are there. */
export const fillListTable = (table: Table, field: string): string =>
  `INSERT INTO ${nameOf(table, field)} ("SiteID", "Held", "ID")
  SELECT DISTINCT t."SiteID", held.value, t."ID"
  FROM "${table.name}" AS t, json_each('["' || replace(t."${field}", ' ', '","') || '"]') AS held
  WHERE t."${field}" <> ''`;

/** The condition that the field holds one ID; a site and that ID are bound. */
export const listContains = (table: Table, field: string): string =>
  `"ID" IN (SELECT "ID" FROM ${nameOf(table, field)} WHERE "SiteID" = ? AND "Held" = ?)`;

/** Brings the side tables in step with a record, whose members before and now are given; undefined for none. */
export function updateLists(
  connection: Connection,
  table: Table,
  key: { readonly site: string; readonly id: string },
  before: Stored | undefined,
  now: Stored | undefined,
): void {
  for (const field of listFields(table)) {
    const [was, is] = [idsIn(before?.[field]), idsIn(now?.[field])];
    for (const one of was.filter((held) => !is.includes(held)))
      connection.run(`DELETE FROM ${nameOf(table, field)} WHERE "SiteID" = ? AND "Held" = ? AND "ID" = ?`, [
        key.site,
        one,
        key.id,
      ]);
    for (const one of is.filter((held) => !was.includes(held)))
      connection.run(`INSERT OR IGNORE INTO ${nameOf(table, field)} ("SiteID", "Held", "ID") VALUES (?, ?, ?)`, [
        key.site,
        one,
        key.id,
      ]);
  }
}

const idsIn = (value: Stored[string] | undefined): readonly string[] =>
  typeof value === 'string' ? value.split(' ') : [];
