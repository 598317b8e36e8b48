// The words of SQLite's SQL, and the tables of a file: the contract's, and those that tell its version and last commit.
import type { Resource } from '../../../contract/resource.ts';
import { type Layout, layoutOf, statementsOf } from '../schema/ddl.ts';
import { type Computed, type Schema, schemaOf } from '../schema/tables.ts';
import type { Dialect, Typed } from '../sql/dialect.ts';
import { COMMIT_MARKER_TABLE } from './commit-marker.ts';
import { VERSION_TABLE } from './file/version.ts';

const insertEach = (table: string, columns: readonly Typed[]): string =>
  `INSERT INTO ${table} (${namesOf(columns).join(', ')}) VALUES (${columns.map(({ stored }) => stored?.('?') ?? '?').join(', ')})`;

export const SQLITE: Dialect = {
  join: 'CROSS JOIN',
  texts: 'json_each(?)',
  lists: 'json_each(?)',
  isLocal: true,
  text: (value) => value,
  // The type of a column decides how it is compared.
  integer: (text) => text,
  json: (column) => column,
  isAny: ({ name }) => `${name} IN (SELECT value FROM json_each(?))`,
  ifNull: (value, other) => `ifnull(${value}, ${other})`,
  noNumber: "''",
  ordered: (column, down) => (down ? `${column} DESC` : column),
  unindexed: (column) => `+${column}`,
  // There is one writer at a time.
  forChange: () => '',
  // The function is our own, see connection.ts. No stored text has the character that stands between the texts.
  holds: (columns) => `holds_folded(concat_ws(char(1), ${columns.join(', ')}), ?)`,
  holdsExactly: true,
  types: { TEXT: 'TEXT', INTEGER: 'INTEGER', REAL: 'REAL', FLAG: 'INTEGER' },
  createTable: (statement) => statement,
  lastNumber: (table) => `SELECT seq FROM sqlite_sequence WHERE name = '${table}'`,
  setLastNumber: (table, _, last) => [
    `DELETE FROM sqlite_sequence WHERE name = '${table}'`,
    `INSERT INTO sqlite_sequence (name, seq) VALUES ('${table}', ${last})`,
  ],
  insertEach,
  updateEach: (table, columns, keys) =>
    `UPDATE ${table} SET ${namesOf(columns).map(isBound).join(', ')} WHERE ${namesOf(keys).map(isBound).join(' AND ')}`,
  deleteEach: (table, keys) => `DELETE FROM ${table} WHERE ${namesOf(keys).map(isBound).join(' AND ')}`,
  together: (parts) => parts,
};

const namesOf = (columns: readonly Typed[]): readonly string[] => columns.map(({ name }) => name);

const isBound = (name: string): string => `${name} = ?`;

const OWN = [...COMMIT_MARKER_TABLE, ...VERSION_TABLE];

export const sqliteSchema = (resources: readonly Resource[], computed: Computed): Schema =>
  schemaOf(resources, computed, SQLITE);

export const sqliteLayout = (schema: Schema): Layout => layoutOf(schema, OWN);

/** Does the statement of a layout make an index? */
export const isIndex = (statement: string): boolean => /^CREATE (?:UNIQUE )?INDEX /.test(statement);

/** Every table and index, as one readable text. */
export const ddlOf = (schema: Schema): string => `${statementsOf(schema, OWN).join(';\n\n')};\n`;
