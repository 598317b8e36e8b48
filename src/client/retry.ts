// Which answers and failures are worth another try, and when; a service that has fallen silent is not waited for
// again.
import { NoAnswer } from './no-answer.ts';

interface RetryOptions {
  /** How many more tries there may be. */
  readonly retries: number;
  /** A number from 0 to 1, so that many clients do not come back at once. */
  readonly random: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
}

interface Retryable {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer, and whether an earlier try got none and may have been carried out. */
export interface RetryResult<T> {
  readonly response: T;
  readonly unsure: boolean;
}

/** Not now: the service has not carried it out, or somebody on the way does not know. */
const NOT_PROCESSED = new Set([429, 503]);
const GATEWAY_ERRORS = new Set([502, 504]);
const FIRST_DELAY_MS = 300;
const MAX_DELAY_MS = 60_000;

/**
 * Tries until there is an answer that would not be better the next time. What may have been carried out is sent again
 * only if it is repeatable. Throws NoAnswer, whose `left` speaks of all tries.
 */
export async function retry<T extends Retryable>(
  attempt: () => Promise<T>,
  repeatable: boolean,
  how: RetryOptions,
): Promise<RetryResult<T>> {
  let unsure = false;
  for (let tried = 0; ; tried++) {
    const outcome = await attempt().catch(noAnswerOrThrow);
    const failed = outcome instanceof NoAnswer;
    if (!failed && !NOT_PROCESSED.has(outcome.status) && !GATEWAY_ERRORS.has(outcome.status))
      return { response: outcome, unsure };
    if (failed ? outcome.left : GATEWAY_ERRORS.has(outcome.status)) unsure = true;
    const wait = failed ? backOff(tried, how) : delayAfter(outcome, tried, how);
    const last = tried >= how.retries || (unsure && !repeatable) || wait > MAX_DELAY_MS;
    if (failed && (last || outcome.lasting)) throw withLeft(outcome, unsure);
    if (!failed && last) return { response: outcome, unsure };
    await how.pause(wait);
  }
}

function noAnswerOrThrow(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  throw error;
}

const withLeft = (error: NoAnswer, left: boolean): NoAnswer =>
  left === error.left
    ? error
    : new NoAnswer(error.message, { left, lasting: error.lasting, remedy: error.remedy, cause: error.cause });

/** Twice as long each time, between half and all of it. */
export const backOff = (tried: number, { random }: Pick<RetryOptions, 'random'>): number =>
  Math.min(FIRST_DELAY_MS * 2 ** tried, MAX_DELAY_MS) * (0.5 + random() / 2);

/** As long as the service asks for, in seconds or until a date, and never sooner than we would come by ourselves. */
function delayAfter({ headers }: Retryable, tried: number, how: RetryOptions): number {
  const asked = headers['retry-after'] ?? '';
  const until = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - how.now();
  return Math.max(backOff(tried, how), Number.isNaN(until) ? 0 : until);
}

interface CircuitBreaker {
  /** Throws NoAnswer where nothing came for so long that another try would only wait as well. */
  check(): void;
  /** Learns how a try ended: it waited from this moment on and in vain, or something came. */
  timedOut(since: number): void;
  succeeded(): void;
}

/** So many times the longest wait of one try: a slow service has the time to recover, and a dead one is given up. */
const BREAK_AFTER_TIMEOUTS = 2.5;

/** `timeout`: the milliseconds that a try waits. */
export function newCircuitBreaker(timeout: number, now: () => number): CircuitBreaker {
  let began: number | undefined;
  let ended = 0;
  return {
    check() {
      if (began === undefined || ended - began < BREAK_AFTER_TIMEOUTS * timeout) return;
      // Long afterwards it may be another day.
      if (now() - ended > timeout) began = undefined;
      else throw new NoAnswer('it has fallen silent', { left: false, lasting: true });
    },
    timedOut(since) {
      began ??= since;
      ended = now();
    },
    succeeded() {
      began = undefined;
    },
  };
}
