// How many requests are on their way at once.
import { describe, expect, it } from 'vitest';
import { openThrottle } from '../../src/client/throttle.ts';

/** Works that end when they are told to. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.set(name, () => resolve(name));
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const end = (name: string) => {
    ends.get(name)?.();
    return settle();
  };
  return { begun, work, end, settle };
}

describe('the throttle', () => {
  it('lets no more than so many begin', async () => {
    const { begun, work, end, settle } = works();
    const throttle = openThrottle(2);
    for (const name of ['a', 'b', 'c', 'd']) void throttle.run(undefined, work(name));
    await settle();
    expect(begun).toEqual(['a', 'b']);
    await end('a');
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('lets one after the other work on one record, and others beside', async () => {
    const { begun, work, end, settle } = works();
    const throttle = openThrottle(4);
    void throttle.run('x', work('x1'));
    void throttle.run('x', work('x2'));
    void throttle.run('y', work('y1'));
    await settle();
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
    const fails = throttle.run('x', () => Promise.reject(new Error('no')));
    const next = throttle.run('x', async () => 'done');
    await expect(fails).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  it('halves where the service has too much to do, and grows back one by one', () => {
    const throttle = openThrottle(8);
    throttle.record(429, 10);
    expect(throttle.width()).toBe(4);
    throttle.record(undefined, 10);
    expect(throttle.width()).toBe(2);
    for (let i = 0; i < 2; i++) throttle.record(200, 10);
    expect(throttle.width()).toBe(3);
    for (let i = 0; i < 100; i++) throttle.record(200, 10);
    expect(throttle.width()).toBe(8);
    throttle.record(200, 2000);
    expect(throttle.width()).toBe(4);
  });

  it('never closes', () => {
    const throttle = openThrottle(4);
    for (let i = 0; i < 10; i++) throttle.record(503, 10);
    expect(throttle.width()).toBe(1);
  });
});
