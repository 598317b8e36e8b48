// The words of SQLite's SQL.
import type { Dialect, Typed } from '../sql/dialect.ts';

export const SQLITE: Dialect = {
  join: 'CROSS JOIN',
  texts: 'json_each(?)',
  lists: 'json_each(?)',
  numbersRows: true,
  text: (value) => value,
  // The type of a column decides how it is compared.
  integer: (text) => text,
  json: (column) => column,
  isAny: ({ name }) => `${name} IN (SELECT value FROM json_each(?))`,
  ifNull: (value, other) => `ifnull(${value}, ${other})`,
  noNumber: "''",
  ordered: (column, down) => (down ? `${column} DESC` : column),
  unindexed: (column) => `+${column}`,
  // The function is our own, see connection.ts. No stored text has the character that stands between the texts.
  holds: (columns) => `holds_folded(concat_ws(char(1), ${columns.join(', ')}), ?)`,
  types: { TEXT: 'TEXT', INTEGER: 'INTEGER', REAL: 'REAL', FLAG: 'INTEGER' },
  createTable: (statement) => statement,
  insertEach: (table, columns) =>
    `INSERT INTO ${table} (${namesOf(columns).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  updateEach: (table, columns, keys) =>
    `UPDATE ${table} SET ${namesOf(columns).map(isBound).join(', ')} WHERE ${namesOf(keys).map(isBound).join(' AND ')}`,
  deleteEach: (table, keys) => `DELETE FROM ${table} WHERE ${namesOf(keys).map(isBound).join(' AND ')}`,
  together: (statements) => statements,
};

const namesOf = (columns: readonly Typed[]): readonly string[] => columns.map(({ name }) => name);

const isBound = (name: string): string => `${name} = ?`;
