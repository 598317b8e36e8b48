// Migrates a file of an older pm: backs it up, and then changes it in one transaction.
import { rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { textKey, treeKey } from '../../../../text/text-key.ts';
import { type Layout, treeFill } from '../../schema/ddl.ts';
import { type Changes, type FileKind, type Key, newestOf, type OnUpgraded, stepsFrom } from '../../schema/versions.ts';
import { instantKey } from '../../sql/rows.ts';
import { quoted } from '../../sql/statements.ts';
import { unusable } from '../../sql/steps.ts';
import { openDatabase } from '../driver.ts';
import { explained } from '../failure.ts';
import { backUp } from './beside.ts';
import { numberIn, writeVersion } from './version.ts';

/** Does nothing where another process was faster. Throws `storage`, `disk_full` or `busy`, with the file unchanged. */
export function migrate(file: string, kind: FileKind, layout: Layout, busyMs: number, onUpgraded?: OnUpgraded): void {
  const database = openDatabase(file, { fileMustExist: true, timeout: busyMs });
  try {
    database.pragma('synchronous = FULL');
    // Replacing a referenced table needs both, and a transaction cannot set them.
    database.pragma('foreign_keys = OFF');
    database.pragma('legacy_alter_table = ON');
    addKeyFunctions(database);
    const before = database.transaction(() => migrateWithBackup(file, database, kind, layout)).immediate();
    if (before) onUpgraded?.(before.version, newestOf(kind).number, before.copy);
  } catch (error) {
    throw explainedFailure(file, error);
  } finally {
    database.close();
  }
}

/** The copy is made inside the transaction, so that no other process writes or makes one too. Undefined for the newest tables. */
function migrateWithBackup(file: string, database: Database.Database, kind: FileKind, layout: Layout) {
  const version = numberIn(database);
  const steps = stepsFrom(kind, version);
  if (steps.length === 0) return undefined;
  const copy = backUp(file, version);
  try {
    reshape(database, layout, steps);
    writeVersion(database, kind);
    return { version, copy };
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

/** The records do not fit the new tables. The message is the end of a sentence. */
class CannotMigrate extends Error {
  override readonly name = 'CannotMigrate';
}

/** Needs a transaction with foreign keys off. Throws `CannotMigrate` where data would be lost. */
function reshape(database: Database.Database, layout: Layout, changes: readonly Changes[]): void {
  const tables = layout.statements.filter((statement) => statement.startsWith('CREATE TABLE'));
  const indexes = layout.statements.filter((statement) => !tables.includes(statement));
  dropOtherIndexes(database, indexes);
  const fills = tables.flatMap((statement) => createOrRebuild(database, layout, statement));
  for (const { moves = [], droppedTables = [] } of changes) {
    for (const sql of moves) database.exec(sql);
    for (const table of droppedTables) database.exec(`DROP TABLE IF EXISTS ${quoted(table)}`);
  }
  const existing = definitions(database, 'index');
  for (const statement of indexes) if (!existing.has(nameIn(statement))) database.exec(statement);
  // Tree keys are computed from the top down, which needs the indexes.
  for (const fill of fills) database.exec(fill);
  checkReferences(database);
}

function dropOtherIndexes(database: Database.Database, wanted: readonly string[]): void {
  for (const [name, sql] of definitions(database, 'index'))
    if (!wanted.includes(sql)) database.exec(`DROP INDEX ${quoted(name)}`);
}

/** Answers the SQL that fills in derived data once all tables and indexes exist. */
function createOrRebuild(database: Database.Database, { keys, fills }: Layout, statement: string): readonly string[] {
  const table = nameIn(statement);
  const before = definitions(database, 'table').get(table);
  if (before === undefined) {
    database.exec(statement);
    const fill = fills.get(table);
    return fill === undefined ? [] : [fill];
  }
  if (before === statement) return [];
  const computed = keys.get(table) ?? [];
  const columns = columnsOf(database, table);
  rebuild(database, table, statement, columns, computed);
  checkNoColumnLost(database, table, columns);
  return computed.some(({ name, rule }) => rule === 'tree key' && !columns.includes(name)) ? [treeFill(table)] : [];
}

function checkNoColumnLost(database: Database.Database, table: string, before: readonly string[]): void {
  const columns = columnsOf(database, table);
  const lost = before.filter((name) => !columns.includes(name));
  if (lost.length > 0) throw new CannotMigrate(`this pm has no place for ${lost.join(', ')} of its table ${table}`);
}

function checkReferences(database: Database.Database): void {
  const [broken] = database.pragma('foreign_key_check') as readonly { table: string; parent: string }[];
  if (broken)
    throw new CannotMigrate(`a record of ${broken.table} names a record of ${broken.parent} that is not there`);
}

/** The SQL of each table or index by its name, without the automatic ones. */
function definitions(database: Database.Database, type: 'table' | 'index'): ReadonlyMap<string, string> {
  const found = database.prepare<[string], [string, string]>(
    "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql NOT NULL AND name NOT LIKE 'sqlite%'",
  );
  return new Map(found.raw().all(type) as [string, string][]);
}

const nameIn = (statement: string): string => /^CREATE (?:UNIQUE )?\w+ "?([^" ]+)/.exec(statement)?.[1] ?? '';

function addKeyFunctions(database: Database.Database): void {
  const known = { deterministic: true };
  const unlessNull = (rule: (text: string) => string) => (value: unknown) =>
    value === null ? null : rule(String(value));
  database.function('text_key', known, unlessNull(textKey));
  database.function('instant_key', known, unlessNull(instantKey));
  database.function('tree_key', known, treeKey as (...parts: unknown[]) => unknown);
}

const columnsOf = (database: Database.Database, table: string): readonly string[] =>
  database.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);

