// Limits concurrent requests and requests per second, adapts to the load of the service, and serializes requests on one record.

interface Throttle {
  /** Runs the work when there is room; works with the same key run one after the other. */
  run<T>(key: string | undefined, work: () => Promise<T>): Promise<T>;
  /** Adapts to a response: its status (undefined for none) and its milliseconds. */
  record(status: number | undefined, milliseconds: number): void;
  /** Waits until the rate allows one more request. */
  waitForRate(): Promise<void>;
}

export interface RateOptions {
  /** The most requests a second; unlimited by default. */
  readonly rate?: number | undefined;
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** A response that takes this many times the average means that the service is overloaded. */
const SLOW_FACTOR = 5;
/** A faster response is never slow. */
const MIN_SLOW_MS = 500;

/** The limit begins at `most`, halves when the service is overloaded, and grows back one by one. */
export function openThrottle(most: number, options?: RateOptions): Throttle {
  let width = most;
  let running = 0;
  let average: number | undefined;
  let good = 0;
  const waiting: (() => void)[] = [];
  const queues = new Map<string, Promise<unknown>>();

  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
    while (running >= Math.floor(width)) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      return await work();
    } finally {
      running--;
      for (const resume of waiting.splice(0)) resume();
    }
  };
  return {
    run(key, work) {
      if (key === undefined) return limited(work);
      const before = queues.get(key) ?? Promise.resolve();
      const result = before.then(() => limited(work));
      const done = result
        .catch(() => undefined)
        .then(() => {
          if (queues.get(key) === done) queues.delete(key);
        });
      queues.set(key, done);
      return result;
    },
    record(status, milliseconds) {
      const slow = average !== undefined && milliseconds > MIN_SLOW_MS && milliseconds > average * SLOW_FACTOR;
      average = average === undefined ? milliseconds : average * 0.9 + milliseconds * 0.1;
      if (status === undefined || status === 429 || status === 503 || slow) {
        width = Math.max(1, width / 2);
        good = 0;
      } else if (++good >= width) {
        width = Math.min(most, width + 1);
        good = 0;
      }
    },
    waitForRate: rateLimiter(options),
  };
}

/** Spaces requests evenly, without bursts. */
function rateLimiter(options: RateOptions | undefined): () => Promise<void> {
  let nextStart = Number.NEGATIVE_INFINITY;
  return async () => {
    if (options?.rate === undefined) return;
    const now = options.now();
    const start = Math.max(now, nextStart);
    nextStart = start + 1000 / options.rate;
    if (start > now) await options.pause(start - now);
  };
}
