// The statements of a transaction, which notice what becomes of it. New rows that nothing has asked for wait, and go together.
import type { Cached } from '../../sql/row-cache.ts';
import type { Answers } from '../answered.ts';
import type { Connection, Params, Result } from '../connection.ts';
import { codeOf, isConflict, isCut } from '../failure.ts';
import { numbered } from '../placeholders.ts';
import { LOCK } from '../site-of.ts';
import { columnsOf, type Unsent } from './unsent.ts';

/** What the statements of a transaction share. */
export interface Ground {
  readonly connection: Connection;
  readonly unsent: Unsent;
  /** What its cache has read. */
  cached?: Cached | undefined;
}

/** What has become of a transaction. */
export interface State {
  /** Why nothing of it can be kept, whatever its work makes of the error: others were in its way, or it was cut. */
  failed?: unknown;
  /** The last error of a statement. The server takes no more of them outside of its savepoint. */
  spoiled?: unknown;
  /** Has anything been written? */
  hasChanged: boolean;
  isOver: boolean;
  cache?: Cache;
}

/** What keeps records that were read: it learns what may have changed them. */
export interface Cache {
  /** Goes on with what was read before in the same transaction; answers what it reads into. */
  share(cached: Cached | undefined): Cached;
  /** Called before each writing statement. */
  writing(sql: string, params: readonly unknown[]): void;
  /** Called where a savepoint was rolled back: what was read since may not be so any more. */
  clear(): void;
}

/** A statement has failed, and which of them did is not known: the work is to be run again plainly, statement by statement. */
export class Unattributed extends Error {
  override readonly name = 'Unattributed';

  constructor(cause: unknown) {
    super('one of several statements has failed', { cause });
  }
}

/** The transaction has failed, and the server takes no more of its statements. */
export const ABORTED = '25P02';

export interface Statements extends Required<Answers> {
  /** Answers what reads nothing but a record of this ID: rows of others go on waiting. */
  readingOnly(id: string): Answers;
  lock(site: string): Promise<void>;
  openSavepoint(name: string): Promise<void>;
  /** Keeps what was written in the last savepoint. Waits where a statement in it may have failed. */
  release(mayHaveFailed: boolean): Promise<void>;
  /** Drops what was written in the last savepoint. */
  rollBack(): Promise<void>;
  /** Sends the records that wait. Throws where one of them cannot be written. */
  check(): Promise<void>;
}

type Begin = (site: string | undefined) => Promise<Ground>;

/** `begin` is called before the first statement, and locks the site where there is one. Where it `isPlain`, no record waits. */
export function statementsIn(begin: Begin, state: State, isPlain: boolean): Statements {
  const on = checkedOn(begin, state);
  const asking = (sql: string, params: Params, mustSend: (unsent: Unsent) => boolean): Promise<Result> => {
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
  const ask: Answers['ask'] = (sql, params = []) => asking(sql, params, () => true);
  const ahead: Statements['ahead'] = async (sql, params) => {
    state.cache?.writing(sql, params);
    await on(({ connection, unsent }) => {
      unsent.send(connection);
      connection.ahead(sql, params);
    });
    state.hasChanged = true;
  };
  return {
    ask,
    ahead,
    async later(sql, rows, ids) {
      if (isPlain) return void (await (ids.length > 0 ? ask : ahead)(sql, columnsOf(rows)));
      state.cache?.writing(sql, []);
      await on(async ({ connection, unsent }) => {
        unsent.add(sql, rows, ids);
        if (unsent.isFull()) await sent(connection, unsent);
      });
      state.hasChanged = true;
    },
    readingOnly: (id) => ({ ask: (sql, params = []) => asking(sql, params, (unsent) => unsent.has(id)) }),
    async lock(site) {
      const isFirst = !on.hasBegun();
      await on(() => undefined, site);
      if (!isFirst) await ask(LOCK, [site]);
    },
    openSavepoint: (name) =>
      on(({ connection, unsent }) => {
        unsent.open(name);
        if (isPlain) unsent.send(connection);
      }),
    release: (mayHaveFailed) =>
      on(async ({ connection, unsent }) => {
        const name = unsent.release();
        if (name === undefined) return;
        if (mayHaveFailed) await connection.exec(`RELEASE ${name}`);
        else connection.ahead(`RELEASE ${name}`);
      }),
    /** Where it was never made, a statement before it has failed, and everything is lost. */
    async rollBack() {
      const { spoiled } = state;
      try {
        await on(async ({ connection, unsent }) => {
          const name = unsent.rollBack();
          if (name !== undefined) await connection.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
        });
      } catch (error) {
        state.failed ??= spoiled ?? error;
      }
    },
    async check() {
      if (!on.hasBegun()) return;
      await on(async ({ connection, unsent }) => {
        if (unsent.hasRecords()) await sent(connection, unsent);
      });
    },
  };
}

/** Runs work where the transaction has begun and nothing of it is lost yet; notices what becomes of it. */
function checkedOn(begin: Begin, state: State) {
  let begun: Promise<Ground> | undefined;
  const on = async <T>(work: (ground: Ground) => T | Promise<T>, site?: string): Promise<T> => {
    if (state.failed !== undefined) throw state.failed;
    if (state.isOver) throw new Error('There is no transaction to write in');
    begun ??= begin(site).then(
      (ground) => Object.assign(ground, { cached: state.cache?.share(ground.cached) }),
      (error: unknown) => {
        state.failed = error;
        throw error;
      },
    );
    const ground = await begun;
    try {
      return await work(ground);
    } catch (error) {
      throw noted(state, ground.connection, error);
    }
  };
  return Object.assign(on, { hasBegun: () => begun !== undefined });
}

function noted(state: State, connection: Connection, error: unknown): unknown {
  if (codeOf(error) === ABORTED) return state.failed ?? state.spoiled ?? error;
  state.spoiled = error;
  if (error instanceof Unattributed || isPassing(error) || connection.isLost()) state.failed = error;
  return error;
}

const isPassing = (error: unknown): boolean => isCut(error) || isConflict(error);

/** An error that another statement may have, or that no savepoint heals, is thrown as such. */
export const attributed = <T>(answer: Promise<T>, isSure: boolean): Promise<T> =>
  isSure
    ? answer
    : answer.catch((error: unknown) => {
        throw codeOf(error) === ABORTED || isPassing(error) ? error : new Unattributed(error);
      });

/** Sends what waits, and waits for it. */
export async function sent(connection: Connection, unsent: Unsent): Promise<void> {
  unsent.send(connection);
  await attributed(connection.exec('SELECT 1'), false);
}
