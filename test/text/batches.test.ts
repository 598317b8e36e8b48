// Rows that come in batches are the same rows one by one, and in groups of any size.
import { expect, it } from 'vitest';
import { batchedRows, batchesOf, chunks, collect, firstOf } from '../../src/text/batches.ts';

const BATCHES: readonly (readonly number[])[] = [[1, 2, 3], [], [4], [5, 6]];
const batched = () =>
  batchedRows(async function* () {
    yield* BATCHES;
  });

async function* oneByOne() {
  yield* [1, 2, 3, 4, 5, 6];
}

it('come as they are made, and again from the beginning', async () => {
  const rows = batched();
  expect(await collect(batchesOf(rows))).toEqual(BATCHES);
  expect(await collect(batchesOf(rows))).toEqual(BATCHES);
});

it('come one by one in the same order', async () => {
  expect(await collect(batched())).toEqual([1, 2, 3, 4, 5, 6]);
});

const WAYS: readonly [string, () => AsyncIterable<number> | Iterable<number>][] = [
  ['in batches', batched],
  ['one by one', oneByOne],
  ['as a list', () => [1, 2, 3, 4, 5, 6]],
];

it.each(WAYS)('are grouped alike where they come %s', async (_, rows) => {
  expect(await collect(chunks(rows(), 4))).toEqual([
    [1, 2, 3, 4],
    [5, 6],
  ]);
  expect(await collect(chunks(rows(), 2))).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  expect(await collect(chunks(rows(), 100))).toEqual([[1, 2, 3, 4, 5, 6]]);
});

it('are not drawn before they are wanted', async () => {
  let drawn = 0;
  function* counting() {
    for (;;) yield ++drawn;
  }
  for await (const chunk of chunks(counting(), 2)) if (chunk.includes(4)) break;
  expect(drawn).toBe(4);
});

it('end their source where reading stops early', async () => {
  let ended = 0;
  const rows = batchedRows(async function* () {
    try {
      yield* BATCHES;
    } finally {
      ended++;
    }
  });
  for await (const row of rows) if (row === 2) break;
  for await (const chunk of chunks(rows, 2)) if (chunk.length > 0) break;
  expect(ended).toBe(2);
});

it.each([0, 3, 9])(
  'are all there behind the first %i, and their source ends also where they are not wanted',
  async (count) => {
    let ended = 0;
    async function* source() {
      try {
        yield* oneByOne();
      } finally {
        ended++;
      }
    }
    const read = await firstOf(source(), count);
    expect(read.first).toEqual([1, 2, 3, 4, 5, 6].slice(0, count));
    expect(await collect(read.all)).toEqual([1, 2, 3, 4, 5, 6]);
    const left = await firstOf(source(), 3);
    expect(ended).toBe(1);
    await left.end();
    expect(ended).toBe(2);
  },
);
