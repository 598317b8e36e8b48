// Remembers what it is told for one minute of the clock that it is handed, and nothing longer.

export interface Memory {
  /** Since when it remembers, in milliseconds; undefined where it does not. */
  since(key: string): number | undefined;
  /** Answers the moment. */
  add(key: string): number;
}

export const MINUTE = 60_000;

/** The oldest come first, so that what is forgotten is found at the front. */
export function forAMinute(clock: () => Date): Memory {
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
