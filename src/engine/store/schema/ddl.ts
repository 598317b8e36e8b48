// The SQL that makes an empty database.

import { JOB_TABLES } from '../journal/job-tables.ts';
import { MEMBER_TABLE } from '../sql/grants.ts';
import { heldTables } from '../sql/list-fields.ts';
import { quoted } from '../sql/statements.ts';
import { TOKEN_TABLE } from '../sql/tokens.ts';
import { WITNESS_TABLE } from '../sqlite/commit-marker.ts';
import { VERSION_TABLE } from '../sqlite/file-version.ts';
import { type Index, indexesOf, referencesOf } from './indexes.ts';
import type { Column, Schema, Table } from './tables.ts';

const SIDE_TABLES = [
  `CREATE TABLE history (
  Sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  SiteID TEXT NOT NULL,
  At TEXT NOT NULL,
  Caller TEXT NOT NULL,
  Resource TEXT NOT NULL,
  ID TEXT NOT NULL,
  What TEXT NOT NULL,
  Before TEXT
) STRICT`,
  'CREATE INDEX history_by_ID ON history (SiteID, Resource, ID, Sequence)',
  'CREATE INDEX history_in_order ON history (SiteID, Sequence, At)',
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
  ...TOKEN_TABLE,
  ...MEMBER_TABLE,
  ...JOB_TABLES,
  ...WITNESS_TABLE,
  ...VERSION_TABLE,
];

/** Every table and index, to be read by people too. */
export const ddlOf = (schema: Schema): string => `${statementsOf(schema).join(';\n\n')};\n`;

/** Every table and index, one statement each. */
export function statementsOf(schema: Schema): readonly string[] {
  const ofTable = (table: Table): readonly string[] => [
    createTable(schema, table),
    ...heldTables(table),
    ...indexesOf(table).map((index) => createIndex(table, index)),
  ];
  return [...schema.tables.flatMap(ofTable), ...SIDE_TABLES];
}

/**
 * A table has a rowid: with the key itself as the tree, an index on an owner would lead to rows only through a second
 * search of 72 bytes, and was passed over for a walk through the site.
 */
function createTable(schema: Schema, table: Table): string {
  const lines = [
    ...[...table.columns, ...table.keys].map(columnLine),
    'PRIMARY KEY ("SiteID", "ID")',
    ...referencesOf(schema, table).map(
      ({ field, target }) => `FOREIGN KEY ("SiteID", ${quoted(field)}) REFERENCES ${quoted(target)} ("SiteID", "ID")`,
    ),
  ];
  return `CREATE TABLE ${quoted(table.name)} (\n  ${lines.join(',\n  ')}\n) STRICT`;
}

function columnLine({ name, type, coding }: Column): string {
  const rule = coding === 'mark' ? ' NOT NULL DEFAULT 0' : name === 'SiteID' || name === 'ID' ? ' NOT NULL' : '';
  return `${quoted(name)} ${type}${rule}`;
}

function createIndex(table: Table, { name, unique, terms, where }: Index): string {
  const start = `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quoted(name)} ON ${quoted(table.name)}`;
  return `${start} (${terms.join(', ')})${where ? ` WHERE ${where}` : ''}`;
}
