// One transaction: its statements run one after another, and what other writers must not touch meanwhile is locked.
import type { Steps } from '../sql/steps.ts';
import { answered } from './answered.ts';
import type { Connection, Params, Result } from './connection.ts';
import { codeOf, isConflict, isCut } from './failure.ts';
import { numbered } from './placeholders.ts';

export interface Transaction {
  /** Where its work keeps what it reads. */
  keepIn(cache: Cache): void;
  /** Runs SQL logic whole before what is asked next. */
  run<T>(steps: Steps<T>): Promise<T>;
  /** Runs SQL logic that reads. Reads that are asked side by side share a round trip. */
  read<T>(steps: Steps<T>): Promise<T>;
  /** Waits for other writers of the site, and keeps them waiting until the transaction ends. */
  lock(site: string): Promise<void>;
  /** Runs `work` in a savepoint, which is rolled back where it throws. Savepoints run one after another. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

export interface Running {
  readonly transaction: Transaction;
  /** Waits for what was asked; nothing can be asked afterwards. */
  end(): Promise<void>;
  /** Has anything been written? */
  hasChanged(): boolean;
  /** Why nothing of it can be kept, whatever its work makes of the error: others were in its way, or it was cut. */
  failedBy(): unknown;
  /** The last error of a statement. The server takes no more of them outside of its savepoint. */
  spoiledBy(): unknown;
}

/** One row for each site, which its writers lock and count up. */
export const SITE_TABLE = `CREATE TABLE site_writer (
  SiteID TEXT COLLATE "C" PRIMARY KEY,
  Turn BIGINT NOT NULL
)`;
export const LOCK = `INSERT INTO site_writer (SiteID, Turn) VALUES (?, 1)
  ON CONFLICT (SiteID) DO UPDATE SET Turn = site_writer.Turn + 1`;

/**
 * The name of a savepoint. None comes twice: one that was sent behind a statement that fails is never made, and what is rolled
 * back to it must not meet an older one.
 */
export const newSavepoint = (): string => `savepoint_${++savepoints}`;
let savepoints = 0;

/** The transaction has failed, and the server takes no more of its statements. */
export const ABORTED = '25P02';
/** A statement that was sent twice, where the first one was not taken. */
const NEVER_PREPARED = '26000';

interface State {
  failed?: unknown;
  spoiled?: unknown;
  hasChanged: boolean;
  isOver: boolean;
  cache?: Cache;
}

/** What keeps records that were read: it learns what may have changed them. */
export interface Cache {
  /** Called before each writing statement. */
  writing(sql: string, params: readonly unknown[]): void;
  /** Called where a savepoint was rolled back: what was read since may not be so any more. */
  clear(): void;
}

/** `begin` is called before the first statement, and locks the site where there is one. */
export function transactionOf(begin: (site: string | undefined) => Promise<Connection>): Running {
  const state: State = { hasChanged: false, isOver: false };
  const statements = statementsIn(begin, state);
  let last: Promise<unknown> = Promise.resolve();
  let lastChange = last;
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    lastChange = last;
    return turn;
  };
  const sideBySide = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastChange.then(work);
    last = Promise.allSettled([last, turn]);
    return turn;
  };
  const locked: string[] = [];
  return {
    transaction: {
      keepIn(cache) {
        state.cache = cache;
      },
      run: (steps) => inTurn(() => answered(statements, steps)),
      read: (steps) => sideBySide(() => answered(statements, steps)),
      async lock(site) {
        if (locked.includes(site)) return;
        locked.push(site);
        await inTurn(() => statements.lock(site));
      },
      async savepoint(work) {
        const name = newSavepoint();
        const before = locked.length;
        await inTurn(() => statements.ahead(`SAVEPOINT ${name}`));
        try {
          const spoiled = state.spoiled;
          const answer = await work();
          // Where the work has passed over an error, nothing but its end tells whether it is spoiled.
          const release = state.spoiled === spoiled ? statements.ahead : statements.exec;
          await inTurn(async () => void (await release(`RELEASE ${name}`)));
          return answer;
        } catch (error) {
          // What was locked since is not any more.
          locked.length = before;
          state.cache?.clear();
          if (state.failed === undefined) await inTurn(() => statements.rollBackTo(name));
          throw error;
        }
      },
    },
    async end() {
      for (let seen: unknown; seen !== last; await seen) seen = last;
      state.isOver = true;
    },
    hasChanged: () => state.hasChanged,
    failedBy: () => state.failed,
    spoiledBy: () => state.spoiled,
  };
}

/** Of a statement that goes with another. */
const UNANSWERED: Result = { rows: [], count: 0, did: '' };

/** The statements of a transaction, which notice what becomes of it. */
function statementsIn(begin: (site: string | undefined) => Promise<Connection>, state: State) {
  let opened: Promise<Connection> | undefined;
  const checked = async (
    work: (connection: Connection) => Result | Promise<Result>,
    site?: string,
  ): Promise<Result> => {
    if (state.failed !== undefined) throw state.failed;
    if (state.isOver) throw new Error('There is no transaction to write in');
    opened ??= begin(site).catch((error: unknown) => {
      state.failed = error;
      throw error;
    });
    const connection = await opened;
    try {
      return await work(connection);
    } catch (error) {
      if ([ABORTED, NEVER_PREPARED].includes(codeOf(error) ?? '')) throw state.spoiled ?? error;
      state.spoiled = error;
      if (isCut(error) || isConflict(error) || connection.isLost()) state.failed = error;
      throw error;
    }
  };
  return {
    exec: (sql: string) => checked((connection) => connection.exec(sql)),
    /** Goes with the next statement. One that binds values changes rows. */
    async ahead(sql: string, params?: Params) {
      if (params) state.cache?.writing(sql, params);
      await checked((connection) => {
        connection.ahead(sql, params);
        return UNANSWERED;
      });
      state.hasChanged ||= params !== undefined;
    },
    /** Where it was never made, a statement before it has failed, and everything is lost. */
    async rollBackTo(name: string) {
      const { spoiled } = state;
      try {
        await checked((connection) => connection.exec(`ROLLBACK TO ${name}; RELEASE ${name}`));
      } catch (error) {
        state.failed ??= spoiled ?? error;
      }
    },
    async lock(site: string) {
      const isLocked = opened === undefined;
      await checked((connection) => (isLocked ? UNANSWERED : connection.ask(LOCK, [site])), site);
    },
    async ask(sql: string, params: Params = []) {
      if (numbered(sql).writes) state.cache?.writing(sql, params);
      const result = await checked((connection) => connection.ask(sql, params));
      // A reading statement may have a writing one within, whose rows are not counted.
      state.hasChanged ||= numbered(sql).writes && (result.did === 'SELECT' || result.count > 0);
      return result;
    },
  };
}
