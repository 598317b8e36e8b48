// The one write connection: opened at the first write, used inside transactions only, closed after a failure.
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Durability } from '../../../contract/jobs.ts';
import { checkpointsOf } from './checkpoints.ts';
import { mayBeCommitted, resolveFailedCommit, writeCommitMarker } from './commit-marker.ts';
import type { Connection } from './connection.ts';
import type { FileWatch } from './file/watch.ts';

export type WriteConnection = ReturnType<typeof writeConnection>;

interface Opened {
  readonly connection: Connection;
  /** The same connection, which refuses to work outside a transaction. */
  readonly transactional: Connection;
  readonly checkpoints: ReturnType<typeof checkpointsOf>;
  /** The version of the tables that it writes to. */
  readonly version: number;
  /** That of its last transaction. */
  durability: Durability;
  /** The number of rows that the connection had changed when the current piece of the transaction began. */
  changes: number;
  /** Has a piece that was not rolled back changed rows? */
  isChanged: boolean;
  /** Is the current piece in a savepoint? The first one is taken back with the transaction. */
  isInSavepoint: boolean;
}

const CHANGES = 'SELECT total_changes()';

/** `committed` is called after every commit. */
export function writeConnection(watch: FileWatch, connect: () => Connection, committed?: () => void) {
  const transactions = transactionsOn(watch, connect, committed);
  return { ...queueOf(transactions), close: transactions.close };
}

type Transactions = ReturnType<typeof transactionsOn>;

/** One transaction after another on the connection, which is opened anew where the file was replaced or migrated. */
function transactionsOn(watch: FileWatch, connect: () => Connection, committed?: () => void) {
  let current: Opened | undefined;
  const open = (): Connection => watch.open(connect);
  const opened = (): Opened => {
    const connection = open();
    const transactional = transactionOnly(connection);
    const piece = { durability: 'durable' as const, changes: 0, isChanged: false, isInSavepoint: false };
    const checkpoints = checkpointsOf(connection);
    return { connection, transactional, checkpoints, version: versionIn(connection), ...piece };
  };
  const giveUp = (): void => {
    const failed = current;
    current = undefined;
    void failed?.checkpoints.close();
    failed?.connection.close();
  };
  return {
    /** Resolves when a transaction may begin. */
    ready: async (): Promise<void> => current?.checkpoints.ready(),
    /** Begins a transaction and its first piece, on the file that is there. Throws `busy`, and the errors of opening it. */
    begin(durability: Durability): Connection {
      watch.check();
      if (current && !watch.isCurrent(current.connection)) giveUp();
      current ??= opened();
      if (current.durability !== durability)
        // SQLite carries it out when it compiles it: a statement that is kept would do so once.
        current.connection.exec(`PRAGMA synchronous = ${durability === 'lazy' ? 'NORMAL' : 'FULL'}`);
      current.durability = durability;
      current.connection.run('BEGIN IMMEDIATE');
      if (versionIn(current.connection) !== current.version) {
        // A newer program has migrated the file: opening it again throws that error.
        giveUp();
        current = opened();
        current.connection.run('BEGIN IMMEDIATE');
      }
      current.isChanged = false;
      beginPiece(current, false);
      return current.transactional;
    },
    /** Begins a further piece, in a savepoint: SQLite copies each page that it changes there. */
    savepoint(): void {
      if (!current) return;
      current.connection.run('SAVEPOINT piece');
      beginPiece(current, true);
    },
    /** Keeps the piece for the commit. */
    keep(): void {
      if (!current) return;
      current.isChanged ||= changesOf(current.transactional) !== current.changes;
      if (current.isInSavepoint) current.connection.run('RELEASE piece');
    },
    /** Takes the piece back; with the first one the transaction ends. */
    rollBack(): void {
      for (const sql of current?.isInSavepoint ? ['ROLLBACK TO piece', 'RELEASE piece'] : ['ROLLBACK'])
        current?.connection.run(sql);
    },
    commit(): void {
      if (!current) return;
      const { connection, isChanged, checkpoints } = current;
      watch.check(connection);
      // Refused changes have been rolled back; a COMMIT would write their pages to the disk all the same.
      if (!isChanged) return void connection.run('ROLLBACK');
      commitOn(connection, open, giveUp);
      // The file may have gone during the COMMIT; answered changes must be in the file that is there.
      watch.check(current?.connection);
      committed?.();
      checkpoints.committed();
    },
    /** SQLite itself rolls back the whole transaction on some errors, such as a full disk. */
    isInTransaction: (): boolean => current?.connection.isInTransaction() ?? false,
    /** Closes the connection, which cannot be relied on after a failure; that ends its transaction. */
    giveUp,
    async close(): Promise<void> {
      await current?.checkpoints.close();
      current?.connection.close();
    },
  };
}

