// Caches the logins of the last minute, so that the same credential is not hashed again while nothing has changed (D21).
import { hash, randomBytes } from 'node:crypto';
import type { Credential } from '../../contract/call.ts';
import { oncePer } from '../../text/once-per.ts';
import type { Caller } from '../caller.ts';

/** A caller, and the time in which its credential need not be checked again, in milliseconds. */
export interface Authenticated {
  readonly caller: Caller;
  readonly since: number;
  readonly until: number;
}

/** Bounds the memory that valid credentials can take. */
const MAX_LOGINS = 1_000;

/** Caches callers by keyed hashes of their credentials, while the data has one version; without one it caches nothing. */
export function loginCache() {
  const secretKey = randomBytes(32).toString('base64url');
  const known = new Map<string, Authenticated>();
  let cachedVersion: string | undefined;
  const keyOf = oncePer(({ login, password }: Credential): string =>
    hash('sha256', `${secretKey}${login}\0${password}`, 'base64url'),
  );
  return {
    /** The caller of this credential, where nothing has changed since it was checked. */
    find(credential: Credential, version: string | undefined, now: number): Caller | undefined {
      if (version === undefined || version !== cachedVersion || known.size === 0) return undefined;
      const found = known.get(keyOf(credential));
      return found && now >= found.since && now < found.until ? found.caller : undefined;
    },
    /** `version` is that of the data before the credential was checked. */
    keep(credential: Credential, version: string | undefined, authenticated: Authenticated): void {
      if (version === undefined) return;
      if (version !== cachedVersion || known.size >= MAX_LOGINS) known.clear();
      cachedVersion = version;
      known.set(keyOf(credential), authenticated);
    },
  };
}

export const MINUTE = 60_000;

/** A set whose keys expire after a minute. They are kept in order of time, so that the expired ones are at the front. */
export function expiringSet(clock: () => Date) {
  const since = new Map<string, number>();
  const isFresh = (then: number): boolean => isWithinAMinute(then, clock().getTime());
  return {
    /** When the key was added, in milliseconds; undefined where it was not or has expired. */
    since(key: string): number | undefined {
      const then = since.get(key);
      return then !== undefined && isFresh(then) ? then : undefined;
    },
    /** Answers the current time in milliseconds. */
    add(key: string): number {
      for (const [old, then] of since) {
        if (isFresh(then)) break;
        since.delete(old);
      }
      since.delete(key);
      const now = clock().getTime();
      since.set(key, now);
      return now;
    },
  };
}

/** False for a moment in the future: setting the clock back extends nothing. */
export const isWithinAMinute = (then: number, now: number): boolean => now >= then && now - then < MINUTE;

const HALF_A_DAY = 12 * 60 * MINUTE;

/** The good password that each individual showed last, as a keyed hash, for half a day. */
export function shownPasswords(clock: () => Date) {
  const shown = new Map<string, { readonly proof: string; readonly at: number }>();
  return {
    has(individual: string, proof: string): boolean {
      const last = shown.get(individual);
      const now = clock().getTime();
      return last?.proof === proof && now >= last.at && now - last.at < HALF_A_DAY;
    },
    add: (individual: string, proof: string): void => void shown.set(individual, { proof, at: clock().getTime() }),
  };
}
