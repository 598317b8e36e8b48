// Whether a service has fallen silent: what would wait for it in vain once more is not sent.
import { NoAnswer } from './no-answer.ts';

export interface Silence {
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
