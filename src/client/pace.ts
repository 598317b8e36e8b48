// Retries with backoff, a circuit breaker, and limits of concurrency and rate that adapt to the load of the service.
import { NoAnswer } from './no-answer.ts';

export interface RetryOptions {
  /** The most tries after the first one. */
  readonly retries: number;
  /** A number from 0 to 1: spreads the retries of many clients. */
  readonly random: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
}

interface Retryable {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A response. `unsure`: an earlier try got none, and may have been carried out. */
export interface RetryResult<T> {
  readonly response: T;
  readonly unsure: boolean;
}

/** The service has not processed the request; behind a gateway error it may have. */
const NOT_PROCESSED = new Set([429, 503]);
const GATEWAY_ERRORS = new Set([502, 504]);
const FIRST_DELAY_MS = 300;
const MAX_DELAY_MS = 60_000;

/**
 * Tries until a response is final. A request that may have been carried out is sent again only if it is repeatable.
 * Throws NoAnswer, whose `left` covers all tries.
 */
export async function retry<T extends Retryable>(
  send: () => Promise<T>,
  { method, repeatable }: { readonly method: string; readonly repeatable: boolean },
  options: RetryOptions,
): Promise<RetryResult<T>> {
  let unsure = false;
  for (let tried = 0; ; tried++) {
    const outcome = await send().catch(noAnswerOrThrow);
    const failed = outcome instanceof NoAnswer;
    const isGateway = !failed && isTransient(method, outcome.status);
    if (!failed && !isGateway && !NOT_PROCESSED.has(outcome.status)) return { response: outcome, unsure };
    if (failed ? outcome.left : isGateway) unsure = true;
    const wait = failed ? backOff(tried, options) : delayAfter(outcome, tried, options);
    const last = tried >= options.retries || (unsure && !repeatable) || wait > MAX_DELAY_MS;
    if (failed && (last || outcome.lasting)) throw withLeft(outcome, unsure);
    if (!failed && last) return { response: outcome, unsure };
    await options.pause(wait);
  }
}

/** A read that failed inside the service, most often for want of time, may go well the next time. */
const isTransient = (method: string, status: number): boolean =>
  GATEWAY_ERRORS.has(status) || (status === 500 && method === 'GET');

function noAnswerOrThrow(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  throw error;
}

const withLeft = (error: NoAnswer, left: boolean): NoAnswer =>
  left === error.left ? error : new NoAnswer(error.message, { ...error, left, cause: error.cause });

/** Exponential backoff in milliseconds, with a jitter of up to half of it. */
export const backOff = (tried: number, { random }: Pick<RetryOptions, 'random'>): number =>
  Math.min(FIRST_DELAY_MS * 2 ** tried, MAX_DELAY_MS) * (0.5 + random() / 2);

/** The delay of Retry-After (seconds or a date), and at least the backoff. */
function delayAfter({ headers }: Retryable, tried: number, options: RetryOptions): number {
  const header = headers['retry-after'] ?? '';
  const delay = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - options.now();
  return Math.max(backOff(tried, options), Number.isNaN(delay) ? 0 : delay);
}

/** Stops requests to a service that no longer answers. */
interface CircuitBreaker {
  /** Throws NoAnswer while the circuit is open. */
  check(): void;
  /** Records a try that began at this moment and timed out. */
  timedOut(since: number): void;
  succeeded(): void;
}

/** The circuit opens when only timeouts came for this many times the timeout. */
const BREAK_AFTER_TIMEOUTS = 2.5;

/** `timeout`: the milliseconds of one try. */
export function newCircuitBreaker(timeout: number, now: () => number): CircuitBreaker {
  let firstTimeoutBegan: number | undefined;
  let lastTimeoutEnded = 0;
  return {
    check() {
      if (firstTimeoutBegan === undefined) return;
      if (lastTimeoutEnded - firstTimeoutBegan < BREAK_AFTER_TIMEOUTS * timeout) return;
      // The circuit closes again after one timeout without requests.
      if (now() - lastTimeoutEnded > timeout) firstTimeoutBegan = undefined;
      else throw new NoAnswer('it has fallen silent', { left: false, lasting: true });
    },
    timedOut(since) {
      firstTimeoutBegan ??= since;
      lastTimeoutEnded = now();
    },
    succeeded() {
      firstTimeoutBegan = undefined;
    },
  };
}

interface Throttle {
  /** Runs the work when there is room; works with the same key run one after the other. */
  run<T>(key: string | undefined, work: () => Promise<T>): Promise<T>;
  /** Adapts to a response: its status (undefined for none) and its milliseconds. */
  record(status: number | undefined, milliseconds: number): void;
  /** Waits until the rate allows one more request. */
  waitForRate(): Promise<void>;
}

export interface RateOptions extends Pick<RetryOptions, 'now' | 'pause'> {
  /** The most requests a second; unlimited by default. */
  readonly rate?: number | undefined;
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
