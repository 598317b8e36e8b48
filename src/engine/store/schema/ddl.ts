// The SQL of all tables and indexes of a database.
import { JOB_TABLES } from '../journal/job-tables.ts';
import { ACCESS_TABLES } from '../sql/access.ts';
import type { Dialect } from '../sql/dialect.ts';
import { LINE_TABLES } from '../sql/lines.ts';
import { createSideTables, fillSideTable, sideTables } from '../sql/side-tables.ts';
import { quoted } from '../sql/statements.ts';
import { type Index, indexesOf, referencesOf } from './indexes.ts';
import type { Column, Schema, Table } from './tables.ts';
import type { Key, KeyRule } from './versions.ts';

const SIDE_TABLES = [
  ...LINE_TABLES,
  `CREATE TABLE secret (
  SiteID TEXT NOT NULL,
  IndividualID TEXT NOT NULL,
  Hash TEXT NOT NULL,
  PRIMARY KEY (SiteID, IndividualID)
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE counter (
  SiteID TEXT NOT NULL,
  Resource TEXT NOT NULL,
  Last INTEGER NOT NULL,
  PRIMARY KEY (SiteID, Resource)
) STRICT, WITHOUT ROWID`,
  ...ACCESS_TABLES,
  ...JOB_TABLES,
];

/** Every table and index, one statement each; `own` are tables of the store itself. */
export const statementsOf = (schema: Schema, own: readonly string[]): readonly string[] => [
  ...statementsWith(schema, referenceLines),
  ...own,
];

/** As `statementsOf`, for tables that are filled in any order. `added` are the statements for full tables. */
export function fillableStatements(schema: Schema) {
  const all = statementsWith(schema, () => []);
  const isTable = (statement: string): boolean => statement.startsWith('CREATE TABLE');
  const references = schema.tables.flatMap((table) =>
    referenceLines(schema, table).map((line) => `ALTER TABLE ${quoted(table.name)} ADD ${line}`),
  );
  return { tables: all.filter(isTable), added: [...all.filter((one) => !isTable(one)), ...references] };
}

type ReferenceLines = (schema: Schema, table: Table) => readonly string[];

function statementsWith(schema: Schema, references: ReferenceLines): readonly string[] {
  const ofTable = (table: Table): readonly string[] => [
    createTable(schema, table, references),
    ...createSideTables(table),
    ...indexesOf(table).map((index) => createIndex(table, index)),
  ];
  return [...schema.tables.flatMap(ofTable), ...SIDE_TABLES].map(schema.dialect.createTable);
}

/**
 * The tables have rowids. WITHOUT ROWID, an index on an owner would reach rows by a second search of a 72-byte key, and
 * SQLite preferred to scan the site.
 */
function createTable(schema: Schema, table: Table, references: ReferenceLines): string {
  const lines = [
    ...[...table.columns, ...table.keys].map((column) => columnLine(schema.dialect, column)),
    'PRIMARY KEY ("SiteID", "ID")',
    ...references(schema, table),
  ];
  return `CREATE TABLE ${quoted(table.name)} (\n  ${lines.join(',\n  ')}\n) STRICT`;
}

const referenceLines: ReferenceLines = (schema, table) =>
  referencesOf(schema, table).map(
    ({ field, target }) => `FOREIGN KEY ("SiteID", ${quoted(field)}) REFERENCES ${quoted(target)} ("SiteID", "ID")`,
  );

function columnLine({ types }: Dialect, { name, type, coding }: Column): string {
  const rule = coding === 'mark' ? ' NOT NULL DEFAULT 0' : name === 'SiteID' || name === 'ID' ? ' NOT NULL' : '';
  return `${quoted(name)} ${types[type]}${rule}`;
}

function createIndex(table: Table, { name, unique, terms, where }: Index): string {
  const start = `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quoted(name)} ON ${quoted(table.name)}`;
  return `${start} (${terms.join(', ')})${where ? ` WHERE ${where}` : ''}`;
}

export interface Layout {
  /** The SQL of each table and index; tables come before their indexes. */
  readonly statements: readonly string[];
  /** The stored keys by table. */
  readonly keys: ReadonlyMap<string, readonly Key[]>;
  /** A statement fills each new side table, by its name. */
  readonly fills: ReadonlyMap<string, string>;
}

export const layoutOf = (schema: Schema, own: readonly string[]): Layout => ({
  statements: statementsOf(schema, own),
  keys: new Map(schema.tables.map((table) => [table.name, keysOf(table)])),
  fills: new Map(
    schema.tables.flatMap((table) => sideTables(table).map((side) => [side.name, fillSideTable(table, side)] as const)),
  ),
});

/** The layout of tables without stored keys. */
export const plainLayout = (statements: readonly string[]): Layout => ({
  statements,
  keys: new Map(),
  fills: new Map(),
});

const keysOf = (table: Table): readonly Key[] => [
  ...table.keys.map(({ name, from, coding }) => ({ name, from, rule: coding as KeyRule })),
  ...(table.resource.order === 'tree' ? [{ name: 'TreeKey', from: 'Name', rule: 'tree key' as const }] : []),
];

/** SQL that computes the tree key of every record, from the top down. Top records have no parent in the table. */
export const treeFill = (table: string): string => `WITH RECURSIVE place ("SiteID", "ID", "Key") AS (
  SELECT top."SiteID", top."ID", tree_key('', top."Rank", top."Name", top."ID") FROM ${quoted(table)} AS top
  WHERE NOT EXISTS (SELECT 1 FROM ${quoted(table)} AS above WHERE above."SiteID" = top."SiteID" AND above."ID" = top."ParentID")
  UNION ALL
  SELECT below."SiteID", below."ID", tree_key(place."Key", below."Rank", below."Name", below."ID")
  FROM place JOIN ${quoted(table)} AS below ON below."SiteID" = place."SiteID" AND below."ParentID" = place."ID"
)
UPDATE ${quoted(table)} AS row SET "TreeKey" = place."Key" FROM place
WHERE place."SiteID" = row."SiteID" AND place."ID" = row."ID"`;
