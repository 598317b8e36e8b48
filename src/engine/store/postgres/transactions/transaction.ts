// One transaction: its statements run one after another, and what other writers must not touch meanwhile is locked.
import type { Steps } from '../../sql/steps.ts';
import { answered } from '../answered.ts';
import type { Begin, Cache, State } from './ground.ts';
import { statementsIn } from './statements.ts';

export interface Transaction {
  /** Where its work keeps what it reads. */
  keepIn(cache: Cache): void;
  /** Runs SQL logic whole before what is asked next. */
  run<T>(steps: Steps<T>): Promise<T>;
  /**
   * Runs SQL logic that reads. Reads that are asked side by side share a round trip. With an `id` they read nothing but a record
   * of this ID.
   */
  read<T>(steps: Steps<T>, id?: string): Promise<T>;
  /** Waits for other writers of the site, and keeps them waiting until the transaction ends. */
  lock(site: string): Promise<void>;
  /** Runs `work` in a savepoint, which is rolled back where it throws. Savepoints run one after another. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

export interface Running {
  readonly transaction: Transaction;
  /** Waits for what was asked; nothing can be asked afterwards. */
  end(): Promise<void>;
  /** Sends the records that wait: an error may be for want of them. */
  check(): Promise<void>;
  /** Has anything been written? */
  hasChanged(): boolean;
  /** Why nothing of it can be kept, whatever its work makes of the error: others were in its way, or it was cut. */
  failedBy(): unknown;
  /** The last error of a statement. The server takes no more of them outside of its savepoint. */
  spoiledBy(): unknown;
}

/** `begin` is called before the first statement, and locks the site where there is one. Where it `isPlain`, no record waits. */
export function transactionOf(begin: Begin, isPlain: boolean): Running {
  const state: State = { hasChanged: false, isOver: false };
  const statements = statementsIn(begin, state, isPlain);
  const { savepoints } = statements;
  const { inTurn, sideBySide, end } = turns();
  const locked: string[] = [];
  return {
    transaction: {
      keepIn(cache) {
        state.cache = cache;
      },
      run: (steps) => inTurn(() => answered(statements, steps)),
      read: (steps, id) =>
        sideBySide(() => answered(id === undefined ? statements : statements.readingOnly(id), steps)),
      async lock(site) {
        if (locked.includes(site)) return;
        locked.push(site);
        await inTurn(() => statements.lock(site));
      },
      async savepoint(work) {
        const before = locked.length;
        await inTurn(savepoints.open);
        try {
          const { spoiled } = state;
          const answer = await work();
          // Where the work has passed over an error, nothing but its end tells whether it is spoiled.
          await inTurn(() => savepoints.release(state.spoiled !== spoiled));
          return answer;
        } catch (error) {
          await inTurn(statements.check).catch(() => undefined);
          // What was locked since is not any more.
          locked.length = before;
          state.cache?.clear();
          if (state.failed === undefined) await inTurn(savepoints.rollBack);
          throw error;
        }
      },
    },
    async end() {
      await end();
      state.isOver = true;
    },
    check: () => statements.check(),
    hasChanged: () => state.hasChanged,
    failedBy: () => state.failed,
    spoiledBy: () => state.spoiled,
  };
}

/** Lets what changes anything run by itself, and what reads side by side. */
function turns() {
  let last: Promise<unknown> = Promise.resolve();
  let lastChange = last;
  return {
    inTurn<T>(work: () => Promise<T>): Promise<T> {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      lastChange = last;
      return turn;
    },
    sideBySide<T>(work: () => Promise<T>): Promise<T> {
      const turn = lastChange.then(work);
      last = Promise.allSettled([last, turn]);
      return turn;
    },
    async end(): Promise<void> {
      for (let seen: unknown; seen !== last; await seen) seen = last;
    },
  };
}
