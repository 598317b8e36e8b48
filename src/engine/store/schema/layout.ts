// What a file of a kind holds: its tables and indexes, and what of them is derived from the rest.

import { heldFields, heldFill } from '../sql/list-fields.ts';
import { quoted } from '../sql/statements.ts';
import { statementsOf } from './ddl.ts';
import type { Schema, Table } from './tables.ts';
import type { Key, KeyRule } from './version-changes.ts';

export interface Layout {
  /** What makes each table and index, tables before what stands on them. */
  readonly statements: readonly string[];
  /** By table. */
  readonly keys: ReadonlyMap<string, readonly Key[]>;
  /** Side tables, each with the SQL that fills it when it is new. */
  readonly fills: ReadonlyMap<string, string>;
}

export const layoutOf = (schema: Schema): Layout => ({
  statements: statementsOf(schema),
  keys: new Map(schema.tables.map((table) => [table.name, keysOf(table)])),
  fills: new Map(
    schema.tables.flatMap((table) =>
      heldFields(table).map((field) => [`${table.name}_${field}`, heldFill(table, field)]),
    ),
  ),
});

/** Tables without keys. */
export const plainLayout = (statements: readonly string[]): Layout => ({
  statements,
  keys: new Map(),
  fills: new Map(),
});

const keysOf = (table: Table): readonly Key[] => [
  ...table.keys.map(({ name, from, coding }) => ({ name, from, rule: coding as KeyRule })),
  ...(table.resource.order === 'tree' ? [{ name: 'TreeKey', from: 'Name', rule: 'tree key' as const }] : []),
];

/** SQL that computes the key of every record of a tree, from the top down: the parent of a record there is none of the table's. */
export const treeFill = (table: string): string => `WITH RECURSIVE place ("SiteID", "ID", "Key") AS (
  SELECT top."SiteID", top."ID", tree_key('', top."Rank", top."Name", top."ID") FROM ${quoted(table)} AS top
  WHERE NOT EXISTS (SELECT 1 FROM ${quoted(table)} AS above WHERE above."SiteID" = top."SiteID" AND above."ID" = top."ParentID")
  UNION ALL
  SELECT below."SiteID", below."ID", tree_key(place."Key", below."Rank", below."Name", below."ID")
  FROM place JOIN ${quoted(table)} AS below ON below."SiteID" = place."SiteID" AND below."ParentID" = place."ID"
)
UPDATE ${quoted(table)} AS row SET "TreeKey" = place."Key" FROM place
WHERE place."SiteID" = row."SiteID" AND place."ID" = row."ID"`;
