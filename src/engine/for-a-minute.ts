// Remembers what it is told for one minute of the clock that it is handed, and nothing longer.

export interface Memory {
  has(key: string): boolean;
  add(key: string): void;
}

const MINUTE = 60_000;

/** The oldest come first, so that what is forgotten is found at the front. */
export function forAMinute(clock: () => Date): Memory {
  const since = new Map<string, number>();
  const isFresh = (then: number): boolean => isWithinAMinute(then, clock().getTime());
  return {
    has: (key) => isFresh(since.get(key) ?? Number.NaN),
    add(key) {
      for (const [old, then] of since) {
        if (isFresh(then)) break;
        since.delete(old);
      }
      since.delete(key);
      since.set(key, clock().getTime());
    },
  };
}

/** A clock that was set back makes nothing last longer. */
export const isWithinAMinute = (then: number, now: number): boolean => now >= then && now - then < MINUTE;
