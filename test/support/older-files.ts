// Databases of the oldest version, and direct SQL on their migrated files.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import { computedFields } from '../../src/engine/index.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { createSqlite } from '../../src/engine/store/sqlite/file/create.ts';
import { openSqlite, type SqliteOptions } from '../../src/engine/store/sqlite/store.ts';
import { restore } from './database-text.ts';

/** A folder that is deleted after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'pm-older-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A database of the oldest version in a folder of its own. */
export function older(): string {
  const path = join(folder(), 'local.db');
  restore('local', path);
  return path;
}

export const optionsOf = (file: string, more: Partial<SqliteOptions> = {}): SqliteOptions => ({
  file,
  resources: storedResources,
  computed: computedFields,
  ...more,
});

/** Opens a database as the program does, and closes it again. */
export async function migrated(file: string, more: Partial<SqliteOptions> = {}): Promise<string> {
  await (await openSqlite(optionsOf(file, more))).close();
  return file;
}

export async function newFile(more: Partial<SqliteOptions> = {}): Promise<string> {
  const file = join(folder(), 'local.db');
  await createSqlite(optionsOf(file, more), async () => undefined);
  return file;
}

export type Row = Readonly<Record<string, unknown>>;

/** Runs SQL on a file, and answers its rows. */
export function query(file: string, sql: string): readonly Row[] {
  const database = openDatabase(file);
  try {
    const statement = database.prepare<[], Row>(sql);
    return statement.reader ? statement.all() : [{ changes: statement.run().changes }];
  } finally {
    database.close();
  }
}

/** What made its tables and indexes, by their names. */
export const madeIn = (file: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(query(file, 'SELECT name, sql FROM sqlite_master').map(({ name, sql }) => [name, sql]));

export const tablesIn = (file: string): readonly string[] =>
  query(file, "SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => String(name));

export const rowsIn = (file: string, table: string): readonly Row[] => query(file, `SELECT * FROM "${table}"`);
