// Checkpoints after large commits: a thread moves the write-ahead log into the file while the next rows are worked on.
import { startThread } from '../../../files/thread.ts';
import type { Connection } from './connection.ts';
import { identityOf } from './file/watch.ts';

/** In pages. Smaller commits are left to SQLite, until a larger one has come. */
const LARGE = 64;
/** In pages. Many are written again before the wal is so long: moved earlier, each would go into the file several times. */
const ENOUGH = 4000;
/** In pages. SQLite begins a wal anew only when all of it is in the file, which takes a moment without a commit. */
const LONG = 16_000;
/** In pages: when SQLite checkpoints within a commit, without the thread and where the thread does not follow. */
const BY_SQLITE = { alone: 1000, besideThread: 2 * LONG };

/** The thread begins with the first large commit on this connection. Where it fails, SQLite checkpoints as if there were none. */
export function checkpointsOf(connection: Connection) {
  let thread: CheckpointThread | undefined;
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isOver = false;
  let pages = 0;
  const bySqlite = (byPages: number): void => void connection.one(`PRAGMA wal_autocheckpoint = ${byPages}`);
  const started = (): CheckpointThread | undefined => {
    const start = threadOn(connection.file);
    if (start) bySqlite(BY_SQLITE.besideThread);
    return start;
  };
  const run = async (by: CheckpointThread): Promise<void> => {
    while (isWanted && !isOver) {
      isWanted = false;
      if (await by.hasCheckpointed()) continue;
      if (!isOver) bySqlite(BY_SQLITE.alone);
      isOver = true;
    }
    running = undefined;
  };
  return {
    /** To be called after each commit. */
    committed(): void {
      if (isOver) return;
      const before = pages;
      try {
        pages = pagesIn(connection);
        if (!thread && (pages < before ? pages : pages - before) < LARGE) return;
        thread ??= started();
        if (!thread) isOver = true;
        else if (pages >= ENOUGH) {
          isWanted = true;
          running ??= run(thread);
        }
      } catch {
        // The commit stands, whatever its checkpoint meets.
        isOver = true;
      }
    },
    /** Resolves when the wal is short enough for the next transaction. */
    ready: (): Promise<void> | undefined => (pages > LONG ? running : undefined),
    /** To be called before the connection is closed. */
    async close(): Promise<void> {
      isOver = true;
      await running;
      await thread?.close();
    },
  };
}

/** How many pages the wal holds. */
const pagesIn = (connection: Connection): number => Number(connection.one('PRAGMA wal_checkpoint(NOOP)')?.[1]);

/** The data of the thread. */
export interface CheckpointStart {
  readonly file: string;
  /** Of the file that is meant: another one that was put in its place is left alone. */
  readonly identity: string | undefined;
}

type CheckpointThread = NonNullable<ReturnType<typeof threadOn>>;

/** A thread with a connection of its own. */
function threadOn(file: string) {
  const start: CheckpointStart = { file, identity: identityOf(file) };
  const thread = startThread('checkpoint-thread', start);
  if (!thread) return undefined;
  let answer: (isDone: boolean) => void = () => undefined;
  let hasEnded = false;
  thread.on('message', () => answer(true));
  // The error shows in SQLite's own checkpoint. The event `exit` follows.
  thread.on('error', () => undefined);
  thread.on('exit', () => {
    hasEnded = true;
    answer(false);
  });
  const asked = async (message: 'checkpoint' | 'close'): Promise<boolean> => {
    if (hasEnded) return false;
    thread.ref();
    const isDone = await new Promise<boolean>((resolve) => {
      answer = resolve;
      thread.postMessage(message);
    });
    thread.unref();
    return isDone;
  };
  return {
    /** False when the thread has ended. */
    hasCheckpointed: () => asked('checkpoint'),
    close: () => asked('close'),
  };
}
