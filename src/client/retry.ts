// Which answers and failures are worth another try, and when; a service that has fallen silent is not waited for
// again.
import { NoAnswer } from './no-answer.ts';

interface Persistence {
  /** How many more tries there may be. */
  readonly retries: number;
  /** A number from 0 to 1, so that many clients do not come back at once. */
  readonly random: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer, and whether an earlier try got none and may have been carried out. */
export interface Heard<T> {
  readonly answer: T;
  readonly unsure: boolean;
}

/** Not now: the service has not carried it out, or somebody on the way does not know. */
const NOT_NOW = new Set([429, 503]);
const ON_THE_WAY = new Set([502, 504]);
const FIRST = 300;
const LONGEST = 60_000;

/**
 * Tries until there is an answer that would not be better the next time. What may have been carried out is sent again
 * only if it is repeatable. Throws NoAnswer, whose `left` speaks of all tries.
 */
export async function persist<T extends Answered>(
  attempt: () => Promise<T>,
  repeatable: boolean,
  how: Persistence,
): Promise<Heard<T>> {
  let unsure = false;
  for (let tried = 0; ; tried++) {
    const outcome = await attempt().catch(noAnswerOrThrow);
    const failed = outcome instanceof NoAnswer;
    if (!failed && !NOT_NOW.has(outcome.status) && !ON_THE_WAY.has(outcome.status)) return { answer: outcome, unsure };
    if (failed ? outcome.left : ON_THE_WAY.has(outcome.status)) unsure = true;
    const wait = failed ? backOff(tried, how) : waitFor(outcome, tried, how);
    const last = tried >= how.retries || (unsure && !repeatable) || wait > LONGEST;
    if (failed && (last || outcome.lasting)) throw withAll(outcome, unsure);
    if (!failed && last) return { answer: outcome, unsure };
    await how.pause(wait);
  }
}

function noAnswerOrThrow(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  throw error;
}

const withAll = (error: NoAnswer, left: boolean): NoAnswer =>
  left === error.left
    ? error
    : new NoAnswer(error.message, { left, lasting: error.lasting, remedy: error.remedy, cause: error.cause });

/** Twice as long each time, between half and all of it. */
export const backOff = (tried: number, { random }: Pick<Persistence, 'random'>): number =>
  Math.min(FIRST * 2 ** tried, LONGEST) * (0.5 + random() / 2);

/** As long as the service asks for, in seconds or until a date, and never sooner than we would come by ourselves. */
function waitFor({ headers }: Answered, tried: number, how: Persistence): number {
  const asked = headers['retry-after'] ?? '';
  const until = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - how.now();
  return Math.max(backOff(tried, how), Number.isNaN(until) ? 0 : until);
}

interface Silence {
  /** Throws NoAnswer where nothing came for so long that another try would only wait as well. */
  check(): void;
  /** Learns how a try ended: it waited from this moment on and in vain, or something came. */
  waited(since: number): void;
  broken(): void;
}

/** So many times the longest wait of one try: a slow service has the time to recover, and a dead one is given up. */
const ENOUGH = 2.5;

/** `timeout`: the milliseconds that a try waits. */
export function openSilence(timeout: number, now: () => number): Silence {
  let began: number | undefined;
  let ended = 0;
  return {
    check() {
      if (began === undefined || ended - began < ENOUGH * timeout) return;
      // Long afterwards it may be another day.
      if (now() - ended > timeout) began = undefined;
      else throw new NoAnswer('it has fallen silent', { left: false, lasting: true });
    },
    waited(since) {
      began ??= since;
      ended = now();
    },
    broken() {
      began = undefined;
    },
  };
}
