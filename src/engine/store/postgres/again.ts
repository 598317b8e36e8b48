// Runs again what others were in the way of, or whose connection was cut; not for ever.
import { ServiceError } from '../../../contract/errors.ts';
import { isConflict, isCut } from './failure.ts';

/** Delays before work is run again, in milliseconds; after a conflict a random part of each. */
const AFTER_CONFLICT = [10, 20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000];
const AFTER_CUT = [50, 100, 200, 400, 800, 1_600, 3_200];

/** Runs reading again whose connection was cut. */
export async function readAgain<T>(work: () => Promise<T>): Promise<T> {
  const next = delays();
  for (;;) {
    try {
      return await work();
    } catch (failure) {
      const delay = next(failure);
      if (delay === undefined) throw failure;
      await after(delay);
    }
  }
}

export const after = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Answers how long to wait after a failure, in milliseconds; undefined where nothing is run again. */
export function delays(): (failure: unknown) => number | undefined {
  const conflict = AFTER_CONFLICT.values();
  const cut = AFTER_CUT.values();
  return (failure) => {
    if (failure instanceof ServiceError && failure.code === 'unknown_outcome') return undefined;
    if (isCut(failure)) return cut.next().value;
    const most = isConflict(failure) ? conflict.next().value : undefined;
    return most === undefined ? undefined : most * Math.random();
  };
}
