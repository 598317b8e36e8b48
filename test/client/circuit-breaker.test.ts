// After repeated timeouts requests are refused without being sent.
import { expect, it } from 'vitest';
import { NoAnswer } from '../../src/client/no-answer.ts';
import { newCircuitBreaker } from '../../src/client/pace.ts';

const TIMEOUT = 1000;

/** A circuit breaker on a clock that each timeout advances. */
function newBreaker() {
  let now = 0;
  const breaker = newCircuitBreaker(TIMEOUT, () => now);
  const timeOut = (): void => {
    const since = now;
    now += TIMEOUT;
    breaker.timedOut(since);
  };
  return { breaker, timeOut, passes: (milliseconds: number) => (now += milliseconds) };
}

it('opens after three timeouts', () => {
  const { breaker, timeOut } = newBreaker();
  for (let tried = 0; tried < 3; tried++) {
    expect(() => breaker.check()).not.toThrow();
    timeOut();
  }
  expect(() => breaker.check()).toThrow(NoAnswer);
});

it('stays closed where an answer comes in between', () => {
  const { breaker, timeOut } = newBreaker();
  for (let tried = 0; tried < 9; tried++) {
    breaker.check();
    timeOut();
    if (tried % 2 === 1) breaker.succeeded();
  }
  expect(() => breaker.check()).not.toThrow();
});

it('closes again when some time has passed', () => {
  const { breaker, timeOut, passes } = newBreaker();
  for (let tried = 0; tried < 3; tried++) timeOut();
  passes(TIMEOUT + 1);
  expect(() => breaker.check()).not.toThrow();
});
