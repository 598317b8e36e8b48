// The first process grants what only one place can: the turn to write, and the check of a password within the limits.
import { unauthorized } from '../../engine/auth/login.ts';
import { type LoginLimiter, TooManyLogins } from '../../server/login-limiter.ts';
import type { FromWorker, ToWorker, Wish } from './messages.ts';

/** The wishes of one worker. */
export interface Grants {
  take(message: FromWorker): void;
  /** The worker is gone: what it was granted ends, and what it waits for is not granted. */
  end(): void;
}

/** Runs work one after another. */
export type InTurn = (work: () => Promise<unknown>) => void;

export function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    last = last.then(work);
  };
}

export function grantsOf(limiter: LoginLimiter, write: InTurn, send: (message: ToWorker) => void): Grants {
  const granted = new Map<number, (failed: boolean) => void>();
  let isGone = false;
  /** Grants a wish. Resolves when it ends: whether a password was wrong. */
  const grant = (id: number): Promise<boolean> => {
    if (isGone) return Promise.resolve(false);
    return new Promise((resolve) => {
      granted.set(id, resolve);
      send({ say: 'granted', id });
    });
  };
  const check = async (id: number, { login, address }: Extract<Wish, { kind: 'login' }>): Promise<void> => {
    try {
      await limiter.guard(
        login,
        address,
      )(async () => {
        if (await grant(id)) throw unauthorized();
      });
    } catch (error) {
      // A wrong password is answered by the worker.
      if (error instanceof TooManyLogins) send({ say: 'refused', id, retryAfter: error.retryAfter });
    }
  };
  return {
    take(message) {
      if (message.say === 'ends') {
        granted.get(message.id)?.(message.failed);
        granted.delete(message.id);
      } else if (message.say === 'wishes') {
        const { id, wish } = message;
        if (wish.kind === 'write') write(() => grant(id));
        else void check(id, wish);
      }
    },
    end() {
      isGone = true;
      for (const resolve of granted.values()) resolve(false);
      granted.clear();
    },
  };
}
