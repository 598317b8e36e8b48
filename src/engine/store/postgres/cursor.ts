// Reads a list page by page, so that none is ever whole in memory: by a cursor, in a transaction that only reads.
import type { Bound, Raw } from '../sql/steps.ts';
import { readAgain } from './again.ts';
import type { Connection } from './connection.ts';
import type { Pool } from './pool.ts';

/** The rows that are read at once. */
export const PAGE = 500;

/** A reader may be as slow as it likes: it locks nothing. */
const BEGIN = (isolation: string): string =>
  `BEGIN ISOLATION LEVEL ${isolation} READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0`;
const BEGIN_LIST = BEGIN('READ COMMITTED');
export const BEGIN_SNAPSHOT = BEGIN('REPEATABLE READ');

/**
 * The rows of a statement, on a connection of its own. A list of one page has given it back before its first row is
 * answered, so that who reads it may ask for more.
 */
export async function* listed(pool: Pool, sql: string, params: readonly Bound[]): AsyncGenerator<Raw> {
  const begun = await readAgain(() => firstPage(pool, sql, params), pool.patience);
  yield* begun.rows;
  if (!begun.connection) return;
  try {
    yield* furtherPages(begun.connection, 'list');
  } finally {
    await endReading(begun.connection);
    pool.giveBack(begun.connection);
  }
}

interface FirstPage {
  readonly rows: readonly Raw[];
  /** Undefined where there are no further ones. */
  readonly connection: Connection | undefined;
}

async function firstPage(pool: Pool, sql: string, params: readonly Bound[]): Promise<FirstPage> {
  const connection = await pool.borrow();
  let isMore = false;
  try {
    connection.ahead(BEGIN_LIST);
    const rows = await declared(connection, 'list', sql, params);
    isMore = rows.length === PAGE;
    return { rows, connection: isMore ? connection : undefined };
  } finally {
    if (!isMore) {
      await endReading(connection);
      pool.giveBack(connection);
    }
  }
}

/** Opens a cursor in the current transaction; answers its first page. */
async function declared(
  connection: Connection,
  name: string,
  sql: string,
  params: readonly Bound[],
): Promise<readonly Raw[]> {
  connection.ahead(`DECLARE ${name} NO SCROLL CURSOR FOR ${sql}`, params);
  return nextPage(connection, name);
}

/** What is left of a cursor. */
async function* furtherPages(connection: Connection, name: string): AsyncGenerator<Raw> {
  for (let rows = await nextPage(connection, name); rows.length > 0; rows = await nextPage(connection, name))
    yield* rows;
}

const nextPage = async (connection: Connection, name: string): Promise<readonly Raw[]> =>
  (await connection.exec(`FETCH ${PAGE} FROM ${name}`)).rows;

/** The rows of a statement in the current transaction. Other statements may be asked between two pages. */
export async function* pagesOf(
  connection: Connection,
  name: string,
  sql: string,
  params: readonly Bound[],
): AsyncGenerator<Raw> {
  const rows = await declared(connection, name, sql, params);
  try {
    yield* rows;
    if (rows.length === PAGE) yield* furtherPages(connection, name);
  } finally {
    connection.ahead(`CLOSE ${name}`);
  }
}

/** Ends a transaction that has only read. A connection on which that fails is not used again. */
export async function endReading(connection: Connection): Promise<void> {
  if (!connection.isLost()) await connection.exec('ROLLBACK').catch(() => connection.close());
}
