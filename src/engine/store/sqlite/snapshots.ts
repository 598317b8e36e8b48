// Read connections, and the one snapshot that all reads of one turn of the event loop share: to take one costs more
// than a read.
import type { Reader } from '../port.ts';
import type { Connection } from './connection.ts';

interface Snapshots {
  /** Runs `work` on one view. It is as new as the turn, and newer than every commit of ours. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** A text that is another one after every commit, by whomever. */
  version(): string;
  /** Whoever reads from now on sees what we have just committed. */
  refresh(): void;
}

interface Snapshot {
  readonly connection: Connection;
  readonly reader: Reader;
  readonly version: string;
  readonly startedAt: number;
  users: number;
  isOver: boolean;
}

/** Milliseconds after which a view is old, even where the turn is a long one: another program may have written meanwhile. */
const MAX_AGE_MS = 5;

/** Milliseconds that only grow. `performance` says the same, and loads a module of Node for it. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** `readerOn` makes the handle by which a connection is read. */
export function snapshotsOn(pool: Pool, readerOn: (connection: Connection) => Reader): Snapshots {
  const known = new WeakMap<Connection, { readonly serial: number; readonly reader: Reader }>();
  let lastSerial = 0;
  let current: Snapshot | undefined;
  const on = (connection: Connection) => {
    const found = known.get(connection) ?? { serial: ++lastSerial, reader: readerOn(connection) };
    known.set(connection, found);
    return found;
  };
  const opened = (): Snapshot => {
    const connection = pool.borrow();
    try {
      connection.run('BEGIN');
      const { serial, reader } = on(connection);
      // SQLite counts the commits of others for each connection by itself.
      const version = `${serial} ${String(connection.one('PRAGMA data_version')?.[0])}`;
      return { connection, reader, version, startedAt: monotonicMs(), users: 0, isOver: false };
    } catch (error) {
      endAndGiveBack(pool, connection);
      throw error;
    }
  };
  /** Ends a view when nobody looks at it any more. */
  const leave = (view: Snapshot): void => {
    if (current === view || view.users > 0 || view.isOver) return;
    view.isOver = true;
    endAndGiveBack(pool, view.connection);
  };
  const retire = (view: Snapshot): void => {
    if (current === view) current = undefined;
    leave(view);
  };
  const now = (): Snapshot => {
    if (current && monotonicMs() - current.startedAt > MAX_AGE_MS) retire(current);
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
    refresh() {
      if (current) retire(current);
    },
  };
}

function endAndGiveBack(pool: Pool, connection: Connection): void {
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

const MAX_IDLE = 4;

export function poolOf(open: () => Connection): Pool {
  const idle: Connection[] = [];
  let isClosed = false;
  return {
    borrow: () => idle.pop() ?? open(),
    giveBack(connection) {
      if (isClosed || idle.length >= MAX_IDLE) connection.close();
      else idle.push(connection);
    },
    close() {
      isClosed = true;
      for (const connection of idle.splice(0)) connection.close();
    },
  };
}

export function inReadTransaction<T>(pool: Pool, work: (connection: Connection) => T): T {
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
