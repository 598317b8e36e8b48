// Runs transactions, and again where others were in the way, or the connection was cut before the COMMIT.
import { ServiceError } from '../../../../contract/errors.ts';
import type { Runs } from '../../port.ts';
import { after, delays, readAgain } from '../again.ts';
import { type Connection, closedAfter } from '../connection.ts';
import { codeOf } from '../failure.ts';
import { begunOn, type Pool, rollBack } from '../pool.ts';
import { LOCK } from '../site-of.ts';
import { isCommitted, sweepMarkers, unknownOutcome, writeMarker } from './commit-marker.ts';
import { ABORTED, attributed, type Ground, sent, Unattributed } from './ground.ts';
import { newSavepoint, type Running, release, rollBackTo, type Transaction, transactionOf } from './transaction.ts';
import { unsentRows } from './unsent.ts';

type Work<T> = (transaction: Transaction) => Promise<T>;

/**
 * Runs work in a transaction of its own; durable when it resolves. Throws `busy` and `unreachable` where it was run often
 * enough, `unknown_outcome`, and the errors of the work.
 */
export type InTransaction = <T>(work: Work<T>, runs?: Runs) => Promise<T>;

interface TransactionOptions {
  readonly pool: Pool;
  /** Opens a connection beside the pool. */
  readonly connect: () => Promise<Connection>;
  /** Called with each failure that others have caused, and after which work runs again. */
  readonly onRepeat?: ((failure: unknown) => void) | undefined;
}

/** Readers never wait; writers of one site lock its row. A database that is read-only by default stays so. */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';

type Outcome<T> = { readonly answer: T } | { readonly failure: unknown };

export function transactionsOn({ onRepeat, ...ground }: TransactionOptions): InTransaction {
  const turns = siteTurns();
  return async <T>(work: Work<T>, runs: Runs = 'again') => {
    const next = delays(ground.pool.patience);
    for (let isPlain = runs === 'once'; ; ) {
      const outcome = await attempt<T>({ ...ground, turns, isPlain }, work);
      if ('answer' in outcome) return outcome.answer;
      const { failure } = outcome;
      const delay = failure instanceof Unattributed ? 0 : next(failure);
      isPlain ||= failure instanceof Unattributed;
      if (delay === undefined) throw failure;
      if (runs === 'once') throw notAgain(failure);
      if (!(failure instanceof Unattributed)) onRepeat?.(failure);
      await after(delay);
    }
  };
}

const notAgain = (cause: unknown): ServiceError =>
  new ServiceError('busy', `the change would have to be run again: ${(cause as Error).message}`, {
    hint: 'Nothing of it was kept. Run it again.',
    cause,
  });

interface Process extends Server {
  readonly turns: ReturnType<typeof siteTurns>;
  /** Each statement is waited for, so that its error is thrown where it is asked. */
  readonly isPlain: boolean;
}

async function attempt<T>(process: Process, work: Work<T>): Promise<Outcome<T>> {
  let shared: Shared | undefined;
  const running = transactionOf(async (site) => {
    shared = await joined(process, site);
    return shared;
  }, process.isPlain);
  const outcome = await outcomeOf(running, work, () => shared?.connection);
  if (!shared) return outcome;
  await endPiece(process, shared, running, 'answer' in outcome);
  // A refusal, too, may rest on changes of a piece before it, and may yet be lost.
  return shared.ended.then(
    () => outcome,
    (failure: unknown) => ({ failure }),
  );
}

async function outcomeOf<T>(
  running: Running,
  work: Work<T>,
  connection: () => Connection | undefined,
): Promise<Outcome<T>> {
  const outcome: Outcome<T> = await work(running.transaction).then(
    (answer) => ({ answer }),
    (failure: unknown) => ({ failure: codeOf(failure) === ABORTED ? running.state.spoiled : failure }),
  );
  if ('failure' in outcome) await running.check().catch(() => undefined);
  await running.end();
  const failure = running.state.failed ?? ('answer' in outcome ? await whySpoiled(running, connection()) : undefined);
  return failure === undefined ? outcome : { failure };
}

/** Work may pass over an error of a statement: whether the server does, too, nothing but the next statement tells. */
async function whySpoiled(running: Running, connection: Connection | undefined): Promise<unknown> {
  if (running.state.spoiled === undefined || !connection) return undefined;
  return connection.exec('SELECT 1').then(
    () => undefined,
    () => running.state.spoiled,
  );
}

/** Waits for the turn; goes on in the transaction that is handed over, or begins one. */
async function joined(process: Process, site: string | undefined): Promise<Shared> {
  const { pool, turns } = process;
  const shared = site === undefined ? undefined : await turns.take(site);
  if (shared) return goneOn(process, shared);
  try {
    return sharedOn(await readAgain(() => begun(pool, site), pool.patience), site);
  } catch (error) {
    if (site !== undefined) turns.pass(site);
    throw error;
  }
}

/** Plain work begins when all waiting rows are written, so that no error of these is taken for one of its own. */
async function goneOn(process: Process, shared: Shared): Promise<Shared> {
  const { connection, unsent } = shared;
  shared.pieces++;
  unsent.open(newSavepoint());
  try {
    if (process.isPlain) await sent(connection, unsent);
    return shared;
  } catch (error) {
    await end(process, shared, error);
    throw error;
  }
}

