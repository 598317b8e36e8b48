// The one write connection: opened at the first write, used inside transactions alone, given up after a failure.
import { isDoubtful, leaveWitness, settle } from './commit-marker.ts';
import type { Connection } from './connection.ts';
import { type Queue, queueOf } from './queue.ts';

export interface WriteLane<W> extends Queue<W> {
  close(): void;
}

interface Lane<W> {
  readonly connection: Connection;
  /** The same, for what is part of a transaction. */
  readonly inside: Connection;
  readonly writer: W;
  /** Of the tables that `writer` writes to. */
  readonly version: number;
  /** How many rows the connection had changed when the transaction began. */
  changes: number;
}

const CHANGES = 'SELECT total_changes()';

/** `open` connects, `writerOn` makes the handle that pieces of work are given, and `committed` is told of every commit. */
export function writeLane<W>(
  open: () => Connection,
  writerOn: (connection: Connection) => W,
  committed: () => void = () => undefined,
): WriteLane<W> {
  let lane: Lane<W> | undefined;
  const opened = (): Lane<W> => {
    const connection = open();
    const inside = insideOnly(connection);
    return { connection, inside, writer: writerOn(inside), version: versionIn(connection), changes: 0 };
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
    releasePiece: () => void lane?.inside.run('RELEASE piece'),
    rollBackPiece() {
      run('ROLLBACK TO piece');
      run('RELEASE piece');
    },
    commit() {
      if (!lane) return;
      const { connection, changes } = lane;
      const witness = changesOf(connection) === changes ? undefined : leaveWitness(connection);
      try {
        connection.run('COMMIT');
      } catch (error) {
        giveUp();
        if (!witness || !isDoubtful(error)) throw error;
        settle(open, witness, error);
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
function insideOnly(connection: Connection): Connection {
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
type Attempt = <T>(work: () => Promise<T>) => Promise<T>;

/** Pieces side by side cannot be told apart, so that each has to end before the next one begins. */
export function attemptsOn(connection: Connection): Attempt {
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
