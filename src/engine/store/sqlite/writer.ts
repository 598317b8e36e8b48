// The one write connection: opened at the first write, used inside transactions alone, given up after a failure.
import { mayBeCommitted, resolveFailedCommit, writeCommitMarker } from './commit-marker.ts';
import type { Connection } from './connection.ts';
import { type Queue, queueOf } from './queue.ts';

export interface WriteConnection<W> extends Queue<W> {
  close(): void;
}

interface Opened<W> {
  readonly connection: Connection;
  /** The same, for what is part of a transaction. */
  readonly transactional: Connection;
  readonly writer: W;
  /** Of the tables that `writer` writes to. */
  readonly version: number;
  /** How many rows the connection had changed when the transaction began. */
  changes: number;
}

const CHANGES = 'SELECT total_changes()';

/** `open` connects, `writerOn` makes the handle that pieces of work are given, and `committed` is told of every commit. */
export function writeConnection<W>(
  open: () => Connection,
  writerOn: (connection: Connection) => W,
  committed: () => void = () => undefined,
): WriteConnection<W> {
  let lane: Opened<W> | undefined;
  const opened = (): Opened<W> => {
    const connection = open();
    const transactional = transactionOnly(connection);
    return { connection, transactional, writer: writerOn(transactional), version: versionIn(connection), changes: 0 };
  };
  const run = (sql: string): void => void lane?.connection.run(sql);
  const giveUp = (): void => {
    const failed = lane?.connection;
    lane = undefined;
    failed?.close();
  };
  const queue = queueOf<W>({
    begin() {
      lane ??= opened();
      run('BEGIN IMMEDIATE');
      if (versionIn(lane.connection) !== lane.version) {
        // A newer program has migrated the file since; to open it anew says so.
        giveUp();
        lane = opened();
        run('BEGIN IMMEDIATE');
      }
      lane.changes = changesOf(lane.connection);
      return lane.writer;
    },
    savepoint: () => run('SAVEPOINT piece'),
    releaseSavepoint: () => void lane?.transactional.run('RELEASE piece'),
    rollBackToSavepoint() {
      run('ROLLBACK TO piece');
      run('RELEASE piece');
    },
    commit() {
      if (!lane) return;
      const { connection, changes } = lane;
      const witness = changesOf(connection) === changes ? undefined : writeCommitMarker(connection);
      try {
        connection.run('COMMIT');
      } catch (error) {
        giveUp();
        if (!witness || !mayBeCommitted(error)) throw error;
        resolveFailedCommit(open, witness, error);
      }
      committed();
    },
    isInTransaction: () => lane?.connection.isInTransaction() ?? false,
    giveUp,
  });
  return { ...queue, close: () => lane?.connection.close() };
}

const changesOf = (connection: Connection): number => Number(connection.one(CHANGES)?.[0]);

const versionIn = (connection: Connection): number => Number(connection.one('PRAGMA user_version')?.[0]);

/** The same connection, which refuses whatever comes after the end of the transaction with the error that ended it. */
function transactionOnly(connection: Connection): Connection {
  let ending: unknown;
  const checked =
    <A extends readonly unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      if (!connection.isInTransaction()) throw ending ?? new Error('There is no transaction to write in');
      try {
        return work(...args);
      } catch (error) {
        if (!connection.isInTransaction()) ending = error;
        throw error;
      }
    };
  return {
    ...connection,
    one: checked(connection.one),
    all: checked(connection.all),
    stream: checked(connection.stream),
    run: checked(connection.run),
    exec: checked(connection.exec),
  };
}

/** Runs a piece; where SQLite has given the whole transaction up, nothing is left to be taken back. */
type Savepoint = <T>(work: () => Promise<T>) => Promise<T>;

/** Pieces side by side cannot be told apart, so that each has to end before the next one begins. */
export function savepointsOn(connection: Connection): Savepoint {
  let depth = 0;
  return async (work) => {
    const name = `attempt_${++depth}`;
    connection.run(`SAVEPOINT ${name}`);
    try {
      const answer = await work();
      connection.run(`RELEASE ${name}`);
      return answer;
    } catch (error) {
      if (connection.isInTransaction()) {
        connection.run(`ROLLBACK TO ${name}`);
        connection.run(`RELEASE ${name}`);
      }
      throw error;
    } finally {
      depth--;
    }
  };
}
