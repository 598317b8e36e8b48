// Makes a table anew and carries its rows over, for what ALTER TABLE cannot change.
import type Database from 'better-sqlite3';
import { textKey, treeKey } from '../../../text/text-key.ts';
import { instantKey } from '../schema/keys.ts';
import type { Key, Sources } from '../schema/version-changes.ts';
import { quoted } from '../sql/statements.ts';

/** Gives SQL the functions by which keys are computed. */
export function addKeyFunctions(database: Database.Database): void {
  const known = { deterministic: true };
  const unlessNull = (rule: (text: string) => string) => (value: unknown) =>
    value === null ? null : rule(String(value));
  database.function('text_key', known, unlessNull(textKey));
  database.function('instant_key', known, unlessNull(instantKey));
  database.function('tree_key', known, treeKey as (...parts: unknown[]) => unknown);
}

export const columnsOf = (database: Database.Database, table: string): readonly string[] =>
  database.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);

/**
 * Replaces a table by what `statement` makes, inside a transaction with foreign keys off and legacy_alter_table on: then
 * the references of other tables stay what they are. Its indexes are gone afterwards. Columns without a source are
 * computed where they are keys, and otherwise empty or what their table says.
 */
export function rebuild(
  database: Database.Database,
  table: string,
  statement: string,
  sources: Sources,
  keys: readonly Key[],
): void {
  const old = `${table}$old`;
  for (const index of indexesOn(database, table)) database.exec(`DROP INDEX ${quoted(index)}`);
  database.exec(`ALTER TABLE ${quoted(table)} RENAME TO ${quoted(old)}`);
  database.exec(statement);
  const filled = columnsOf(database, table).flatMap((name) => {
    const value = expressionOf(name, sources, keys);
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

function expressionOf(name: string, sources: Sources, keys: readonly Key[]): string | undefined {
  const source = sources.get(name);
  if (source !== undefined) return quoted(source);
  const key = keys.find((one) => one.name === name);
  const from = key && sources.get(key.from);
  if (from === undefined || key?.rule === 'tree key') return undefined;
  return `${key?.rule === 'text key' ? 'text_key' : 'instant_key'}(${quoted(from)})`;
}

/** A number that was given once is not given again, although its row is gone. */
function keepSequence(database: Database.Database, old: string, table: string): void {
  database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
  database.prepare('UPDATE sqlite_sequence SET name = ? WHERE name = ?').run(table, old);
}
