// Limits the requests in flight and their rate.

import type { RetryOptions } from './pace.ts';
import { newWidth } from './width.ts';

/** What the throttle knows of a request. */
export interface Throttled {
  /** Works with the same key run one after the other. */
  readonly key?: string | undefined;
  readonly writes: boolean;
}

interface Throttle {
  /** Runs the work when there is room. */
  run<T>(request: Throttled, work: () => Promise<T>): Promise<T>;
  /** Adapts to a response: the kind of its request, its status (undefined for none) and its milliseconds. */
  record(kind: string, status: number | undefined, milliseconds: number): void;
  /** Waits until the rate allows one more request. */
  waitForRate(): Promise<void>;
}

export interface RateOptions extends Pick<RetryOptions, 'now' | 'pause'> {
  /** The most requests a second; unlimited by default. */
  readonly rate?: number | undefined;
}

/** `concurrency`: the most requests in flight; without it their number adapts. */
export function openThrottle(concurrency: number | undefined, options?: RateOptions): Throttle {
  const width = newWidth(concurrency);
  const running = { all: 0, writes: 0 };
  const waiting: (() => void)[] = [];
  const queues = new Map<string, Promise<unknown>>();
  const isFull = (): boolean => running.all >= width.now().all;
  const limited = async <T>(writes: boolean, work: () => Promise<T>): Promise<T> => {
    while (isFull() || (writes && running.writes >= width.now().writes))
      await new Promise<void>((resolve) => waiting.push(resolve));
    running.all++;
    if (writes) running.writes++;
    try {
      return await work();
    } finally {
      running.all--;
      if (writes) running.writes--;
      for (const resume of waiting.splice(0)) resume();
    }
  };
  return {
    run({ key, writes }, work) {
      if (key === undefined) return limited(writes, work);
      const before = queues.get(key) ?? Promise.resolve();
      const result = before.then(() => limited(writes, work));
      const done = result
        .catch(() => undefined)
        .then(() => {
          if (queues.get(key) === done) queues.delete(key);
        });
      queues.set(key, done);
      return result;
    },
    record(kind, status, milliseconds) {
      const full = isFull() || running.writes >= width.now().writes;
      width.record({ kind, status, milliseconds, full });
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
