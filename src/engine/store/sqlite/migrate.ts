// Brings a file of an older pm up to this one: a copy is put aside, then all is done in one transaction.
import { rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Layout } from '../schema/ddl.ts';
import { openDatabase } from './driver.ts';
import { explained, unusable } from './failure.ts';
import { type FileKind, newestOf, numberIn, Outdated, writeVersion } from './file-version.ts';
import { backUp } from './files.ts';
import { addKeyFunctions, CannotMigrate, reshape } from './reshape.ts';
import type { Pool } from './snapshots.ts';

/** Opens the first connection of a pool; where that shows that the file is older, it is migrated. */
export function openOrMigrate(pool: Pool, bringUp: () => void): void {
  try {
    pool.giveBack(pool.borrow());
  } catch (error) {
    if (!(error instanceof Outdated)) throw error;
    bringUp();
    pool.giveBack(pool.borrow());
  }
}

/** Does nothing where another process was faster. Throws `storage`, `disk_full` or `busy`; the file is then as it was. */
export function migrate(file: string, kind: FileKind, layout: Layout, busyMs: number): void {
  const database = openDatabase(file, { fileMustExist: true, timeout: busyMs });
  try {
    database.pragma('synchronous = FULL');
    // Both are needed to replace a table that others refer to, and cannot be set inside the transaction.
    database.pragma('foreign_keys = OFF');
    database.pragma('legacy_alter_table = ON');
    addKeyFunctions(database);
    database.transaction(() => migrateWithBackup(file, database, kind, layout)).immediate();
  } catch (error) {
    throw explainedFailure(file, error);
  } finally {
    database.close();
  }
}

/** The copy is made while nobody can write: it is what is migrated, and only one process makes it. */
function migrateWithBackup(file: string, database: Database.Database, kind: FileKind, layout: Layout): void {
  const from = numberIn(database);
  if (from >= newestOf(kind).number) return;
  const copy = backUp(file, from);
  try {
    const changes = kind.versions.filter(({ number }) => number > from);
    reshape(database, layout, changes);
    writeVersion(database, kind);
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
}

function explainedFailure(file: string, error: unknown): unknown {
  if (!(error instanceof CannotMigrate)) return explained(file, error);
  const hint = 'Nothing was changed. Go on with the pm that made it, and report this.';
  return unusable(file, `cannot be migrated: ${error.message}`, hint);
}
