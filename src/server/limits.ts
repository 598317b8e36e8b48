// The limits of the endpoint, and the limiter of failed logins.
import { CREDENTIAL_LIMITS } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { textKey } from '../text/text-key.ts';

/** `retryAfter`: the seconds until the next login is tried. */
export class TooManyLogins extends ServiceError {
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('too_many', `too many logins have failed; the next one is looked at in ${retryAfter} s`);
    this.retryAfter = retryAfter;
  }
}

export interface LoginLimiter {
  /** Runs a login unless too many have failed. Throws `TooManyLogins`, else what the login throws. */
  run<T>(login: string, address: string, work: () => Promise<T>): Promise<T>;
}

interface Count {
  readonly key: string;
  readonly most: number;
  /** When logins failed, in milliseconds, the oldest first. */
  failed: readonly number[];
  /** Logins in progress: each of them may fail. */
  open: number;
}

const MINUTE = 60_000;

export function loginLimiter(clock: () => Date, limits: Limits): LoginLimiter {
  const counts = new Map<string, Count>();
  const waiting: (() => void)[] = [];
  const countOf = (key: string, most: number): Count => counts.get(key) ?? { key, most, failed: [], open: 0 };
  /** Waits while the logins in progress could exceed the limit if all of them failed. */
  const enter = async (user: string, address: string): Promise<readonly Count[]> => {
    for (;;) {
      const now = clock().getTime();
      const both = [countOf(user, limits.loginsOfUser), countOf(address, limits.loginsOfAddress)];
      for (const count of both) checkLimit(count, now);
      if (both.every((count) => recent(count, now).length + count.open < count.most)) {
        for (const count of both) {
          count.open++;
          counts.set(count.key, count);
        }
        return both;
      }
      await new Promise<void>((go) => waiting.push(go));
    }
  };
  return {
    async run(login, address, work) {
      const both = await enter(JSON.stringify([address, userOf(login)]), address);
      try {
        return await work();
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'unauthorized') {
          const now = clock().getTime();
          for (const count of both) count.failed = [...recent(count, now), now];
          prune(counts, counts.values(), now);
        }
        throw error;
      } finally {
        for (const count of both) count.open--;
        prune(counts, both, clock().getTime());
        for (const go of waiting.splice(0)) go();
      }
    },
  };
}

/** The user whose password is tried: in `admin\user` the administrator. A login that is too long is cut. */
const userOf = (login: string): string => textKey(login.slice(0, CREDENTIAL_LIMITS.login).replace(/\\.*$/s, ''));

/** The failures of the last minute, also after the clock was set back. */
const recent = ({ failed }: Count, now: number): readonly number[] =>
  failed.length === 0 ? failed : failed.filter((then) => now >= then && now - then < MINUTE);

function checkLimit(count: Count, now: number): void {
  const failed = recent(count, now);
  const oldest = failed.at(-count.most);
  if (oldest !== undefined) throw new TooManyLogins(Math.max(1, Math.ceil((oldest + MINUTE - now) / 1000)));
}

/** Deletes the counts without failures and open logins. A good login prunes its own, a failed one all. */
function prune(counts: Map<string, Count>, some: Iterable<Count>, now: number): void {
  for (const count of some) {
    if (count.open === 0 && recent(count, now).length === 0) counts.delete(count.key);
  }
}

export const SERVER_LIMITS = {
  /** Bytes of the request line and all headers. */
  headers: 16 * 1024,
  /** Characters of the address with its query. */
  address: 8 * 1024,
  connections: 512,
  /** Milliseconds for the headers, for the whole request, and between two requests. */
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  /** Failed logins a minute: of one user from one address, and of one address. */
  loginsOfUser: 5,
  loginsOfAddress: 20,
};

export type Limits = Readonly<typeof SERVER_LIMITS>;
