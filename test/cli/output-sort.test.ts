// `--sort`: by the kind of the field, the same in memory and spilled to disk.
import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sorted } from '../../src/cli/output/sorting/sort.ts';
import type { Row } from '../../src/contract/resource.ts';
import { everything, FIELDS, item, printed, rowsOf } from './output-printed.ts';

/** A run has two records or three. */
const SMALL = { bytes: 1000, runs: 3 };
const order = async (rows: readonly Row[], text: string, room?: typeof SMALL): Promise<Row[]> =>
  everything(sorted(rowsOf(rows), text, FIELDS, room && { room }));
const by = async (field: string, values: readonly (string | number | boolean | null)[], text = field) =>
  (
    await order(
      values.map((value) => item({ [field]: value })),
      text,
    )
  ).map((row) => row[field]);

const MIB = 1 << 20;
setFlagsFromString('--expose-gc');
const clean = runInNewContext('gc') as () => void;
const heldAfterCleaning = (): number => {
  clean();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

afterEach(() => vi.unstubAllEnvs());

describe('sorting', () => {
  test('texts ignore case and forms of letters', async () => {
    expect(await by('Name', ['b', 'ﬁg', 'A', 'C', 'fa'])).toEqual(['A', 'b', 'C', 'fa', 'ﬁg']);
  });

  test('texts go by code points, also beyond the first plane', async () => {
    expect(await by('Name', ['\u{1f600}', '\uff61', 'z'])).toEqual(['z', '\uff61', '\u{1f600}']);
  });

  test('numbers go by size', async () => {
    expect(await by('Rank', [10, 9, -1])).toEqual([-1, 9, 10]);
  });

  test('dates go by the instant they mean', async () => {
    const [early, late] = ['2026-03-31T10:00:00+02:00', '2026-03-31T09:00:00Z'];
    expect(await by('Updated', [late, early])).toEqual([early, late]);
  });

  test('days with a time go by the instant too, and those of one instant by the day as written', async () => {
    const [early, late] = ['2026-05-05T10:00:00+02:00', '2026-05-05T09:00:00+00:00'];
    expect(await by('HireDate', [late, early])).toEqual([early, late]);
    const [fourth, fifth] = ['2026-05-04T23:00:00-01:00', '2026-05-05T00:00:00+00:00'];
    expect(await by('HireDate', [fifth, fourth])).toEqual([fourth, fifth]);
    expect(await by('HireDate', [fourth, fifth], '-HireDate')).toEqual([fifth, fourth]);
  });

  test('null comes last, whichever way round', async () => {
    expect(await by('Rank', [null, 2, 1])).toEqual([1, 2, null]);
    expect(await by('Rank', [null, 1, 2], '-Rank')).toEqual([2, 1, null]);
  });

  test('the second field decides where the first does not', async () => {
    const rows = [item({ Rank: 1, Name: 'a' }), item({ Rank: 2, Name: 'b' }), item({ Rank: 2, Name: 'A' })];
    expect((await order(rows, '-rank, name')).map((row) => row.Name)).toEqual(['A', 'b', 'a']);
  });

  test('an unknown field is refused with a suggestion, before anything is read', async () => {
    const reads = { count: 0 };
    async function* watched() {
      reads.count++;
      yield item();
    }
    expect(() => sorted(watched(), '-Nam', FIELDS)).toThrow(
      expect.objectContaining({ code: 'usage', hint: 'Did you mean Name?' }),
    );
    await expect(printed([], { sort: ',' })).rejects.toMatchObject({ code: 'usage' });
    expect(reads.count).toBe(0);
  });
});

describe('spilling', () => {
  const row = fc.record({
    Name: fc.option(fc.string({ unit: 'grapheme' })),
    Rank: fc.option(fc.integer({ min: 0, max: 3 })),
    IsOpen: fc.boolean(),
    Description: fc.uuid(),
  });

  test('gives what sorting in memory gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 20 }),
        fc.constantFrom('Name', '-Name', 'Rank,-Name', '-IsOpen,Rank'),
        async (members, text) => {
          const rows = members.map((member) => item(member));
          expect(await order(rows, text, SMALL)).toEqual(await order(rows, text));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('gives what Array.sort gives by the same key', async () => {
    const rows = fc.sample(fc.integer(), 200).map((Rank) => item({ Rank }));
    const expected = rows.toSorted((a, b) => Number(a.Rank) - Number(b.Rank));
    expect(await order(rows, 'Rank', SMALL)).toEqual(expected);
    expect(await order(rows, 'Rank')).toEqual(expected);
  });

  test('a run may be larger than what is read at once', async () => {
    const rows = Array.from({ length: 9 }, (_, i) => item({ Rank: 9 - i, Description: 'ü'.repeat(50_000) }));
    expect((await order(rows, 'Rank', SMALL)).map((one) => one.Rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('records that take much room spill before they are many', async () => {
    const rows = [3, 1, 2].map((Rank) => item({ Rank, Description: 'x'.repeat(100) }));
    expect((await order(rows, 'Rank', { bytes: 150, runs: 2 })).map((one) => one.Rank)).toEqual([1, 2, 3]);
  });

  test('holds the same however long the list is', async () => {
    const before = heldAfterCleaning();
    let most = 0;
    const look = (at: number): void => {
      if (at % 12_500 === 0) most = Math.max(most, heldAfterCleaning() - before);
    };
    async function* long() {
      for (let Rank = 50_000; Rank > 0; Rank--) {
        look(Rank);
        yield { Rank, Name: `${Rank} `.padEnd(400, 'x') };
      }
    }
    let last = 0;
    for await (const { Rank } of sorted(long(), 'Rank', FIELDS)) {
      look(++last);
      if (Rank !== last) break;
    }
    expect(last).toBe(50_000);
    expect(most / MIB).toBeLessThan(12);
  });

  test.each([
    ['all is read', Number.POSITIVE_INFINITY],
    ['the reader stops early', 2],
  ])('leaves nothing behind when %s', async (_when, wanted) => {
    const folder = mkdtempSync(join(tmpdir(), 'pm-output-sort-'));
    vi.stubEnv('TMPDIR', folder);
    const rows = Array.from({ length: 20 }, (__, Rank) => item({ Rank }));
    let read = 0;
    for await (const _row of sorted(rowsOf(rows), '-Rank', FIELDS, { room: SMALL })) if (++read >= wanted) break;
    expect(read).toBe(Math.min(wanted, 20));
    expect(readdirSync(folder)).toEqual([]);
    rmdirSync(folder);
  });
});
