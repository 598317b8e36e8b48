// The kind of a file and the version of its tables, as the file stores them.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { inQuotes } from '../../../../text/escape.ts';
import { FIND_CLONE, otherKind } from '../../clone/mark.ts';
import { areNewest, CLONE, type FileKind, newestOf } from '../../schema/versions.ts';
import { type Raw, unusable } from '../../sql/steps.ts';
import { codeOf, moveAway } from '../failure.ts';

/** The tables have an older version than this pm creates. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
  readonly version: number;

  constructor(version: number) {
    super(`tables of version ${version}`);
    this.version = version;
  }
}

/** A row for each version that a file has had. */
export const VERSION_TABLE = [
  `CREATE TABLE schema_version (
  Number INTEGER PRIMARY KEY,
  Sha256 TEXT NOT NULL
) STRICT`,
];

const WRITE = 'INSERT OR REPLACE INTO schema_version (Number, Sha256) VALUES (?, ?)';
const FIND = 'SELECT Sha256 FROM schema_version WHERE Number = ?';

export const numberIn = (database: Database.Database): number =>
  Number(database.pragma('user_version', { simple: true }));

/** Stores that the file has the newest tables; part of the transaction that creates them. */
export function writeVersion(database: Database.Database, kind: FileKind): void {
  const { number, sha256 } = newestOf(kind);
  database.prepare(WRITE).run(number, sha256);
  database.pragma(`user_version = ${number}`);
}

/** Throws `storage` for another kind of file or unknown tables, `Outdated` for older tables. */
export function checkVersion(file: string, database: Database.Database, kind: FileKind): void {
  checkKind(file, database, kind);
  const number = numberIn(database);
  const back = (): string => wayBack(file, kind, number);
  const version = { place: file, number, sha256: hashIn(database, number), another: moveAway(file), back };
  if (!areNewest(kind, version)) throw new Outdated(number);
}

/** The name of a copy of a database of that version. An earlier copy is kept: the database may have been restored from it and changed since. */
export function copyName(file: string, version: number, count = 1): string {
  const name = `${file}.version-${version}${count === 1 ? '' : `.${count}`}`;
  return existsSync(name) ? copyName(file, version, count + 1) : name;
}

/** The copies of a database that were made before a migration. */
export const copiesOf = (file: string): readonly string[] =>
  filesNamed(file, '.version-', (rest) => /^\d+(\.\d+)?$/.test(rest));

/** The files beside `file` with a name of its own name, `infix` and a rest that fits. */
export function filesNamed(file: string, infix: string, fits: (rest: string) => boolean): readonly string[] {
  const [folder, start] = [dirname(file), basename(file) + infix];
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && fits(name.slice(start.length)))
    .map((name) => join(folder, name));
}

/** To the last copy that this pm reads; the newer file is kept. */
function wayBack(file: string, kind: FileKind, number: number): string {
  const start = `${file}.version-`.length;
  const [last] = copiesOf(file)
    .filter((copy) => kind.versions.some((version) => version.number === Number.parseInt(copy.slice(start), 10)))
    .map((copy) => ({ copy, at: statSync(copy).mtime }))
    .sort((one, other) => other.at.getTime() - one.at.getTime());
  if (!last) return 'No copy lies beside it that this pm reads.';
  const at = last.at.toISOString().slice(0, 16).replace('T', ' ');
  const away = copyName(file, number);
  return `Or go back to the copy of ${at} UTC: mv ${inQuotes(file)} ${inQuotes(away)} && cp ${inQuotes(last.copy)} ${inQuotes(file)}. What was changed since then is in ${away} alone.`;
}

function checkKind(file: string, database: Database.Database, wanted: FileKind): void {
  const kind = Number(database.pragma('application_id', { simple: true }));
  if (kind === wanted.applicationID) return;
  const clone = kind === CLONE.applicationID ? (database.prepare(FIND_CLONE).raw().get() as Raw) : undefined;
  const another = moveAway(file);
  const ours = otherKind({ place: file, kind, another, clone }, wanted);
  throw ours ?? unusable(file, 'is a database of another program, not one of ours', another);
}

/** The stored hash of a version; undefined if there is none. */
function hashIn(database: Database.Database, number: number): unknown {
  try {
    return database.prepare(FIND).pluck().get(number);
  } catch (error) {
    if (codeOf(error) === 'SQLITE_ERROR') return undefined;
    throw error;
  }
}

/** Opens a connection; migrates an older file before. */
export function connectOrMigrate<Opened>(connectTo: () => Opened, migrateFile: () => void): Opened {
  try {
    return connectTo();
  } catch (error) {
    if (!(error instanceof Outdated)) throw error;
    migrateFile();
    return connectTo();
  }
}
