// The kind of a file and the version of its tables, as the file stores them.
import type Database from 'better-sqlite3';
import { FIND_CLONE, otherKind } from '../../clone/mark.ts';
import { areNewest, CLONE, type FileKind, newestOf } from '../../schema/versions.ts';
import type { Raw } from '../../sql/steps.ts';
import { codeOf, moveAway, unusable } from '../failure.ts';

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
  const version = { place: file, number, sha256: hashIn(database, number), another: moveAway(file) };
  if (!areNewest(kind, version)) throw new Outdated(number);
}

function checkKind(file: string, database: Database.Database, wanted: FileKind): void {
  const kind = Number(database.pragma('application_id', { simple: true }));
  if (kind === wanted.applicationID) return;
  const clone = kind === CLONE.applicationID ? (database.prepare(FIND_CLONE).raw().get() as Raw) : undefined;
  const another = moveAway(file);
  const ours = otherKind({ place: file, kind, another, clone }, wanted);
  throw ours ?? unusable(file, 'is a database of another program, not one of ours', another);
}

/** The stored hash of a version; undefined where there is none. */
function hashIn(database: Database.Database, number: number): unknown {
  try {
    return database.prepare(FIND).pluck().get(number);
  } catch (error) {
    if (codeOf(error) === 'SQLITE_ERROR') return undefined;
    throw error;
  }
}
