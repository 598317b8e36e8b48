// Limits the rate of requests, and those in flight: one more while the latency stays, half when the service is overloaded.
import { CONCURRENCY } from '../contract/call.ts';
import type { RetryOptions } from './pace.ts';

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

interface Measured {
  /** Requests of one kind take about as long as each other. */
  readonly kind: string;
  /** Undefined without a response. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  /** As many requests were in flight as may be: only then does the latency say anything about more of them. */
  readonly full: boolean;
}

export interface Width {
  /** The most requests in flight, of all and of those that write. */
  now(): { readonly all: number; readonly writes: number };
  record(measured: Measured): void;
}

/** The average of the latest latencies of one kind, and the least that it has been, in milliseconds. */
interface Latency {
  readonly average: number;
  readonly least: number;
}

/** A response that takes this many times the average means that the service is overloaded. */
const SLOW_FACTOR = 5;
/** A faster response is never slow. */
const MIN_SLOW_MS = 500;
/** The latency stays while its average is at most this many times the least one, or so many milliseconds more. */
const STAYS_FACTOR = 1.5;
const STAYS_MS = 5;
const NEWEST_SHARE = 0.1;
const MAX_KINDS = 1000;

/** `fixed`: the number that the user has set; the width begins there, and returns to it after an overload. */
export function newWidth(fixed?: number): Width {
  const most = fixed ?? CONCURRENCY.reads;
  const first = fixed ?? CONCURRENCY.first;
  const latencies = new Map<string, Latency>();
  let width: number = first;
  let good = 0;
  return {
    now: () => ({ all: Math.floor(width), writes: Math.floor(Math.min(width, fixed ?? CONCURRENCY.writes)) }),
    record({ kind, status, milliseconds, full }) {
      const before = latencies.get(kind);
      const latency = withNewest(before, milliseconds);
      if (latencies.size >= MAX_KINDS) latencies.clear();
      latencies.set(kind, latency);
      if (isOverloaded(status) || isSlow(before, milliseconds)) {
        width = Math.max(1, width / 2);
        good = 0;
        // How fast the service was before says no more how fast it can be.
        latencies.clear();
      } else if (full && (width < first || stays(latency)) && ++good >= width) {
        width = Math.min(most, width + 1);
        good = 0;
      }
    },
  };
}

const isOverloaded = (status: number | undefined): boolean => status === undefined || status === 429 || status === 503;

const isSlow = (before: Latency | undefined, milliseconds: number): boolean =>
  before !== undefined && milliseconds > MIN_SLOW_MS && milliseconds > before.average * SLOW_FACTOR;

const stays = ({ average, least }: Latency): boolean => average <= Math.max(least * STAYS_FACTOR, least + STAYS_MS);

function withNewest(before: Latency | undefined, milliseconds: number): Latency {
  if (!before) return { average: milliseconds, least: milliseconds };
  const average = before.average * (1 - NEWEST_SHARE) + milliseconds * NEWEST_SHARE;
  return { average, least: Math.min(before.least, average) };
}
