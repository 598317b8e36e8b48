// Connections that are used again. Where all are in use, work waits for one, and not for ever.
import { ServiceError } from '../../../contract/errors.ts';
import { type Patience, patienceOf } from './again.ts';
import type { Connection } from './connection.ts';

interface PoolOptions {
  readonly most: number;
  /** How long to wait for one, in milliseconds. */
  readonly waitMs: number;
  /** That of all connections to the server. */
  readonly patience?: Patience;
}

/** An unused connection is closed after so long, so that the server has it for others. */
const UNUSED_MS = 30_000;

export type Pool = ReturnType<typeof poolOf>;

export function poolOf(connect: () => Promise<Connection>, { most, waitMs, patience = patienceOf() }: PoolOptions) {
  /** Each is handed a connection; undefined if another one may be opened. */
  const waiting: Waiting<Connection | undefined>[] = [];
  const resting: (() => void)[] = [];
  /** Connections that nothing uses, each with the timer that closes it. The last one is used first: others come to their end. */
  const unused = new Map<Connection, NodeJS.Timeout>();
  let open = 0;
  let isClosed = false;
  const take = (connection: Connection): void => {
    clearTimeout(unused.get(connection));
    unused.delete(connection);
  };
  const end = async (connection: Connection): Promise<void> => {
    take(connection);
    open--;
    await connection.close();
  };
  const rest = (): void => {
    if (open > unused.size) return;
    for (const resolve of resting.splice(0)) resolve();
  };
  const connected = async (): Promise<Connection> => {
    open++;
    try {
      return await connect();
    } catch (error) {
      open--;
      waiting[0]?.go(undefined);
      rest();
      throw error;
    }
  };
  const borrow = async (): Promise<Connection> => {
    for (const last of [...unused.keys()].reverse()) {
      take(last);
      if (!last.isLost()) return last;
      void end(last);
    }
    if (open < most) return connected();
    return (await turnIn(waiting, '', waitMs)) ?? borrow();
  };
  return {
    /** How long the server is waited for where it has gone away. */
    patience,
    /** Throws `overloaded` where none becomes free in time, and the errors of connecting. */
    borrow,
    giveBack(connection: Connection): void {
      const isOver = connection.isLost() || (isClosed && waiting.length === 0);
      if (isOver) void end(connection);
      else connection.renewPlans();
      const [next] = waiting;
      if (next) next.go(isOver ? undefined : connection);
      else if (!isOver) unused.set(connection, setTimeout(() => void end(connection), UNUSED_MS).unref());
      rest();
    },
    /** Resolves when none is in use. */
    idle: (): Promise<void> =>
      new Promise((resolve) => {
        resting.push(resolve);
        rest();
      }),
    /** Closes the unused connections now, and the others when they are given back. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([...unused.keys()].map(end));
    },
  };
}

/** Runs `work` on a connection of its own. */
export async function withConnection<T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await pool.borrow();
  return work(connection).finally(() => pool.giveBack(connection));
}

/** Begins a transaction on a connection. Where that fails, it is given back. */
export async function begunOn<T>(pool: Pool, begin: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await pool.borrow();
  try {
    return await begin(connection);
  } catch (error) {
    await rollBack(connection);
    pool.giveBack(connection);
    throw error;
  }
}

/** A connection on which that fails is not used again; without it the server rolls back itself. */
export async function rollBack(connection: Connection): Promise<void> {
  if (!connection.isLost()) await connection.exec('ROLLBACK').catch(() => connection.close());
}

export interface Waiting<T> {
  readonly who: string;
  /** Ends the waiting with a turn. */
  go(turn: T): void;
}

/** Waits until `go` is called. Throws `overloaded` where that does not happen in time. */
export function turnIn<T>(waiting: Waiting<T>[], who: string, waitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      waiting.splice(waiting.indexOf(mine), 1);
    };
    const mine: Waiting<T> = {
      who,
      go(turn) {
        leave();
        resolve(turn);
      },
    };
    const timer = setTimeout(() => {
      leave();
      reject(exhausted(waitMs));
    }, waitMs);
    waiting.push(mine);
  });
}

const exhausted = (waitMs: number): ServiceError =>
  new ServiceError('overloaded', `no connection to the database became free within ${waitMs / 1000} seconds`, {
    hint: 'Nothing was changed. Run it again when there is less to do.',
  });
