// Runs work again where others were in its way, or its connection was cut; not for ever.
import { ServiceError } from '../../../contract/errors.ts';
import { isConflict, isCut } from './failure.ts';

/** Delays before work is run again, in milliseconds; after a conflict a random part of each. */
const AFTER_CONFLICT = [10, 20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000];
const AFTER_CUT = [50, 100, 200, 400, 800, ...Array.from({ length: 30 }, () => 1_000)];

/** How long work waits for a server that has gone away, in milliseconds. */
const AWAY_MS = 30_000;
/** A server that is there again sooner was not waited for. */
const UNSEEN_MS = 200;

export type Patience = ReturnType<typeof patienceOf>;

/**
 * One for all connections to a server: work that waits for it gives up together. `onAway` is called with the failure once the
 * server is waited for.
 */
export function patienceOf(awayMs = AWAY_MS, onAway: (failure: unknown) => void = () => undefined) {
  let since: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    /** A connection was cut, or could not be made. Answers whether to wait for the server. */
    lost(failure: unknown): boolean {
      if (since === undefined) timer = setTimeout(onAway, UNSEEN_MS, failure).unref();
      since ??= performance.now();
      const isOver = performance.now() - since >= awayMs;
      if (isOver) clearTimeout(timer);
      return !isOver;
    },
    /** The server has answered. */
    found(): void {
      clearTimeout(timer);
      since = undefined;
    },
  };
}

/** Runs reading again where its connection was cut. */
export async function readAgain<T>(work: () => Promise<T>, patience: Patience): Promise<T> {
  const next = delays(patience);
  for (;;) {
    try {
      const answer = await work();
      patience.found();
      return answer;
    } catch (failure) {
      const delay = next(failure);
      if (delay === undefined) throw failure;
      await after(delay);
    }
  }
}

export const after = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Answers how long to wait after a failure, in milliseconds; undefined if nothing is run again. */
export function delays(patience: Patience): (failure: unknown) => number | undefined {
  const conflict = AFTER_CONFLICT.values();
  const cut = AFTER_CUT.values();
  return (failure) => {
    if (failure instanceof ServiceError && failure.code === 'unknown_outcome') return undefined;
    if (isCut(failure)) return patience.lost(failure) ? cut.next().value : undefined;
    const most = isConflict(failure) ? conflict.next().value : undefined;
    return most === undefined ? undefined : most * Math.random();
  };
}
