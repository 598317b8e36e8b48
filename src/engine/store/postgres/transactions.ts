// Runs transactions: one that others were in the way of, or whose connection was cut before its COMMIT, is run again.
import { ServiceError } from '../../../contract/errors.ts';
import type { Runs } from '../port.ts';
import { after, delays, readAgain } from './again.ts';
import { isCommitted, unknownOutcome, writeMarker } from './commit-marker.ts';
import type { Connection } from './connection.ts';
import { codeOf } from './failure.ts';
import type { Pool } from './pool.ts';
import { ABORTED, type Running, type Transaction, transactionOf } from './transaction.ts';

type Work<T> = (transaction: Transaction) => Promise<T>;

/**
 * Runs work in a transaction of its own; durable when it resolves. Throws `busy` and `unreachable` where it was run often
 * enough, `unknown_outcome`, and what the work throws.
 */
export type InTransaction = <T>(work: Work<T>, runs?: Runs) => Promise<T>;

export interface TransactionOptions {
  readonly pool: Pool;
  /** Opens a connection beside the pool. */
  readonly connect: () => Promise<Connection>;
  /** Called with each failure after which work runs again. */
  readonly onRepeat?: ((failure: unknown) => void) | undefined;
}

/** Readers never wait; writers of one site lock its row. A database that is read-only by default stays so. */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';

type Outcome<T> = { readonly answer: T } | { readonly failure: unknown };

export function transactionsOn({ pool, connect, onRepeat }: TransactionOptions): InTransaction {
  const sites = turns();
  return async <T>(work: Work<T>, runs: Runs = 'again') => {
    const next = delays(pool.patience);
    for (;;) {
      const outcome = await attempt<T>(pool, sites, connect, work);
      if ('answer' in outcome) return outcome.answer;
      const { failure } = outcome;
      const delay = next(failure);
      if (delay === undefined) throw failure;
      if (runs === 'once') throw notAgain(failure);
      onRepeat?.(failure);
      await after(delay);
    }
  };
}

const notAgain = (cause: unknown): ServiceError =>
  new ServiceError('busy', `the change would have to be run again: ${(cause as Error).message}`, {
    hint: 'Nothing of it was kept. Run it again.',
    cause,
  });

async function attempt<T>(
  pool: Pool,
  sites: Turns,
  connect: () => Promise<Connection>,
  work: Work<T>,
): Promise<Outcome<T>> {
  let connection: Connection | undefined;
  let endTurn = (): void => undefined;
  const begin = async (site: string | undefined): Promise<Connection> => {
    if (site !== undefined) endTurn = await sites.take(site);
    connection = await readAgain(() => begun(pool), pool.patience);
    return connection;
  };
  const running = transactionOf(begin);
  try {
    const answer = await work(running.transaction);
    await running.end();
    const failure = running.failedBy();
    if (failure !== undefined) throw failure;
    if (connection && running.hasChanged()) await commit(connection, { pool, connect }, running);
    else if (connection) await rollBack(connection);
    return { answer };
  } catch (error) {
    await running.end();
    if (connection) await rollBack(connection);
    return { failure: running.failedBy() ?? (codeOf(error) === ABORTED ? running.spoiledBy() : error) };
  } finally {
    if (connection) pool.giveBack(connection);
    endTurn();
  }
}

async function begun(pool: Pool): Promise<Connection> {
  const connection = await pool.borrow();
  try {
    await connection.exec(BEGIN);
    return connection;
  } catch (error) {
    pool.giveBack(connection);
    throw error;
  }
}

type Server = Pick<TransactionOptions, 'pool' | 'connect'>;

/** Where the answer of the COMMIT is lost, looks whether it became durable all the same. */
async function commit(connection: Connection, server: Server, running: Running): Promise<void> {
  const token = await writeMarker(connection);
  try {
    const { did } = await connection.exec('COMMIT');
    // The server rolls back what a statement has spoiled, and calls that no error.
    if (did !== 'COMMIT') throw running.spoiledBy() ?? new Error(`the server said ${did} instead of COMMIT`);
  } catch (error) {
    if (!connection.isLost()) throw error;
    if (!(await isKept(server, connection.id, token, error))) throw error;
  }
}

/** Did the COMMIT that failed with this error become durable all the same? Throws `unknown_outcome`. */
async function isKept({ pool, connect }: Server, id: string, token: string, error: unknown): Promise<boolean> {
  try {
    return await readAgain(async () => {
      const connection = await connect();
      try {
        return await isCommitted(connection, id, token);
      } finally {
        await connection.close();
      }
    }, pool.patience);
  } catch (why) {
    throw unknownOutcome(error, why);
  }
}

/** A connection on which that fails is not used again; without it the server rolls back itself. */
async function rollBack(connection: Connection): Promise<void> {
  if (connection.isLost()) return;
  await connection.exec('ROLLBACK').catch(() => connection.close());
}

/** What waits for its turn holds no connection, which the work on other sites needs. */
interface Turns {
  /** Waits for the turn; to be called by what is then called at its end. */
  take(of: string): Promise<() => void>;
}

function turns(): Turns {
  const last = new Map<string, Promise<void>>();
  return {
    async take(of) {
      const before = last.get(of);
      let end = (): void => undefined;
      const mine = new Promise<void>((resolve) => {
        end = resolve;
      });
      last.set(of, mine);
      await before;
      return () => {
        if (last.get(of) === mine) last.delete(of);
        end();
      };
    },
  };
}
