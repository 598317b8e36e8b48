// Limits failed logins: of one user from one address, of one address, and slowly of one user from all addresses (D21).
import { CREDENTIAL_LIMITS, type PasswordGuard } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { textKey } from '../text/text-key.ts';
import { addressGroup } from './client-address.ts';
import type { Limits } from './http-server.ts';

/** `retryAfter`: the seconds until the next login is tried. */
export class TooManyLogins extends ServiceError {
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('too_many', `too many logins have failed; the next one is looked at in ${retryAfter} s`);
    this.retryAfter = retryAfter;
  }
}

export type LoginLimiter = ReturnType<typeof loginLimiter>;

interface Count {
  readonly key: string;
  readonly most: number;
  /** For how long a failure counts, in milliseconds. */
  readonly window: number;
  /** When logins failed, in milliseconds, the oldest first. */
  failed: readonly number[];
  /** Checks in progress: each of them may fail. */
  open: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export function loginLimiter(clock: () => Date, limits: Limits) {
  const counts = new Map<string, Count>();
  const waiting: (() => void)[] = [];
  const countOf = (parts: readonly string[], most: number, window: number): Count => {
    const key = JSON.stringify(parts);
    return counts.get(key) ?? { key, most, window, failed: [], open: 0 };
  };
  const countsOf = (user: string, address: string): readonly Count[] => [
    countOf(['user', user, address], limits.loginsOfUser, MINUTE),
    countOf(['address', address], limits.loginsOfAddress, MINUTE),
    countOf(['user', user], limits.loginsOfUserAnHour, HOUR),
  ];
  /** Waits while the checks in progress could exceed a limit if all of them failed. */
  const enter = async (user: string, address: string): Promise<readonly Count[]> => {
    for (;;) {
      const now = clock().getTime();
      const entered = countsOf(user, address);
      for (const count of entered) checkLimit(count, now);
      if (entered.every((count) => recent(count, now).length + count.open < count.most)) {
        for (const count of entered) {
          count.open++;
          counts.set(count.key, count);
        }
        return entered;
      }
      await new Promise<void>((go) => waiting.push(go));
    }
  };
  const run = async <T>(user: string, address: string, check: () => Promise<T>): Promise<T> => {
    const entered = await enter(user, address);
    try {
      return await check();
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'unauthorized') {
        const now = clock().getTime();
        for (const count of entered) count.failed = [...recent(count, now), now];
        prune(counts, counts.values(), now);
      }
      throw error;
    } finally {
      for (const count of entered) count.open--;
      prune(counts, entered, clock().getTime());
      for (const go of waiting.splice(0)) go();
    }
  };
  return {
    /**
     * The guard of one login from one address. It throws `TooManyLogins` after too many failures, and counts a check that
     * throws `unauthorized`.
     */
    guard:
      (login: string, address: string): PasswordGuard =>
      (check) =>
        run(userOf(login), addressGroup(address), check),
  };
}

/** The owner of the password that is tried: in `admin\user` the administrator. A login that is too long is cut. */
const userOf = (login: string): string => textKey(login.slice(0, CREDENTIAL_LIMITS.login).replace(/\\.*$/s, ''));

/** The failures that count, also after the clock was set back. */
const recent = ({ failed, window }: Count, now: number): readonly number[] =>
  failed.length === 0 ? failed : failed.filter((then) => now >= then && now - then < window);

function checkLimit(count: Count, now: number): void {
  const failed = recent(count, now);
  const oldest = failed.at(-count.most);
  if (oldest !== undefined) throw new TooManyLogins(Math.max(1, Math.ceil((oldest + count.window - now) / 1000)));
}

/** Deletes the counts without failures and open checks. A good login prunes its own, a failed one all. */
function prune(counts: Map<string, Count>, some: Iterable<Count>, now: number): void {
  for (const count of some) if (count.open === 0 && recent(count, now).length === 0) counts.delete(count.key);
}
