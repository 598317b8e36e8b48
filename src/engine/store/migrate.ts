// Brings a database of an older pm up to this one: a copy is put aside, then the tables, columns and indexes it lacks
// are made in one transaction. Nothing that is there is changed.
import { chmodSync, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { SCHEMA_VERSION } from './ddl.ts';
import { explained } from './failure.ts';

/** The tables are of an older version than this pm makes. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
  readonly version: number;

  constructor(version: number) {
    super(`tables of version ${version}`);
    this.version = version;
  }
}

/** Where the copy of a database of that version is kept. */
export const copyOf = (file: string, version: number): string => `${file}.version-${version}`;

/** `statements` make everything; only what is missing is run. Throws `storage`, `disk_full` or `busy`. */
export function migrate(file: string, from: Outdated, statements: readonly string[], busyMs: number): void {
  const database = new Database(file, { fileMustExist: true, timeout: busyMs });
  try {
    database.pragma('synchronous = FULL');
    putAside(database, copyOf(file, from.version));
    database.transaction(() => bringUp(database, statements)).immediate();
  } catch (error) {
    throw explained(file, error);
  } finally {
    database.close();
  }
}

/** Another pm that comes at the same moment may be making the copy: one is enough. */
function putAside(database: Database.Database, copy: string): void {
  try {
    if (!existsSync(copy)) database.prepare('VACUUM INTO ?').run(copy);
  } catch (error) {
    if (!existsSync(copy)) throw error;
  }
  chmodSync(copy, 0o600);
}

/** Another pm may have been faster: then there is nothing left to do. */
function bringUp(database: Database.Database, statements: readonly string[]): void {
  if (Number(database.pragma('user_version', { simple: true })) >= SCHEMA_VERSION) return;
  const there = new Set(database.prepare('SELECT name FROM sqlite_master').pluck().all());
  for (const statement of statements) {
    const name = nameIn(statement);
    if (there.has(name)) addColumns(database, String(name), statement);
    else database.exec(statement);
  }
  database.pragma(`user_version = ${SCHEMA_VERSION}`);
}

/** Columns that a table lacks are empty in the records that are there. */
function addColumns(database: Database.Database, table: string, statement: string): void {
  const there = new Set(database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table));
  for (const [, name, rule] of statement.matchAll(COLUMN))
    if (!there.has(name)) database.exec(`ALTER TABLE "${table}" ADD COLUMN "${name}" ${rule}`);
}

const COLUMN = /^ {2}"([^"]+)" ([^\n,]+)/gm;

const nameIn = (statement: string): string | undefined => /^CREATE (?:UNIQUE )?\w+ "?([^" ]+)/.exec(statement)?.[1];
