// Works that run side by side.
import { describe, expect, it } from 'vitest';
import { ahead } from '../../src/text/ahead.ts';
import { collect } from '../../src/text/batches.ts';

/** Works that end in the reverse order of each group that runs at one time; counts how many do. */
function works() {
  let running = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const work = async (item: number): Promise<number> => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => ends.unshift(resolve));
    running--;
    return item * 10;
  };
  const endAll = (): void => {
    for (const end of ends.splice(0)) end();
    setImmediate(endAll);
  };
  return { work, endAll, most: () => most };
}

describe('works that run ahead', () => {
  it.each([[1], [3], [100]])('end in their order, at most %i at one time', async (width) => {
    const { work, endAll, most } = works();
    setImmediate(endAll);
    expect(await collect(ahead([1, 2, 3, 4, 5, 6, 7], width, work))).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(most()).toBe(Math.min(width, 7));
  });

  it('fail in their turn', async () => {
    const seen: number[] = [];
    const failing = async (item: number): Promise<number> => {
      if (item > 1) throw new Error(`no ${item}`);
      return item;
    };
    const reading = async (): Promise<void> => {
      for await (const one of ahead([1, 2, 3], 3, failing)) seen.push(one);
    };
    await expect(reading()).rejects.toThrow('no 2');
    expect(seen).toEqual([1]);
  });
});
