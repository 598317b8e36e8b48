// Databases as texts of SQL: those of an older version are kept so, since they cannot be made any more.
import { chmodSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type Database from 'better-sqlite3';
import { DATABASE, JOURNAL } from '../../src/engine/store/schema/versions.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { keptText } from './versions.ts';

/** Where what a pm of the oldest version left is kept. */
export const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/version-6/${name}`, import.meta.url));

/** The rows of such a database, as statements. */
export const rowsOf = (name: KeptName): string => readFileSync(fixture(`${name}.sql`), 'utf8');

const KEPT = {
  local: { kind: DATABASE, tables: 'database' },
  journal: { kind: JOURNAL, tables: 'journal' },
} as const;
type KeptName = keyof typeof KEPT;

/** Makes the file that a pm of the oldest version left. */
export function restore(name: KeptName, file: string): void {
  const { kind, tables } = KEPT[name];
  const { number } = kind.versions[0];
  const database = openDatabase(file);
  try {
    database.pragma('foreign_keys = OFF');
    database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('journal_mode = WAL');
    database.exec(`${keptText(tables, number)}\n;${rowsOf(name)}`);
    database.pragma(`application_id = ${kind.applicationID}`);
    database.pragma(`user_version = ${number}`);
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
      ...tables.flatMap(({ name }) => insertsOf(database, name)),
      ...['DELETE FROM sqlite_sequence;', ...insertsOf(database, 'sqlite_sequence')],
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

function insertsOf(database: Database.Database, table: string): readonly string[] {
  const columns = database.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
  const values = columns.map((name) => `quote("${name}")`).join(" || ', ' || ");
  const rows = database.prepare<[], string>(`SELECT ${values} FROM "${table}"`).pluck().all();
  return rows.map((row) => `INSERT INTO "${table}" VALUES (${row});`);
}
