// How much of anything one caller may take of the endpoint, and how often a password may be guessed.
import { CREDENTIAL_LIMITS } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { textKey } from '../text/text-key.ts';

/** Too many logins failed; after so many seconds the next one is looked at. */
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
  /** Logins that are being looked at: each of them may fail. */
  open: number;
}

const MINUTE = 60_000;

export function loginLimiter(clock: () => Date, limits: Limits): LoginLimiter {
  const counts = new Map<string, Count>();
  const waiting: (() => void)[] = [];
  const countOf = (key: string, most: number): Count => counts.get(key) ?? { key, most, failed: [], open: 0 };
  /** Logins at one time may not fail more often than logins one by one, so some of them wait. */
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
        if (isUnauthorized(error)) {
          for (const count of both) recordFailure(count, clock().getTime());
          prune(counts, counts.values(), clock().getTime());
        }
        throw error;
      } finally {
        for (const count of both) count.open--;
        prune(counts, both, clock().getTime());
        if (waiting.length > 0) for (const go of waiting.splice(0)) go();
      }
    },
  };
}

/** Whose password is tried: of an administrator who acts as a user, the administrator's. Of a login that is too long, how it begins. */
const userOf = (login: string): string => textKey(login.slice(0, CREDENTIAL_LIMITS.login).replace(/\\.*$/s, ''));

const isUnauthorized = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unauthorized';

/** A clock that was set back makes nobody wait longer than a minute. */
const recent = ({ failed }: Count, now: number): readonly number[] =>
  failed.length === 0 ? failed : failed.filter((then) => now >= then && now - then < MINUTE);

function recordFailure(count: Count, now: number): void {
  count.failed = [...recent(count, now), now];
}

function checkLimit(count: Count, now: number): void {
  const failed = recent(count, now);
  const oldest = failed.at(-count.most);
  if (oldest !== undefined) throw new TooManyLogins(Math.max(1, Math.ceil((oldest + MINUTE - now) / 1000)));
}

/** What is long past and nobody waits for is not kept. A good login looks after its own counts, a failed one after all. */
function prune(counts: Map<string, Count>, some: Iterable<Count>, now: number): void {
  for (const count of some) {
    if (count.open === 0 && recent(count, now).length === 0) counts.delete(count.key);
  }
}

export interface Limits {
  /** Bytes of the request line and all headers. */
  readonly headers: number;
  /** Characters of the address with its query. */
  readonly address: number;
  readonly connections: number;
  /** Milliseconds until the headers must be there, until the whole request must be, and of silence between two requests. */
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** Failed logins a minute: of one user from one address, and of one address. */
  readonly loginsOfUser: number;
  readonly loginsOfAddress: number;
}

export const SERVER_LIMITS: Limits = {
  headers: 16 * 1024,
  address: 8 * 1024,
  connections: 512,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  loginsOfUser: 5,
  loginsOfAddress: 20,
};