/** Hands the transaction over to the next piece that waits for its site, or ends it. */
async function endPiece(process: Process, shared: Shared, running: Running, isKept: boolean): Promise<void> {
  const { site } = shared;
  const isFirst = shared.pieces === 1;
  let failure = running.state.failed;
  try {
    if (!isFirst && failure === undefined) await (isKept ? release(shared, false) : rollBackTo(shared));
  } catch (error) {
    failure = running.state.spoiled ?? error;
  }
  if (isKept) shared.hasChanged ||= running.state.hasChanged;
  else shared.cached = undefined;
  const goesOn = failure === undefined && (isKept || !isFirst) && !isFull(shared);
  if (goesOn && site !== undefined && process.turns.isAwaited(site)) process.turns.pass(site, shared);
  else await end(process, shared, failure);
}

/** Bounds how long finished pieces wait for their commit, and other processes for the site. */
const MOST_PIECES = 64;
const MOST_MS = 100;

const isFull = ({ pieces, began }: Shared): boolean => pieces >= MOST_PIECES || Date.now() - began > MOST_MS;

/** Commits, unless there is a failure by which the whole transaction is lost. */
async function end({ pool, connect, turns }: Process, shared: Shared, failure: unknown): Promise<void> {
  const { connection, site, hasChanged } = shared;
  try {
    if (failure !== undefined) throw failure;
    if (hasChanged) await commit(shared, { pool, connect });
    else await rollBack(connection);
    shared.end();
  } catch (error) {
    await rollBack(connection);
    shared.fail(error);
  } finally {
    pool.giveBack(connection);
    if (site !== undefined) turns.pass(site);
  }
}

/** A connection with a transaction that has begun and has locked the site. */
const begun = (pool: Pool, site: string | undefined): Promise<Begun> =>
  begunOn(pool, async (connection) => {
    connection.ahead(BEGIN);
    if (site !== undefined) connection.ahead(LOCK, [site]);
    return { connection, token: await writeMarker(connection) };
  });

type Server = Pick<TransactionOptions, 'pool' | 'connect'>;

/** Where the answer of the COMMIT is lost, looks whether it became durable all the same. */
async function commit({ connection, token, unsent }: Shared, server: Server): Promise<void> {
  const isSure = !unsent.send(connection);
  sweepMarkers(connection);
  try {
    const { did } = await attributed(connection.exec('COMMIT'), isSure);
    // The server rolls back a transaction that a statement has spoiled, and calls that no error.
    if (did !== 'COMMIT') throw new Error(`the server said ${did} instead of COMMIT`);
  } catch (error) {
    if (!connection.isLost()) throw error;
    if (!(await isKept(server, connection.id, token, error))) throw error;
  }
}

/** Did the COMMIT that failed with this error become durable all the same? Throws `unknown_outcome`. */
async function isKept({ pool, connect }: Server, id: string, token: string, error: unknown): Promise<boolean> {
  try {
    return await readAgain(
      () => closedAfter(connect, (connection) => isCommitted(connection, id, token)),
      pool.patience,
    );
  } catch (why) {
    throw unknownOutcome(error, why);
  }
}

interface Begun {
  readonly connection: Connection;
  /** Of its commit marker. */
  readonly token: string;
}

/** A transaction that several pieces of work share, one after another. */
interface Shared extends Ground, Begun {
  /** The site that it has locked; without one nothing else joins it. */
  readonly site: string | undefined;
  /** When it began, in milliseconds. */
  readonly began: number;
  /** How many pieces have begun in it. */
  pieces: number;
  hasChanged: boolean;
  /** Resolves when its changes are durable; rejects where none of them is kept. */
  readonly ended: Promise<void>;
  end(): void;
  fail(error: unknown): void;
}

function sharedOn(begun: Begun, site: string | undefined): Shared {
  let [end, fail] = [(): void => undefined, (_: unknown): void => undefined];
  const ended = new Promise<void>((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  // It may be that every piece has failed by itself.
  ended.catch(() => undefined);
  const unsent = unsentRows();
  return { ...begun, unsent, site, began: Date.now(), pieces: 1, hasChanged: false, ended, end, fail };
}

/**
 * The turns of the transactions of one site. Those that wait share the transaction before theirs, and its commit; they hold no
 * connection, which the work on other sites needs.
 */
function siteTurns() {
  /** Waiting work, by the sites with a turn that is taken. */
  const waiting = new Map<string, ((shared: Shared | undefined) => void)[]>();
  return {
    /** Waits for the turn; answers the transaction that is handed over with it. */
    take(site: string): Promise<Shared | undefined> {
      const line = waiting.get(site);
      if (line) return new Promise((resolve) => line.push(resolve));
      waiting.set(site, []);
      return Promise.resolve(undefined);
    },
    /** Does anything wait for this site? */
    isAwaited: (site: string): boolean => (waiting.get(site)?.length ?? 0) > 0,
    /** Gives the turn to the work that waits longest, and the transaction where it goes on. */
    pass(site: string, shared?: Shared): void {
      const next = waiting.get(site)?.shift();
      if (next) next(shared);
      else waiting.delete(site);
    },
  };
}
