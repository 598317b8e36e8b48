// What takes the room of a database file, and how it is made smaller.
import type { FileKind } from './schema/versions.ts';
import { wholeSince } from './sql/lines.ts';
import { BUSY_TIMEOUT_MS, type Connection, connect } from './sqlite/connection.ts';
import { SQLITE } from './sqlite/dialect.ts';
import { closedAfter } from './sqlite/driver.ts';

const SIZE_OF = `SELECT ifnull(sum(pgsize), 0) FROM dbstat WHERE aggregate = TRUE AND name IN (
  SELECT name FROM sqlite_schema WHERE tbl_name IN (SELECT value FROM json_each(?)))`;
const HAS_HISTORY = "SELECT 1 FROM sqlite_schema WHERE name = 'line'";

/** Sizes in bytes, with indexes. Reads all pages of history and journal. Throws `storage`, `busy`. */
export const fileUseOf = (file: string, kind: FileKind) =>
  closedAfter(connect(file, 'read', undefined, kind), (connection) => {
    const number = (sql: string, ...params: string[]): number => Number(connection.one(sql, params)?.[0]);
    const sizeOf = (...tables: string[]): number => number(SIZE_OF, JSON.stringify(tables));
    const page = number('PRAGMA page_size');
    return {
      size: number('PRAGMA page_count') * page,
      /** What could be given back. */
      free: number('PRAGMA freelist_count') * page,
      history: historyIn(connection, sizeOf),
      jobs: {
        count: number("SELECT count(*) FROM job WHERE State <> 'pruned'"),
        size: sizeOf('job', 'job_plan', 'job_state', 'job_mark'),
      },
    };
  });

/** Undefined if the file holds no history. */
function historyIn(connection: Connection, sizeOf: (...tables: string[]) => number) {
  if (!connection.one(HAS_HISTORY)) return undefined;
  const since = connection.one(wholeSince(SQLITE))?.[0] ?? undefined;
  if (since === undefined) return undefined;
  const lines = Number(connection.one('SELECT count(*) FROM line')?.[0]);
  return { since: new Date(Number(since)), lines, size: sizeOf('line', 'line_name') };
}

/** Some 8 MiB: others wait for each piece. */
const PAGES = 2_000;
const INCREMENTAL = 2;

/**
 * Gives back the free pages of a file that is in use by others. Yields after each piece, and answers how many bytes smaller
 * the file is. Throws `busy`, `storage`, `disk_full`.
 */
export async function* compact(file: string, kind: FileKind): AsyncGenerator<void, number> {
  const connection = connect(file, 'write', BUSY_TIMEOUT_MS, kind);
  try {
    const pages = numberOf(connection, 'page_count');
    // Another program may have written the file anew, so that it cannot become smaller.
    const isIncremental = numberOf(connection, 'auto_vacuum') === INCREMENTAL;
    while (isIncremental && numberOf(connection, 'freelist_count') > 0) {
      connection.exec(`PRAGMA incremental_vacuum(${PAGES})`);
      yield;
    }
    connection.all('PRAGMA wal_checkpoint(TRUNCATE)');
    return (pages - numberOf(connection, 'page_count')) * numberOf(connection, 'page_size');
  } finally {
    connection.close();
  }
}

const numberOf = (connection: Connection, pragma: string): number => Number(connection.one(`PRAGMA ${pragma}`)?.[0]);
