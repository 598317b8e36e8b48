// List fields contain several IDs. Each has a side table, by which a record is found by any of its IDs.
import { oncePer } from '../../../text/once-per.ts';
import type { Stored } from '../port.ts';
import type { Table } from '../schema/tables.ts';
import { run, type Steps } from './steps.ts';

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
export const listContains = (table: Table, field: string): string => inLists(table, field, '= ?');

/** Holds the list any of the IDs of a JSON array? */
export const listContainsAny = (table: Table, field: string): string =>
  inLists(table, field, 'IN (SELECT value FROM json_each(?))');

const inLists = (table: Table, field: string, condition: string): string =>
  `"ID" IN (SELECT "ID" FROM ${nameOf(table, field)} WHERE "SiteID" = ? AND "Held" ${condition})`;

/** Updates the side tables for a record; `before` or `now` is undefined where there is no record. */
export function* updateLists(
  table: Table,
  key: { readonly site: string; readonly id: string },
  before: Stored | undefined,
  now: Stored | undefined,
): Steps<void> {
  for (const field of listFields(table)) {
    const [was, is] = [idsIn(before?.[field]), idsIn(now?.[field])];
    const name = nameOf(table, field);
    const removal = `DELETE FROM ${name} WHERE "SiteID" = ? AND "Held" = ? AND "ID" = ?`;
    const addition = `INSERT OR IGNORE INTO ${name} ("SiteID", "Held", "ID") VALUES (?, ?, ?)`;
    for (const item of was) if (!is.includes(item)) yield* run(removal, [key.site, item, key.id]);
    for (const item of is) if (!was.includes(item)) yield* run(addition, [key.site, item, key.id]);
  }
}

const idsIn = (value: Stored[string] | undefined): readonly string[] =>
  typeof value === 'string' ? value.split(' ') : [];
