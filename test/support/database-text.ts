// Databases as texts of SQL: those that older programs made are kept so, since they cannot be made any more.
import { chmodSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type Database from 'better-sqlite3';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';

/** Where what older programs left is kept. */
export const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** Makes the database at `file` that a text of the fixtures describes. */
export function restore(name: string, file: string): void {
  const database = openDatabase(file);
  try {
    database.pragma('foreign_keys = OFF');
    database.exec(readFileSync(fixture(name), 'utf8'));
  } finally {
    database.close();
  }
  chmodSync(file, 0o600);
}

/** The whole database as such a text. */
export function textOf(file: string): string {
  const database = openDatabase(file, { readonly: true });
  try {
    const made = madeIn(database);
    const tables = made.filter(({ type }) => type === 'table');
    const lines = [
      ...['journal_mode', 'application_id', 'user_version'].map((name) => pragma(database, name)),
      ...tables.map(({ sql }) => `${sql};`),
      ...tables.flatMap(({ name }) => rowsOf(database, name)),
      ...['DELETE FROM sqlite_sequence;', ...rowsOf(database, 'sqlite_sequence')],
      ...made.filter(({ type }) => type !== 'table').map(({ sql }) => `${sql};`),
    ];
    return `${lines.join('\n')}\n`;
  } finally {
    database.close();
  }
}

interface Made {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/** Tables and indexes that were made by SQL. */
function madeIn(database: Database.Database): readonly Made[] {
  const found = "sql NOT NULL AND name NOT LIKE 'sqlite_%'";
  return database
    .prepare<[], Made>(`SELECT type, name, sql FROM sqlite_master WHERE ${found} ORDER BY type DESC, rowid`)
    .all();
}

const pragma = (database: Database.Database, name: string): string =>
  `PRAGMA ${name} = ${String(database.pragma(name, { simple: true }))};`;

function rowsOf(database: Database.Database, table: string): readonly string[] {
  const columns = database.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
  const values = columns.map((name) => `quote("${name}")`).join(" || ', ' || ");
  const rows = database.prepare<[], string>(`SELECT ${values} FROM "${table}"`).pluck().all();
  return rows.map((row) => `INSERT INTO "${table}" VALUES (${row});`);
}
