// The one write connection: opened at the first write, given up after a failure, and driven by the queue.
import { WAVE_TABLE } from './cascade.ts';
import type { Connection } from './connection.ts';
import { type Queue, queueOf } from './queue.ts';

export interface WriteLane<W> extends Queue<W> {
  close(): void;
}

/** `open` connects, `writerOn` makes the handle that pieces of work are given, and `committed` is told of every commit. */
export function writeLane<W>(
  open: () => Connection,
  writerOn: (connection: Connection) => W,
  committed: () => void,
): WriteLane<W> {
  let lane: { readonly connection: Connection; readonly writer: W } | undefined;
  const opened = () => {
    const connection = open();
    connection.exec(WAVE_TABLE);
    return { connection, writer: writerOn(connection) };
  };
  const run = (sql: string): void => void lane?.connection.run(sql);
  const queue = queueOf<W>({
    begin() {
      lane ??= opened();
      run('BEGIN IMMEDIATE');
      return lane.writer;
    },
    savepoint: () => run('SAVEPOINT piece'),
    releasePiece: () => run('RELEASE piece'),
    rollBackPiece() {
      run('ROLLBACK TO piece');
      run('RELEASE piece');
    },
    commit() {
      run('COMMIT');
      committed();
    },
    isInTransaction: () => lane?.connection.isInTransaction() ?? false,
    giveUp() {
      const failed = lane?.connection;
      lane = undefined;
      failed?.close();
    },
  });
  return { ...queue, close: () => lane?.connection.close() };
}
