// Connections that are used again. Where all are in use, work waits for one, and not for ever.
import { ServiceError } from '../../../contract/errors.ts';
import { type Patience, patienceOf } from './again.ts';
import type { Connection } from './connection.ts';

export interface Pool {
  /** How long the server is waited for where it has gone away. */
  readonly patience: Patience;
  /** Throws `overloaded` where none becomes free in time, and what connecting throws. */
  borrow(): Promise<Connection>;
  giveBack(connection: Connection): void;
  /** Resolves when none is in use. */
  idle(): Promise<void>;
  /** Closes the unused connections now, and the others when they are given back. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly most: number;
  /** How long to wait for one, in milliseconds. */
  readonly waitMs: number;
  /** That of all connections to the server. */
  readonly patience?: Patience;
}

/** An unused connection is closed after so long, so that the server has it for others. */
const UNUSED_MS = 30_000;

export function poolOf(
  connect: () => Promise<Connection>,
  { most, waitMs, patience = patienceOf() }: PoolOptions,
): Pool {
  /** Each is handed a connection; undefined where another one may be opened. */
  const waiting: Waiting<Connection | undefined>[] = [];
  const resting: (() => void)[] = [];
  let open = 0;
  let isClosed = false;
  const end = async (connection: Connection): Promise<void> => {
    open--;
    await connection.close();
  };
  const unused = unusedConnections(end);
  const rest = (): void => {
    if (open > unused.count()) return;
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
    const found = unused.take();
    if (found) return found;
    if (open < most) return connected();
    return (await turnIn(waiting, '', waitMs)) ?? borrow();
  };
  return {
    patience,
    borrow,
    giveBack(connection) {
      const isOver = connection.isLost() || (isClosed && waiting.length === 0);
      if (isOver) void end(connection);
      else connection.renewPlans();
      const [next] = waiting;
      if (next) next.go(isOver ? undefined : connection);
      else if (!isOver) unused.keep(connection);
      rest();
    },
    idle: () =>
      new Promise((resolve) => {
        resting.push(resolve);
        rest();
      }),
    close() {
      isClosed = true;
      return unused.endAll();
    },
  };
}

/** Connections that nothing uses, the last one first: those that are too many come to their end. */
function unusedConnections(end: (connection: Connection) => Promise<void>) {
  const all: Unused[] = [];
  const take = (): Connection | undefined => {
    const last = all.pop();
    if (!last) return undefined;
    clearTimeout(last.timer);
    if (!last.connection.isLost()) return last.connection;
    void end(last.connection);
    return take();
  };
  return {
    count: () => all.length,
    take,
    keep(connection: Connection): void {
      const kept: Unused = {
        connection,
        timer: setTimeout(() => {
          all.splice(all.indexOf(kept), 1);
          void end(connection);
        }, UNUSED_MS).unref(),
      };
      all.push(kept);
    },
    async endAll(): Promise<void> {
      const ended = all.splice(0);
      for (const { timer } of ended) clearTimeout(timer);
      await Promise.all(ended.map(({ connection }) => end(connection)));
    },
  };
}

interface Unused {
  readonly connection: Connection;
  readonly timer: NodeJS.Timeout;
}

/** Runs `work` on a connection of its own. */
export async function withConnection<T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await pool.borrow();
  try {
    return await work(connection);
  } finally {
    pool.giveBack(connection);
  }
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
  /** Ends the waiting with what was waited for. */
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
