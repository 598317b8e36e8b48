// Read connections, and the snapshot that all reads of one turn of the event loop share: one costs more than a read.
import { oncePer } from '../../../text/once-per.ts';
import type { Reader, Reads } from '../port.ts';
import type { Schema } from '../schema/tables.ts';
import { listing } from '../sql/reads.ts';
import { promised, type Stepped } from '../sql/steps.ts';
import { answered } from './answered.ts';
import type { Answering, Connection } from './connection.ts';
import type { FileWatch } from './file/watch.ts';

interface Snapshot {
  readonly connection: Connection;
  readonly reader: Reader;
  readonly version: string;
  readonly startedAt: number;
  users: number;
  isOver: boolean;
}

/** A longer turn takes a new snapshot, since another process may have written meanwhile. */
const MAX_AGE_MS = 5;

/** Also after the clock was set back. */
const isOld = ({ startedAt }: Snapshot, now: number): boolean => now < startedAt || now - startedAt > MAX_AGE_MS;

export function snapshotsOn(pool: Pool, readerOn: (connection: Connection) => Reader) {
  let lastSerial = 0;
  let current: Snapshot | undefined;
  const on = oncePer((connection: Connection) => ({ serial: ++lastSerial, reader: readerOn(connection) }));
  const begin = (): Snapshot => {
    const connection = pool.borrow();
    try {
      connection.run('BEGIN');
      const { serial, reader } = on(connection);
      // SQLite counts the commits of others separately for each connection.
      const version = `${serial} ${String(connection.one('PRAGMA data_version')?.[0])}`;
      return { connection, reader, version, startedAt: Date.now(), users: 0, isOver: false };
    } catch (error) {
      endAndGiveBack(pool, connection);
      throw error;
    }
  };
  const endUnlessUsed = (snapshot: Snapshot): void => {
    if (current === snapshot || snapshot.users > 0 || snapshot.isOver) return;
    snapshot.isOver = true;
    endAndGiveBack(pool, snapshot.connection);
  };
  const retire = (snapshot: Snapshot): void => {
    if (current === snapshot) current = undefined;
    endUnlessUsed(snapshot);
  };
  const now = (): Snapshot => {
    if (current && isOld(current, Date.now())) retire(current);
    if (current) return current;
    const snapshot = begin();
    current = snapshot;
    setImmediate(() => retire(snapshot));
    return snapshot;
  };
  return {
    /** Runs `work` on one state of the data: as new as this turn, and newer than every commit of this process. */
    async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
      const snapshot = now();
      snapshot.users++;
      try {
        return await work(snapshot.reader);
      } finally {
        snapshot.users--;
        endUnlessUsed(snapshot);
      }
    },
    /** Changes with every commit of this or another process. */
    version: (): string => now().version,
    /** Later reads see the last commit of this process. */
    refresh(): void {
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

const MAX_IDLE = 4;

type Pool = ReturnType<typeof poolOf>;

/** Opens its first connection at once. */
export function poolOf(watch: FileWatch, connect: () => Connection) {
  const idle = [watch.open(connect)];
  let isClosed = false;
  const current = (): Connection | undefined => {
    const connection = idle.pop();
    if (!connection || watch.isCurrent(connection)) return connection;
    connection.close();
    return current();
  };
  return {
    /** Throws `replaced` as `FileWatch.check` does. */
    borrow(): Connection {
      watch.check();
      return current() ?? watch.open(connect);
    },
    giveBack(connection: Connection): void {
      if (isClosed || idle.length >= MAX_IDLE) connection.close();
      else idle.push(connection);
    },
    /** Closes the idle connections now, and the borrowed ones when they are given back. */
    close(): void {
      isClosed = true;
      for (const connection of idle.splice(0)) connection.close();
    },
  };
}

export function readerOf(connection: Answering, reads: Stepped<Reads>, schema: Schema): Reader {
  return {
    ...promised(reads, (steps) => answered(connection, steps())),
    async *iterate(query) {
      const { sql, params, record } = listing(schema, query);
      for (const raw of connection.stream(sql, params)) yield record(raw);
    },
  };
}

/** Borrows a connection for each statement, which only reads; a stream holds its connection until it ends. */
export const pooled = (pool: Pool): Answering => ({
  one: (sql, params) => withConnection(pool, (connection) => connection.one(sql, params)),
  all: (sql, params) => withConnection(pool, (connection) => connection.all(sql, params)),
  run: (sql, params) => withConnection(pool, (connection) => connection.run(sql, params)),
  runEach: (sql, rows) => withConnection(pool, (connection) => connection.runEach(sql, rows)),
  *stream(sql, params) {
    const connection = pool.borrow();
    try {
      yield* connection.stream(sql, params);
    } finally {
      pool.giveBack(connection);
    }
  },
});

function withConnection<T>(pool: Pool, work: (connection: Connection) => T): T {
  const connection = pool.borrow();
  try {
    return work(connection);
  } finally {
    pool.giveBack(connection);
  }
}
