// Reads on connections of their own: a list page by page, by a cursor, so that none is ever whole in memory; and several reads
// on one state of the data, in a transaction that only reads. A single statement needs none.
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../../contract/errors.ts';
import type { Runs } from '../port.ts';
import type { Bound, Raw, Steps } from '../sql/steps.ts';
import { readAgain } from './again.ts';
import { type Answers, answered } from './answered.ts';
import type { Connection } from './connection.ts';
import type { Turn } from './list-turns.ts';
import { begunOn, type Pool, rollBack, withConnection } from './pool.ts';

/** The rows that are read at once. */
export const PAGE = 500;

/** A reader may be as slow as it likes: it locks nothing. */
const BEGIN = (isolation: string): string =>
  `BEGIN ISOLATION LEVEL ${isolation} READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0`;
const BEGIN_LIST = BEGIN('READ COMMITTED');
export const BEGIN_SNAPSHOT = BEGIN('REPEATABLE READ');

export interface Lists {
  readonly pool: Pool;
  /** Waits for the turn of one of many readers. */
  readonly turnOf: ((reader: string) => Promise<Turn>) | undefined;
}

/**
 * The rows of a statement, on a connection of its own. It is given back before the first row of the last page is answered, so
 * that who reads a list of one page may ask for more. Throws `overloaded` where its reader was slow and others waited.
 */
export async function* listed(
  { pool, turnOf }: Lists,
  reader: string,
  sql: string,
  params: readonly Bound[],
): AsyncGenerator<Raw> {
  const turn = await turnOf?.(reader);
  let connection: Connection | undefined;
  const giveBack = async (): Promise<void> => {
    turn?.end();
    const ended = connection;
    connection = undefined;
    if (!ended) return;
    await rollBack(ended);
    pool.giveBack(ended);
  };
  // A reader may stop at any row: whatever is yielded stands within the try.
  try {
    let rows: readonly Raw[];
    ({ connection, rows } = await readAgain(() => begunList(pool, sql, params), pool.patience));
    while (rows.length === PAGE) {
      turn?.pause(() => void giveBack());
      yield* rows;
      turn?.resume();
      if (!connection) throw tooSlow();
      rows = await nextPage(connection, 'list');
    }
    await giveBack();
    yield* rows;
  } finally {
    await giveBack();
  }
}

const begunList = (pool: Pool, sql: string, params: readonly Bound[]) =>
  begunOn(pool, async (connection) => {
    connection.ahead(BEGIN_LIST);
    return { connection, rows: await declared(connection, 'list', sql, params) };
  });

const tooSlow = (): ServiceError =>
  new ServiceError('overloaded', 'the list was read too slowly, so the database closed it', {
    hint: 'Run the command again and read faster, for instance into a file.',
  });

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

const nextPage = async (connection: Connection, name: string): Promise<readonly Raw[]> =>
  (await connection.exec(`FETCH ${PAGE} FROM ${name}`)).rows;

/** The rows of a statement in the current transaction. Other statements may be asked between two pages. */
export async function* pagesOf(
  connection: Connection,
  name: string,
  sql: string,
  params: readonly Bound[],
): AsyncGenerator<Raw> {
  let rows = await declared(connection, name, sql, params);
  try {
    while (rows.length === PAGE) {
      yield* rows;
      rows = await nextPage(connection, name);
    }
    yield* rows;
  } finally {
    connection.ahead(`CLOSE ${name}`);
  }
}

/** Reads on one state of the data. */
export interface Snapshot {
  /** Answers as the steps. Quick ones may share a round trip with others. */
  read<T>(steps: () => Steps<T>, areQuick?: boolean): Promise<T>;
  /** The connection, for reading in pages. */
  connection(): Promise<Connection>;
}

/** The first answer of work may be out of date where its second statement begins. */
const CHANGED = new Error('others may have written between two statements');

/**
 * Work that may run `again` reads first without a transaction. It begins with the second read, where the first one is read
 * again: if that answers otherwise, or needs several statements, the work runs again. `quick` answers first reads that are.
 */
export async function inSnapshot<T>(
  pool: Pool,
  runs: Runs,
  work: (snapshot: Snapshot) => Promise<T>,
  quick?: Answers,
): Promise<T> {
  if (runs === 'again') {
    try {
      return await fromSecondRead(pool, work, quick);
    } catch (error) {
      if (error !== CHANGED) throw error;
    }
  }
  const connection = await readAgain(() => begun(pool), pool.patience);
  try {
    return await work({ read: (steps) => answered(connection, steps()), connection: async () => connection });
  } finally {
    end(pool, connection);
  }
}

async function fromSecondRead<T>(pool: Pool, work: (snapshot: Snapshot) => Promise<T>, quick?: Answers): Promise<T> {
  let first: { readonly steps: () => Steps<unknown>; readonly answer: Promise<unknown> } | undefined;
  let opened: Promise<Connection> | undefined;
  const connection = (): Promise<Connection> => {
    opened ??= readAgain(() => begun(pool), pool.patience).then(async (begun) => {
      try {
        if (!first || isDeepStrictEqual(await first.answer, await answered(begun, first.steps()))) return begun;
        throw CHANGED;
      } catch (error) {
        end(pool, begun);
        throw error;
      }
    });
    return opened;
  };
  try {
    return await work({
      async read(steps, areQuick = false) {
        if (first || opened) return answered(await connection(), steps());
        const once = (answers: Answers) => answered(onceOn(answers), steps());
        const answer = readAgain(() => (areQuick && quick ? once(quick) : withConnection(pool, once)), pool.patience);
        first = { steps, answer };
        return answer;
      },
      connection,
    });
  } finally {
    void opened?.then(
      (begun) => end(pool, begun),
      () => undefined,
    );
  }
}

/** Answers one statement. Throws `CHANGED` for a second one. */
function onceOn(connection: Answers): Answers {
  let asked = 0;
  return {
    ask(sql, params) {
      if (asked++ > 0) throw CHANGED;
      return connection.ask(sql, params);
    },
  };
}

const begun = (pool: Pool): Promise<Connection> =>
  begunOn(pool, async (connection) => {
    await connection.exec(BEGIN_SNAPSHOT);
    return connection;
  });

/** The end of a transaction that has only read is not waited for. */
const end = (pool: Pool, connection: Connection): void =>
  void rollBack(connection).then(() => pool.giveBack(connection));
