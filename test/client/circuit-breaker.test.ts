// A service from which nothing comes any more: what would wait in vain like all before it is not sent.
import { expect, it } from 'vitest';
import { NoAnswer } from '../../src/client/no-answer.ts';
import { newCircuitBreaker } from '../../src/client/retry.ts';

const TIMEOUT = 1000;

/** A clock that goes on by each try, and how many tries in vain there are before the next one is refused. */
function waiting() {
  let now = 0;
  const silence = newCircuitBreaker(TIMEOUT, () => now);
  const inVain = (): void => {
    const since = now;
    now += TIMEOUT;
    silence.timedOut(since);
  };
  return { silence, inVain, passes: (milliseconds: number) => (now += milliseconds) };
}

it('is given up after three tries that waited in vain', () => {
  const { silence, inVain } = waiting();
  for (let tried = 0; tried < 3; tried++) {
    expect(() => silence.check()).not.toThrow();
    inVain();
  }
  expect(() => silence.check()).toThrow(NoAnswer);
});

it('may be slow: an answer in between breaks the silence', () => {
  const { silence, inVain } = waiting();
  for (let tried = 0; tried < 9; tried++) {
    silence.check();
    inVain();
    if (tried % 2 === 1) silence.succeeded();
  }
  expect(() => silence.check()).not.toThrow();
});

it('is asked again when some time has passed', () => {
  const { silence, inVain, passes } = waiting();
  for (let tried = 0; tried < 3; tried++) inVain();
  passes(TIMEOUT + 1);
  expect(() => silence.check()).not.toThrow();
});
