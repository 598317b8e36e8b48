// Read connections, and the one snapshot that all reads of one turn of the event loop share: to take one costs more
// than a read.
import type { Reader } from '../port.ts';
import type { Connection } from './connection.ts';

interface Views {
  /** Runs `work` on one view. It is as new as the turn, and newer than every commit of ours. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** A text that is another one after every commit, by whomever. */
  version(): string;
  /** Whoever reads from now on sees what we have just committed. */
  renew(): void;
}

interface View {
  readonly connection: Connection;
  readonly reader: Reader;
  readonly version: string;
  readonly began: number;
  users: number;
  isOver: boolean;
}

/** Milliseconds after which a view is old, even where the turn is a long one: another program may have written meanwhile. */
const OLD = 5;

/** Milliseconds that only grow. `performance` says the same, and loads a module of Node for it. */
function clock(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** `readerOn` makes the handle by which a connection is read. */
export function viewsOf(pool: Pool, readerOn: (connection: Connection) => Reader): Views {
  const known = new WeakMap<Connection, { readonly serial: number; readonly reader: Reader }>();
  let lastSerial = 0;
  let current: View | undefined;
  const on = (connection: Connection) => {
    const found = known.get(connection) ?? { serial: ++lastSerial, reader: readerOn(connection) };
    known.set(connection, found);
    return found;
  };
  const opened = (): View => {
    const connection = pool.borrow();
    try {
      connection.run('BEGIN');
      const { serial, reader } = on(connection);
      // SQLite counts the commits of others for each connection by itself.
      const version = `${serial} ${String(connection.one('PRAGMA data_version')?.[0])}`;
      return { connection, reader, version, began: clock(), users: 0, isOver: false };
    } catch (error) {
      finish(pool, connection);
      throw error;
    }
  };
  /** Ends a view when nobody looks at it any more. */
  const leave = (view: View): void => {
    if (current === view || view.users > 0 || view.isOver) return;
    view.isOver = true;
    finish(pool, view.connection);
  };
  const retire = (view: View): void => {
    if (current === view) current = undefined;
    leave(view);
  };
  const now = (): View => {
    if (current && clock() - current.began > OLD) retire(current);
    if (current) return current;
    const view = opened();
    current = view;
    setImmediate(() => retire(view));
    return view;
  };
  return {
    async read(work) {
      const view = now();
      view.users++;
      try {
        return await work(view.reader);
      } finally {
        view.users--;
        leave(view);
      }
    },
    version: () => now().version,
    renew() {
      if (current) retire(current);
    },
  };
}

function finish(pool: Pool, connection: Connection): void {
  try {
    if (connection.isInTransaction()) connection.run('COMMIT');
  } finally {
    pool.giveBack(connection);
  }
}

export interface Pool {
  borrow(): Connection;
  giveBack(connection: Connection): void;
  /** Closes what is not lent out now, and the rest as it is given back. */
  close(): void;
}

const KEPT = 4;

export function poolOf(open: () => Connection): Pool {
  const idle: Connection[] = [];
  let isClosed = false;
  return {
    borrow: () => idle.pop() ?? open(),
    giveBack(connection) {
      if (isClosed || idle.length >= KEPT) connection.close();
      else idle.push(connection);
    },
    close() {
      isClosed = true;
      for (const connection of idle.splice(0)) connection.close();
    },
  };
}

export function reading<T>(pool: Pool, work: (connection: Connection) => T): T {
  const connection = pool.borrow();
  try {
    connection.run('BEGIN');
    try {
      return work(connection);
    } finally {
      connection.run('COMMIT');
    }
  } finally {
    pool.giveBack(connection);
  }
}
