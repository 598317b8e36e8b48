// Logins of the last minute: the same credential need not be hashed again while nothing has changed (D21).
import { createHmac, randomBytes } from 'node:crypto';
import type { Credential } from '../../contract/call.ts';
import type { Caller } from '../context.ts';

/** A caller, and between which moments they need not show anew who they are: milliseconds. */
export interface Authenticated {
  readonly caller: Caller;
  readonly since: number;
  readonly until: number;
}

interface LoginCache {
  /** The caller who was let in by this credential, if nothing has changed since. */
  find(credential: Credential, version: string, now: number): Caller | undefined;
  /** `version` is that of the data before anything was read to let them in. */
  keep(credential: Credential, version: string, admitted: Authenticated): void;
}

/** So that nobody fills the memory with good credentials of their own. */
const MAX_LOGINS = 1_000;

/** Remembers no credential, only keyed hashes of them. */
export function loginCache(): LoginCache {
  const secretKey = randomBytes(32);
  const known = new Map<string, Authenticated>();
  let at: string | undefined;
  const keyOf = ({ login, password }: Credential): string =>
    createHmac('sha256', secretKey).update(`${login}\0${password}`).digest('base64url');
  return {
    find(credential, version, now) {
      if (version !== at || known.size === 0) return undefined;
      const found = known.get(keyOf(credential));
      return found && now >= found.since && now < found.until ? found.caller : undefined;
    },
    keep(credential, version, admitted) {
      if (version !== at || known.size >= MAX_LOGINS) known.clear();
      at = version;
      known.set(keyOf(credential), admitted);
    },
  };
}

interface ExpiringSet {
  /** Since when it remembers, in milliseconds; undefined where it does not. */
  since(key: string): number | undefined;
  /** Answers the moment. */
  add(key: string): number;
}

export const MINUTE = 60_000;

/** The oldest come first, so that what is forgotten is found at the front. */
export function expiringSet(clock: () => Date): ExpiringSet {
  const since = new Map<string, number>();
  const isFresh = (then: number): boolean => isWithinAMinute(then, clock().getTime());
  return {
    since(key) {
      const then = since.get(key);
      return then !== undefined && isFresh(then) ? then : undefined;
    },
    add(key) {
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

/** A clock that was set back makes nothing last longer. */
export const isWithinAMinute = (then: number, now: number): boolean => now >= then && now - then < MINUTE;
