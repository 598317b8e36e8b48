// The ground that the statements of a transaction run on, and the state that they leave it in.
import type { Cached, RowCache } from '../../sql/row-cache.ts';
import type { Connection } from '../connection.ts';
import { codeOf, isConflict, isCut } from '../failure.ts';
import type { Unsent } from './unsent.ts';

/** All statements of a transaction share it. */
export interface Ground {
  readonly connection: Connection;
  readonly unsent: Unsent;
  /** The records that its cache has read. */
  cached?: Cached | undefined;
}

export interface State {
  /** Why nothing of it can be kept, whatever its work makes of the error: others were in its way, or it was cut. */
  failed?: unknown;
  /** The last error of a statement. The server takes no more of them outside of its savepoint. */
  spoiled?: unknown;
  /** Has anything been written? */
  hasChanged: boolean;
  isOver: boolean;
  /** The records that were read: it learns that a savepoint was rolled back. */
  cache?: Pick<RowCache, 'share' | 'clear'>;
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

export type Begin = (site: string | undefined) => Promise<Ground>;

export type On = ReturnType<typeof checkedOn>;

/** Runs work where the transaction has begun and nothing of it is lost yet; notes its errors in the state. */
export function checkedOn(begin: Begin, state: State) {
  let begun: Promise<Ground> | undefined;
  /** Where it begins with this, it locks the site. */
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
  return Object.assign(on, { hasBegun: (): boolean => begun !== undefined });
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

/** Sends all that waits, and waits until it is written. */
export async function sent(connection: Connection, unsent: Unsent): Promise<void> {
  unsent.send(connection);
  await attributed(connection.exec('SELECT 1'), false);
}
