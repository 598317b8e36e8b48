// The statements of a transaction. New rows that nothing has asked for wait, and go together.
import type { Answers } from '../answered.ts';
import type { Params, Result } from '../connection.ts';
import { numbered } from '../placeholders.ts';
import { LOCK } from '../site-of.ts';
import { attributed, type Begin, checkedOn, type On, type State, sent } from './ground.ts';
import { type Savepoints, savepointsOn } from './savepoints.ts';
import { columnsOf, type Unsent } from './unsent.ts';

export interface Statements extends Required<Answers> {
  /** Answers what reads nothing but a record of this ID: rows of others go on waiting. */
  readingOnly(id: string): Answers;
  lock(site: string): Promise<void>;
  readonly savepoints: Savepoints;
  /** Sends the records that wait. Throws where one of them cannot be written. */
  check(): Promise<void>;
}

/** `begin` is called before the first statement, and locks the site where there is one. Where it `isPlain`, no record waits. */
export function statementsIn(begin: Begin, state: State, isPlain: boolean): Statements {
  const on = checkedOn(begin, state);
  const asking = askingOn(on, state);
  const ask: Answers['ask'] = (sql, params = []) => asking(sql, params, () => true);
  const { ahead, later } = unawaitedOn(on, state);
  return {
    ask,
    ahead,
    async later(sql, rows, ids) {
      if (isPlain) await (ids.length > 0 ? ask : ahead)(sql, columnsOf(rows));
      else await later(sql, rows, ids);
    },
    readingOnly: (id) => ({ ask: (sql, params = []) => asking(sql, params, (unsent) => unsent.has(id)) }),
    async lock(site) {
      const isFirst = !on.hasBegun();
      await on(() => undefined, site);
      if (!isFirst) await ask(LOCK, [site]);
    },
    savepoints: savepointsOn(on, state, isPlain),
    async check() {
      if (!on.hasBegun()) return;
      await on(async ({ connection, unsent }) => {
        if (unsent.hasRecords()) await sent(connection, unsent);
      });
    },
  };
}

type Asking = (sql: string, params: Params, mustSend: (unsent: Unsent) => boolean) => Promise<Result>;

/** Asks a statement and waits for its answer: behind the rows that wait, where it writes or must see them. */
const askingOn =
  (on: On, state: State): Asking =>
  (sql, params, mustSend) => {
    const { writes } = numbered(sql);
    if (writes) state.cache?.writing(sql, params);
    return on(async ({ connection, unsent }) => {
      const hasSent = (writes || mustSend(unsent)) && unsent.send(connection);
      const result = await attributed(connection.ask(sql, params), !hasSent && !unsent.hasUnmade());
      // A reading statement may have a writing one within, whose rows are not counted.
      state.hasChanged ||= writes && (result.did === 'SELECT' || result.count > 0);
      return result;
    });
  };

type Unawaited = Pick<Required<Answers>, 'ahead' | 'later'>;

/** Writes without waiting for an answer. */
const unawaitedOn = (on: On, state: State): Unawaited => ({
  async ahead(sql, params) {
    state.cache?.writing(sql, params);
    await on(({ connection, unsent }) => {
      unsent.send(connection);
      connection.ahead(sql, params);
    });
    state.hasChanged = true;
  },
  async later(sql, rows, ids) {
    state.cache?.writing(sql, []);
    await on(async ({ connection, unsent }) => {
      unsent.add(sql, rows, ids);
      if (unsent.isFull()) await sent(connection, unsent);
    });
    state.hasChanged = true;
  },
});
