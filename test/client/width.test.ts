// How many requests may be in flight, on latencies that a service with so many workers would have.
import { describe, expect, it } from 'vitest';
import { newWidth, type Width } from '../../src/client/connection.ts';

const KIND = 'POST /accountabilities';

/** Sends so many requests to a service whose workers need 50 ms for each. Answers the widths that were seen. */
function send(width: Width, count: number, workers: number): number[] {
  const seen: number[] = [];
  for (let sent = 0; sent < count; sent++) {
    const inFlight = width.now().all;
    seen.push(inFlight);
    width.record({ kind: KIND, status: 200, milliseconds: 50 * Math.max(1, inFlight / workers), full: true });
  }
  return seen;
}

const answered = (width: Width, status: number | undefined, full = true): void =>
  width.record({ kind: KIND, status, milliseconds: 50, full });

describe('the requests in flight', () => {
  it('begin at four and grow by one, as long as the latency stays', () => {
    const width = newWidth();
    const seen = send(width, 1000, 100);
    expect(seen[0]).toBe(4);
    for (const [at, inFlight] of seen.entries()) expect(inFlight - (seen[at - 1] ?? 4)).toBeLessThanOrEqual(1);
    expect(width.now()).toEqual({ all: 16, writes: 8 });
    expect(seen.indexOf(16)).toBeLessThan(150);
  });

  it('grow no more where the service only answers later', () => {
    const width = newWidth();
    send(width, 5000, 4);
    expect(width.now().all).toBeGreaterThan(4);
    expect(width.now().all).toBeLessThanOrEqual(7);
  });

  it('do not grow while fewer are sent than may be', () => {
    const width = newWidth();
    for (let n = 0; n < 1000; n++) answered(width, 200, false);
    expect(width.now().all).toBe(4);
  });

  it('do not take one kind of request for another', () => {
    const width = newWidth();
    for (let n = 0; n < 100; n++) {
      width.record({ kind: 'GET /me', status: 200, milliseconds: 2, full: true });
      width.record({ kind: 'GET /users', status: 200, milliseconds: 3000, full: true });
    }
    expect(width.now().all).toBe(16);
  });

  it.each([[429], [503], [undefined]])('halve when the service is overloaded (%s), and grow back', (status) => {
    const width = newWidth();
    send(width, 1000, 100);
    answered(width, status);
    expect(width.now().all).toBe(8);
    for (let n = 0; n < 10; n++) answered(width, status);
    expect(width.now()).toEqual({ all: 1, writes: 1 });
    send(width, 1000, 100);
    expect(width.now().all).toBe(16);
  });

  it('come back to four after an overload, also where the service has become slower', () => {
    const width = newWidth();
    for (let n = 0; n < 10; n++) answered(width, 200);
    answered(width, 503);
    for (let n = 1; n < 100; n++) width.record({ kind: KIND, status: 200, milliseconds: 50 + n, full: true });
    expect(width.now().all).toBeGreaterThanOrEqual(4);
  });

  it('halve when an answer takes many times as long as the others', () => {
    const width = newWidth(8);
    for (let n = 0; n < 10; n++) answered(width, 200);
    width.record({ kind: KIND, status: 200, milliseconds: 2000, full: true });
    expect(width.now().all).toBe(4);
  });

  it('stay at the number that the user has set', () => {
    for (const told of [1, 2, 64]) {
      const width = newWidth(told);
      send(width, 1000, 100);
      expect(width.now()).toEqual({ all: told, writes: told });
    }
  });
});
