// One transaction: its statements run one after another, and it locks the sites that other writers must not touch meanwhile.
import type { Later, Steps } from '../../sql/steps.ts';
import { type Answers, answered } from '../answered.ts';
import type { Params, Result } from '../connection.ts';
import { numbered } from '../placeholders.ts';
import { LOCK } from '../site-of.ts';
import { attributed, type Begin, checkedOn, type Ground, type On, type State, sent } from './ground.ts';
import { columnsOf, type Unsent } from './unsent.ts';

export type Running = ReturnType<typeof transactionOf>;
export type Transaction = Running['transaction'];

/** `begin` is called before the first statement, and locks the site where there is one. Where it `isPlain`, no record waits. */
export function transactionOf(begin: Begin, isPlain: boolean) {
  const state: State = { hasChanged: false, isOver: false };
  const statements = statementsIn(begin, state, isPlain);
  const { savepoints } = statements;
  const { inTurn, sideBySide, end } = turns();
  const locked: string[] = [];
  const transaction = {
    /** Its work keeps in this cache the records that it reads. */
    keepIn(cache: NonNullable<State['cache']>): void {
      state.cache = cache;
    },
    /** Runs SQL logic whole before the next statement. */
    run: <T>(steps: Steps<T>): Promise<T> => inTurn(() => answered(statements, steps)),
    /**
     * Runs SQL logic that reads. Reads that are asked side by side share a round trip. With an `id` they read nothing but a record
     * of this ID.
     */
    read: <T>(steps: Steps<T>, id?: string): Promise<T> =>
      sideBySide(() => answered(id === undefined ? statements : statements.readingOnly(id), steps)),
    /** Waits for other writers of the site, and keeps them waiting until the transaction ends. */
    async lock(site: string): Promise<void> {
      if (locked.includes(site)) return;
      locked.push(site);
      await inTurn(() => statements.lock(site));
    },
    /** Runs `work` in a savepoint, which is rolled back where it throws. Savepoints run one after another. */
    async savepoint<T>(work: () => Promise<T>): Promise<T> {
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
        // Sites that were locked since are free again.
        locked.length = before;
        state.cache?.clear();
        if (state.failed === undefined) await inTurn(savepoints.rollBack);
        throw error;
      }
    },
  };
  return {
    transaction,
    /** Whether it has changed anything, is spoiled, or has failed. */
    state: state as Readonly<State>,
    /** Waits for all statements; nothing can be asked afterwards. */
    async end(): Promise<void> {
      await end();
      state.isOver = true;
    },
    /** Sends the records that wait: an error may be for want of them. */
    check: statements.check,
  };
}

/** Lets changing work run by itself, and reading work side by side. */
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

/** `begin` is called before the first statement, and locks the site where there is one. Where it `isPlain`, no record waits. */
function statementsIn(begin: Begin, state: State, isPlain: boolean) {
  const on = checkedOn(begin, state);
  /** Asks a statement and waits for its answer: behind the rows that wait, where it writes or must see them. */
  const asking = (sql: string, params: Params, mustSend: (unsent: Unsent) => boolean): Promise<Result> => {
    const { writes } = numbered(sql);
    return on(async ({ connection, unsent }) => {
      const hasSent = (writes || mustSend(unsent)) && unsent.send(connection);
      const result = await attributed(connection.ask(sql, params), !hasSent && !unsent.hasUnmade());
      // A reading statement may have a writing one within: its rows are not counted.
      state.hasChanged ||= writes && (result.did === 'SELECT' || result.count > 0);
      return result;
    });
  };
  const ask: Answers['ask'] = (sql, params = []) => asking(sql, params, () => true);
  const ahead: Required<Answers>['ahead'] = async (sql, params) => {
    await on(({ connection, unsent }) => {
      unsent.send(connection);
      connection.ahead(sql, params);
    });
    state.hasChanged = true;
  };
  return {
    ask,
    ahead,
    async later(insertion: Later): Promise<void> {
      const { sql, rows, ids } = insertion;
      if (isPlain) return void (await (ids.length > 0 ? ask : ahead)(sql, columnsOf(rows)));
      await on(async ({ connection, unsent }) => {
        unsent.add(insertion);
        if (unsent.isFull()) await sent(connection, unsent);
      });
      state.hasChanged = true;
    },
    /** Answers statements that read a record of this ID alone: rows of others go on waiting. */
    readingOnly: (id: string): Answers => ({
      ask: (sql, params = []) => asking(sql, params, (unsent) => unsent.has(id)),
    }),
    async lock(site: string): Promise<void> {
      const isFirst = !on.hasBegun();
      await on(() => undefined, site);
      if (!isFirst) await ask(LOCK, [site]);
    },
    savepoints: savepointsOn(on, state, isPlain),
    /** Sends the records that wait. Throws where one of them cannot be written. */
    async check(): Promise<void> {
      if (!on.hasBegun()) return;
      await on(async ({ connection, unsent }) => {
        if (unsent.hasRecords()) await sent(connection, unsent);
      });
    },
  };
}

/**
 * The name of a savepoint. None comes twice: one that was sent behind a statement that fails is never made, and a rollback
 * to it must not meet an older one.
 */
export const newSavepoint = (): string => `savepoint_${++savepoints}`;
let savepoints = 0;

/** Keeps the writes in the last savepoint. Waits where a statement in it may have failed. */
export async function release({ connection, unsent }: Ground, mayHaveFailed: boolean): Promise<void> {
  const name = unsent.release();
  if (name === undefined) return;
  if (mayHaveFailed) await connection.exec(`RELEASE ${name}`);
  else connection.ahead(`RELEASE ${name}`);
}

/** Drops the writes in the last savepoint. */
export async function rollBackTo({ connection, unsent }: Ground): Promise<void> {
  const name = unsent.rollBack();
  if (name !== undefined) await connection.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
}

/** One that ends before anything was sent in it is never made. */
const savepointsOn = (on: On, state: State, isPlain: boolean) => ({
  open: (): Promise<void> =>
    on(({ connection, unsent }) => {
      unsent.open(newSavepoint());
      if (isPlain) unsent.send(connection);
    }),
  /** Keeps the writes in the last one. Waits where a statement in it may have failed. */
  release: (mayHaveFailed: boolean): Promise<void> => on((ground) => release(ground, mayHaveFailed)),
  /** Drops the writes in the last one. Where it was never made, a statement before it has failed, and everything is lost. */
  async rollBack(): Promise<void> {
    const { spoiled } = state;
    try {
      await on(rollBackTo);
    } catch (error) {
      state.failed ??= spoiled ?? error;
    }
  },
});
