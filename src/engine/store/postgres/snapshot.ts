// Runs reads on one state of the data: in a transaction that only reads. A single read needs none.
import { isDeepStrictEqual } from 'node:util';
import type { Runs } from '../port.ts';
import type { Steps } from '../sql/steps.ts';
import { readAgain } from './again.ts';
import { answered } from './answered.ts';
import type { Connection } from './connection.ts';
import { BEGIN_SNAPSHOT, endReading } from './cursor.ts';
import { type Pool, withConnection } from './pool.ts';

/** What reads on one state of the data. */
export interface Snapshot {
  /** Answers what the steps end with. */
  read<T>(steps: () => Steps<T>): Promise<T>;
  /** The connection, for what is read in pages. */
  connection(): Promise<Connection>;
}

/** What work has read first is not so any more where its second read begins. */
const CHANGED = new Error('others have written between two reads');

/**
 * Work that may run `again` reads first without a transaction. It begins with the second read, where the first one is read
 * again: if that answers otherwise, the work runs again.
 */
export async function inSnapshot<T>(pool: Pool, runs: Runs, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  if (runs === 'again') {
    try {
      return await fromSecondRead(pool, work);
    } catch (error) {
      if (error !== CHANGED) throw error;
    }
  }
  const connection = await readAgain(() => begun(pool), pool.patience);
  try {
    return await work({
      read: (steps) => answered(connection, steps()),
      connection: async () => connection,
    });
  } finally {
    end(pool, connection);
  }
}

async function fromSecondRead<T>(pool: Pool, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
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
      async read(steps) {
        if (first || opened) return answered(await connection(), steps());
        const answer = readAgain(() => withConnection(pool, (alone) => answered(alone, steps())), pool.patience);
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

async function begun(pool: Pool): Promise<Connection> {
  const connection = await pool.borrow();
  try {
    await connection.exec(BEGIN_SNAPSHOT);
    return connection;
  } catch (error) {
    pool.giveBack(connection);
    throw error;
  }
}

/** Nobody waits for the end of a transaction that has only read. */
const end = (pool: Pool, connection: Connection): void =>
  void endReading(connection).then(() => pool.giveBack(connection));