/**
 * Replaces a table by the one that `statement` creates. Needs a transaction with foreign keys off and legacy_alter_table
 * on, so that the references of other tables stay unchanged. Drops the indexes of the table. New columns are computed where
 * they are keys; otherwise they get their default.
 */
function rebuild(
  database: Database.Database,
  table: string,
  statement: string,
  before: readonly string[],
  keys: readonly Key[],
): void {
  const old = `${table}$old`;
  for (const index of indexesOn(database, table)) database.exec(`DROP INDEX ${quoted(index)}`);
  database.exec(`ALTER TABLE ${quoted(table)} RENAME TO ${quoted(old)}`);
  database.exec(statement);
  const filled = columnsOf(database, table).flatMap((name) => {
    const value = sourceSql(name, before, keys);
    return value === undefined ? [] : [{ name: quoted(name), value }];
  });
  database.exec(`INSERT INTO ${quoted(table)} (${filled.map(({ name }) => name).join(', ')})
  SELECT ${filled.map(({ value }) => value).join(', ')} FROM ${quoted(old)}`);
  keepSequence(database, old, table);
  database.exec(`DROP TABLE ${quoted(old)}`);
}

const indexesOn = (database: Database.Database, table: string): readonly string[] =>
  database
    .prepare<[string], string>("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql NOT NULL")
    .pluck()
    .all(table);

function sourceSql(name: string, before: readonly string[], keys: readonly Key[]): string | undefined {
  if (before.includes(name)) return quoted(name);
  const key = keys.find((one) => one.name === name);
  if (!key || key.rule === 'tree key' || !before.includes(key.from)) return undefined;
  return `${key.rule === 'text key' ? 'text_key' : 'instant_key'}(${quoted(key.from)})`;
}

/** Keeps the AUTOINCREMENT sequence, so that numbers of deleted rows are not reused. */
function keepSequence(database: Database.Database, old: string, table: string): void {
  database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
  database.prepare('UPDATE sqlite_sequence SET name = ? WHERE name = ?').run(table, old);
}
