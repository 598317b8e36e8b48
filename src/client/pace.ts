// Retries with backoff, and a circuit breaker.
import { NoAnswer } from './no-answer.ts';
import type { Response } from './transport.ts';

export interface RetryOptions {
  /** The most tries after the first one. */
  readonly retries: number;
  /** A number from 0 to 1: spreads the retries of many clients. */
  readonly random: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
}

/** A response. `unsure`: an earlier try got none, and may have been carried out. */
export interface RetryResult<T> {
  readonly response: T;
  readonly unsure: boolean;
}

/** The service, or a proxy before it, had no time or no answer. It may have processed the request all the same. */
const TRANSIENT = new Set([429, 502, 503, 504]);
const TRANSIENT_FOR_READS = new Set([408, 425, 500, 520, 521, 522, 523, 524]);
const FIRST_DELAY_MS = 300;
export const MAX_DELAY_MS = 60_000;

/**
 * Tries until a response is final. A request that may have been carried out is sent again only if it is repeatable.
 * Throws NoAnswer; its `left` covers all tries.
 */
export async function retry<T extends Pick<Response, 'status' | 'headers'>>(
  send: () => Promise<T>,
  { method, repeatable }: { readonly method: string; readonly repeatable: boolean },
  options: RetryOptions,
): Promise<RetryResult<T>> {
  let unsure = false;
  for (let tried = 0; ; tried++) {
    const outcome = await send().catch(noAnswerOrThrow);
    const failed = outcome instanceof NoAnswer;
    if (!failed && !isTransient(method, outcome.status)) return { response: outcome, unsure };
    if (!failed || outcome.left) unsure = true;
    const wait = failed ? backOff(tried, options) : delayAfter(outcome, tried, options);
    const last = tried >= options.retries || (unsure && !repeatable) || wait > MAX_DELAY_MS;
    if (failed && (last || outcome.lasting)) throw withLeft(outcome, unsure);
    if (!failed && last) return { response: outcome, unsure };
    await options.pause(wait);
  }
}

const isTransient = (method: string, status: number): boolean =>
  TRANSIENT.has(status) || (method === 'GET' && TRANSIENT_FOR_READS.has(status));

function noAnswerOrThrow(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  throw error;
}

const withLeft = (error: NoAnswer, left: boolean): NoAnswer =>
  left === error.left ? error : new NoAnswer(error.message, { ...error, left, cause: error.cause });

/** Exponential backoff in milliseconds, with a jitter of up to half of it. */
export const backOff = (tried: number, { random }: Pick<RetryOptions, 'random'>): number =>
  Math.min(FIRST_DELAY_MS * 2 ** tried, MAX_DELAY_MS) * (0.5 + random() / 2);

/** The delay of Retry-After (seconds, or a date by the clock of the service), and at least the backoff. */
export function delayAfter({ headers }: Pick<Response, 'headers'>, tried: number, options: RetryOptions): number {
  const header = headers['retry-after'] ?? '';
  const delay = /^\d+$/.test(header)
    ? Number(header) * 1000
    : Date.parse(header) - (Date.parse(headers.date ?? '') || options.now());
  return Math.max(backOff(tried, options), Number.isNaN(delay) ? 0 : delay);
}

/** The circuit opens when only timeouts came for this many times the timeout. */
const BREAK_AFTER_TIMEOUTS = 2.5;

/** Stops requests to a service that no longer answers. `timeout`: the milliseconds of one try. */
export function newCircuitBreaker(timeout: number, now: () => number) {
  let firstTimeoutBegan: number | undefined;
  let lastTimeoutEnded = 0;
  return {
    /** Throws NoAnswer while the circuit is open. */
    check(): void {
      if (firstTimeoutBegan === undefined) return;
      if (lastTimeoutEnded - firstTimeoutBegan < BREAK_AFTER_TIMEOUTS * timeout) return;
      // The circuit closes again after one timeout without requests.
      if (now() - lastTimeoutEnded > timeout) firstTimeoutBegan = undefined;
      else throw new NoAnswer('it has stopped answering', { left: false, lasting: true });
    },
    /** Records a try that began at this moment and timed out. */
    timedOut(since: number): void {
      firstTimeoutBegan ??= since;
      lastTimeoutEnded = now();
    },
    succeeded(): void {
      firstTimeoutBegan = undefined;
    },
  };
}
