// How many requests are on their way at once, and how many a second: as many as the service bears, and never two on one record.

export interface Throttle {
  /** Runs the work when its turn comes; works with one key run one after the other. */
  run<T>(key: string | undefined, work: () => Promise<T>): Promise<T>;
  /** Learns from an answer: its status (undefined where none came) and how many milliseconds it took. */
  record(status: number | undefined, took: number): void;
  /** How many may be on their way now. */
  width(): number;
  /** Waits until one more request fits into the rate. */
  waitForRate(): Promise<void>;
}

/** At most so many requests a second; without it as many as there are. */
export interface RateOptions {
  readonly rate?: number | undefined;
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** An answer that takes so many times longer than usual tells of a service that has too much to do. */
const SLOW_FACTOR = 5;
/** Below this no answer is slow. */
const MIN_SLOW_MS = 500;

/** `most` is the widest it may become; it begins so, halves when the service has too much, and grows back one by one. */
export function openThrottle(most: number, pace?: RateOptions): Throttle {
  let width = most;
  let running = 0;
  let usual: number | undefined;
  let good = 0;
  const waiting: (() => void)[] = [];
  const lines = new Map<string, Promise<unknown>>();

  const enter = async (): Promise<void> => {
    while (running >= Math.floor(width)) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
  };
  const leave = (): void => {
    running--;
    for (const go of waiting.splice(0)) go();
  };
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
  return {
    run(key, work) {
      if (key === undefined) return within(work);
      const before = lines.get(key) ?? Promise.resolve();
      const turn = before.then(() => within(work));
      const settled = turn
        .catch(() => undefined)
        .then(() => {
          if (lines.get(key) === settled) lines.delete(key);
        });
      lines.set(key, settled);
      return turn;
    },
    record(status, took) {
      const slow = usual !== undefined && took > MIN_SLOW_MS && took > usual * SLOW_FACTOR;
      usual = usual === undefined ? took : usual * 0.9 + took * 0.1;
      if (status === undefined || status === 429 || status === 503 || slow) {
        width = Math.max(1, width / 2);
        good = 0;
      } else if (++good >= width) {
        width = Math.min(most, width + 1);
        good = 0;
      }
    },
    width: () => Math.floor(width),
    waitForRate: rateLimiter(pace),
  };
}

/** Spreads requests evenly, so that a second never begins with a crowd. */
function rateLimiter(pace: RateOptions | undefined): () => Promise<void> {
  let free = Number.NEGATIVE_INFINITY;
  return async () => {
    if (pace?.rate === undefined) return;
    const now = pace.now();
    const mine = Math.max(now, free);
    free = mine + 1000 / pace.rate;
    if (mine > now) await pace.pause(mine - now);
  };
}
