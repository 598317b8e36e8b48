// Migrates a file of an older pm: backs it up, and then changes it in one transaction.
import { rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Layout } from '../../schema/ddl.ts';
import { type FileKind, stepsFrom } from '../../schema/versions.ts';
import type { Connection } from '../connection.ts';
import { openDatabase } from '../driver.ts';
import { explained, unusable } from '../failure.ts';
import { backUp } from './beside.ts';
import { addKeyFunctions, CannotMigrate, reshape } from './reshape.ts';
import { numberIn, Outdated, writeVersion } from './version.ts';

/** Opens a connection; migrates an older file before. */
export function connectOrMigrate(connectTo: () => Connection, migrateFile: () => void): Connection {
  try {
    return connectTo();
  } catch (error) {
    if (!(error instanceof Outdated)) throw error;
    migrateFile();
    return connectTo();
  }
}

/** Does nothing where another process was faster. Throws `storage`, `disk_full` or `busy`, with the file unchanged. */
export function migrate(file: string, kind: FileKind, layout: Layout, busyMs: number): void {
  const database = openDatabase(file, { fileMustExist: true, timeout: busyMs });
  try {
    database.pragma('synchronous = FULL');
    // Replacing a referenced table needs both, and a transaction cannot set them.
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

/** The backup is made inside the transaction, so that no other process writes or makes one too. */
function migrateWithBackup(file: string, database: Database.Database, kind: FileKind, layout: Layout): void {
  const from = numberIn(database);
  const steps = stepsFrom(kind, from);
  if (steps.length === 0) return;
  const copy = backUp(file, from);
  try {
    reshape(database, layout, steps);
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
