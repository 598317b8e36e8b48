// A connection to the database file: its pragmas, its prepared statements, its errors as service errors.
import { type Stats, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { folded } from '../../../text/folded.ts';
import { DATABASE } from '../schema/versions.ts';
import { type Bound, type Raw, unusable } from '../sql/steps.ts';
import { openDatabase } from './driver.ts';
import { explained, moveAway } from './failure.ts';
import { checkVersion, writeVersion } from './file/version.ts';
import { checkWal } from './file/wal-beside.ts';

export interface Connection {
  readonly file: string;
  one(sql: string, params?: readonly Bound[]): Raw | undefined;
  /** Also the answer of a statement about the rows that it changes. */
  all(sql: string, params?: readonly Bound[]): readonly Raw[];
  /** Reads one state of the data until the last row, or until the consumer stops. */
  stream(sql: string, params?: readonly Bound[]): IterableIterator<Raw>;
  /** Answers the number of changed rows. */
  run(sql: string, params?: readonly Bound[]): number;
  runEach(sql: string, rows: readonly (readonly Bound[])[]): void;
  exec(sql: string): void;
  isInTransaction(): boolean;
  close(): void;
}

/** One connection, or a pool of them. */
export type Answering = Pick<Connection, 'one' | 'all' | 'run' | 'runEach' | 'stream'>;

/** How long a connection waits for another process's write. */
export const BUSY_TIMEOUT_MS = 10_000;
const OLDEST_SQLITE = '3.51.3';
/** The file is in the memory of the operating system besides. */
const WRITER_CACHE_MIB = 8;
/** As errors name its file. */
const TEMPORARY = 'a temporary file';

/**
 * Opens an existing database. `cacheMib`: the memory of a write connection. Throws `Outdated` for an older one,
 * `storage` for one that is not ours, `busy`, ….
 */
export function connect(
  file: string,
  role: 'read' | 'write',
  busyMs = BUSY_TIMEOUT_MS,
  kind = DATABASE,
  cacheMib = WRITER_CACHE_MIB,
): Connection {
  checkFile(file);
  return openPrepared(file, busyMs, (database) => {
    setPragmas(database, role, cacheMib);
    checkVersion(file, database, kind);
    if (role === 'write') database.pragma('journal_mode = WAL');
  });
}

/** Opens an empty file and creates the tables in it. */
export function connectNew(file: string, ddl: string, kind = DATABASE): Connection {
  return openPrepared(file, BUSY_TIMEOUT_MS, (database) => {
    setPragmas(database, 'write', WRITER_CACHE_MIB);
    // Before the first table: the room of deleted rows can be given back in pieces.
    database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('journal_mode = WAL');
    database.transaction(() => {
      database.exec(ddl);
      database.pragma(`application_id = ${kind.applicationID}`);
      writeVersion(database, kind);
    })();
  });
}

/**
 * Opens a new database of this connection alone, with these tables. What memory does not take is in a temporary file, which
 * the system deletes however the process ends.
 */
export function connectTemporary(ddl: readonly string[]): Connection {
  return openPrepared('', BUSY_TIMEOUT_MS, (database) => {
    // Records may stand before those that they name, and nothing is read after a failure.
    database.pragma('foreign_keys = OFF');
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    // Many rows are written faster than with smaller pages.
    database.pragma('page_size = 16384');
    database.pragma(`cache_size = -${WRITER_CACHE_MIB * 1024}`);
    database.exec(ddl.join(';\n'));
  });
}

function openPrepared(file: string, timeout: number, prepare: (database: Database.Database) => void): Connection {
  let database: Database.Database | undefined;
  try {
    database = openDatabase(file, { fileMustExist: file !== '', timeout });
    checkSqlite(String(database.prepare('SELECT sqlite_version()').pluck().get()));
    database.pragma('trusted_schema = OFF');
    defineFunctions(database);
    prepare(database);
    return connectionOn(file || TEMPORARY, database);
  } catch (error) {
    database?.close();
    throw explained(file || TEMPORARY, error);
  }
}

/** Without an index a search takes the time of one scan: only a function can fold texts in it. */
function defineFunctions(database: Database.Database): void {
  database.function('holds_folded', { deterministic: true }, (text, wanted) =>
    Number(folded(String(text)).includes(String(wanted))),
  );
}

/** Throws `storage` for a version of SQLite that can lose data in WAL mode. */
export function checkSqlite(version: string): void {
  if (isAtLeast(version, OLDEST_SQLITE)) return;
  throw unusable('engine', `needs SQLite ${OLDEST_SQLITE} or newer; this is ${version}`, 'Run npm ci to install it.');
}

/** Not by `localeCompare`: its first call loads the rules of all locales, which takes longer than a whole command. */
function isAtLeast(version: string, oldest: string): boolean {
  const wanted = oldest.split('.').map(Number);
  const parts = version.split('.').map(Number);
  const differs = wanted.findIndex((number, i) => parts[i] !== number);
  return differs < 0 || (parts[differs] ?? 0) > (wanted[differs] ?? 0);
}

function checkFile(file: string): void {
  let found: Stats;
  try {
    found = statSync(file);
  } catch (error) {
    throw explained(file, error);
  }
  if (found.isDirectory()) throw unusable(file, 'is a folder, not a file', 'Name a file in it.');
  if (!found.isFile()) throw unusable(file, 'is not an ordinary file', moveAway(file));
  if (found.size === 0) throw unusable(file, 'is empty', `It holds no records and no tables. ${moveAway(file)}`);
  checkWal(file);
}

function setPragmas(database: Database.Database, role: 'read' | 'write', cacheMib: number): void {
  database.pragma('foreign_keys = ON');
  database.pragma('synchronous = FULL');
  if (role === 'read') database.pragma('query_only = ON');
  else database.pragma(`cache_size = -${cacheMib * 1024}`);
}

function connectionOn(file: string, database: Database.Database): Connection {
  const statements = new Map<string, Database.Statement>();
  const explaining = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw explained(file, error);
    }
  };
  const prepared = (sql: string): Database.Statement => {
    const known = statements.get(sql);
    if (known && !known.busy) return known;
    const statement = database.prepare(sql);
    if (statement.reader) statement.raw();
    statements.set(sql, statement);
    return statement;
  };
  return {
    file,
    one: (sql, params = []) => explaining(() => prepared(sql).get(...params) as Raw | undefined),
    all: (sql, params = []) => explaining(() => prepared(sql).all(...params) as readonly Raw[]),
    *stream(sql, params = []) {
      try {
        yield* prepared(sql).iterate(...params) as IterableIterator<Raw>;
      } catch (error) {
        throw explained(file, error);
      }
    },
    run: (sql, params = []) => explaining(() => prepared(sql).run(...params).changes),
    runEach: (sql, rows) =>
      explaining(() => {
        const statement = prepared(sql);
        for (const row of rows) statement.run(row);
      }),
    exec: (sql) => explaining(() => database.exec(sql)),
    isInTransaction: () => database.inTransaction,
    close: () => explaining(() => database.close()),
  };
}