function beginPiece(opened: Opened, isInSavepoint: boolean): void {
  opened.isInSavepoint = isInSavepoint;
  opened.changes = changesOf(opened.connection);
}

/** Commits; where that fails, looks whether the commit became durable all the same. */
function commitOn(connection: Connection, open: () => Connection, giveUp: () => void): void {
  const marker = writeCommitMarker(connection);
  try {
    connection.run('COMMIT');
  } catch (error) {
    giveUp();
    if (!mayBeCommitted(error)) throw error;
    resolveFailedCommit(open, marker, error);
  }
}

const changesOf = (connection: Connection): number => Number(connection.one(CHANGES)?.[0]);

const versionIn = (connection: Connection): number => Number(connection.one('PRAGMA user_version')?.[0]);

/** The same connection; after the end of the transaction every call throws the error that ended it. */
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
    runEach: checked(connection.runEach),
    exec: checked(connection.exec),
  };
}

/**
 * Runs work in a savepoint. Concurrent savepoints of one connection are not distinct, so each has to end before the
 * next one begins. Where SQLite has rolled back the whole transaction, there is nothing left to roll back.
 */
export function savepointsOn(connection: Connection): <T>(work: () => Promise<T>) => Promise<T> {
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

interface QueuedWork {
  readonly durability: Durability;
  run(connection: Connection): Promise<Answer>;
  fail(error: unknown): void;
}
/** Resolves or rejects the promise of queued work. */
type Answer = () => void;

/** Bounds how long work waits for its commit. */
const MAX_BATCH = 256;

function queueOf(transactions: Transactions) {
  const waiting: QueuedWork[] = [];
  let draining: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Work that arrives in one turn of the event loop shares a commit.
      await endOfTurn();
      await transactions.ready();
      await commitBatch(transactions, waiting);
    }
    draining = undefined;
  };
  return {
    add: <T>(work: (connection: Connection) => Promise<T>, durability: Durability = 'durable'): Promise<T> =>
      new Promise((resolve, reject) => {
        waiting.push({
          durability,
          run: async (connection) => {
            const value = await work(connection);
            return () => resolve(value);
          },
          fail: reject,
        });
        draining ??= drain();
      }),
    /** Resolves when nothing runs and nothing waits. */
    idle: async () => draining,
  };
}

/** Runs waiting work one after another in one transaction, and answers all of it after the commit: after lazy work no other. */
async function commitBatch(transactions: Transactions, waiting: QueuedWork[]): Promise<void> {
  const durability = waiting[0]?.durability ?? 'durable';
  const batch: QueuedWork[] = [];
  const answers: Answer[] = [];
  try {
    const connection = beginOrFail(transactions, waiting, durability);
    while (waiting[0] && [durability, 'lazy'].includes(waiting[0].durability) && batch.length < MAX_BATCH) {
      const queued = waiting.shift() as QueuedWork;
      batch.push(queued);
      if (batch.length > 1) transactions.savepoint();
      answers.push(await runPiece(transactions, connection, queued));
      if (!transactions.isInTransaction()) break;
    }
    if (transactions.isInTransaction()) transactions.commit();
  } catch (error) {
    transactions.giveUp();
    for (const queued of batch) queued.fail(error);
    return;
  }
  for (const answer of answers) answer();
}

/** Where no transaction begins, all waiting work fails, instead of waiting for the lock again one by one. */
function beginOrFail(transactions: Transactions, waiting: QueuedWork[], durability: Durability): Connection {
  try {
    return transactions.begin(durability);
  } catch (error) {
    for (const queued of waiting.splice(0)) queued.fail(error);
    throw error;
  }
}

async function runPiece(transactions: Transactions, connection: Connection, queued: QueuedWork): Promise<Answer> {
  try {
    const answer = await queued.run(connection);
    transactions.keep();
    return answer;
  } catch (error) {
    if (!transactions.isInTransaction()) throw error;
    transactions.rollBack();
    return () => queued.fail(error);
  }
}
