// The number of concurrent requests.
import { describe, expect, it } from 'vitest';
import { openThrottle } from '../../src/client/connection.ts';

/** Works that end when the test says so. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.set(name, () => resolve(name));
    });
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const end = (name: string) => {
    ends.get(name)?.();
    return nextTurn();
  };
  return { begun, work, end, nextTurn };
}

type Throttle = ReturnType<typeof openThrottle>;

/** As many reads as there is room for are answered in time. */
async function grownOnce(throttle: Throttle): Promise<void> {
  const read = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    throttle.record('GET /x', 200, 10);
  };
  await Promise.all(Array.from({ length: 20 }, () => throttle.run({ writes: false }, read)));
}

/** The number of works that run at one time. */
async function widthOf(throttle: Throttle, writes = false): Promise<number> {
  let running = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const runs = Array.from({ length: 20 }, () =>
    throttle.run({ writes }, () => {
      running++;
      return released;
    }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  const width = running;
  release();
  await Promise.all(runs);
  return width;
}

describe('the throttle', () => {
  it('lets no more than so many begin', async () => {
    const { begun, work, end, nextTurn } = works();
    const throttle = openThrottle(2);
    for (const name of ['a', 'b', 'c', 'd']) void throttle.run({ writes: false }, work(name));
    await nextTurn();
    expect(begun).toEqual(['a', 'b']);
    await end('a');
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('lets one after the other work on one record, and others beside', async () => {
    const { begun, work, end, nextTurn } = works();
    const throttle = openThrottle(4);
    void throttle.run({ key: 'x', writes: true }, work('x1'));
    void throttle.run({ key: 'x', writes: true }, work('x2'));
    void throttle.run({ key: 'y', writes: true }, work('y1'));
    await nextTurn();
    expect(begun).toEqual(['x1', 'y1']);
    await end('x1');
    expect(begun).toEqual(['x1', 'y1', 'x2']);
  });

  it('spreads requests over the second where there is a rate', async () => {
    let now = 0;
    const begun: number[] = [];
    const pause = async (milliseconds: number): Promise<void> => void begun.push(now + milliseconds);
    const throttle = openThrottle(4, { rate: 5, now: () => now, pause });
    for (let i = 0; i < 3; i++) await throttle.waitForRate();
    now = 1000;
    await throttle.waitForRate();
    for (let i = 0; i < 2; i++) await throttle.waitForRate();
    expect(begun).toEqual([200, 400, 1200, 1400]);
  });

  it('waits for nothing where there is none', async () => {
    const refuse = async (): Promise<void> => {
      throw new Error('waited');
    };
    const throttle = openThrottle(4, { now: () => 0, pause: refuse });
    for (let i = 0; i < 3; i++) await expect(throttle.waitForRate()).resolves.toBeUndefined();
  });

  it('goes on after a work that fails', async () => {
    const throttle = openThrottle(1);
    const fails = throttle.run({ key: 'x', writes: true }, () => Promise.reject(new Error('no')));
    const next = throttle.run({ key: 'x', writes: true }, async () => 'done');
    await expect(fails).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  it('lets fewer write than read, unless it is told how many', async () => {
    const grown = openThrottle(undefined);
    for (let i = 0; i < 200; i++) await grownOnce(grown);
    expect([await widthOf(grown), await widthOf(grown, true)]).toEqual([16, 8]);
    const told = openThrottle(12);
    expect([await widthOf(told), await widthOf(told, true)]).toEqual([12, 12]);
  });

  it('halves at a 429 and grows back', async () => {
    const throttle = openThrottle(8);
    throttle.record('GET /x', 429, 10);
    expect(await widthOf(throttle)).toBe(4);
    for (let i = 0; i < 100; i++) await grownOnce(throttle);
    expect(await widthOf(throttle)).toBe(8);
  });

  it('never closes', async () => {
    const throttle = openThrottle(4);
    for (let i = 0; i < 10; i++) throttle.record('GET /x', 503, 10);
    expect(await widthOf(throttle)).toBe(1);
  });
});
