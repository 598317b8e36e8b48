// What is printed: where, sort, limit and fields, in this order; and the formats that print least.
import { describe, expect, test } from 'vitest';
import { write } from '../../src/cli/output/index.ts';
import { idOf, item, OPTIONS, printed, SHAPE, streams } from './output-printed.ts';

const LIST = [3, 1, 4, 2, 5].map((Rank) => item({ ID: idOf(Rank), Rank, Name: `N${Rank}` }));
const ranks = (out: string): number[] => JSON.parse(out).map((row: { Rank: number }) => row.Rank);

describe('the order of work', () => {
  test('filters come before sorting, sorting before the limit', async () => {
    const { out, report } = await printed(LIST, { where: ['Rank > 1'], sort: '-Rank', limit: 2 });
    expect(ranks(out)).toEqual([5, 4]);
    expect(report).toEqual({ written: 2, cut: true });
  });

  test('a record is filtered and sorted by fields that are not shown', async () => {
    const { out } = await printed(LIST, { where: ['Rank < 3'], sort: 'rank', fields: ['name'] });
    expect(JSON.parse(out)).toEqual([{ Name: 'N1' }, { Name: 'N2' }]);
  });

  test('every --where must hold', async () => {
    expect(ranks((await printed(LIST, { where: ['Rank > 1', 'Rank < 4'] })).out)).toEqual([3, 2]);
  });
});

describe('--fields', () => {
  test('the members come in the order that was asked for', async () => {
    const { out } = await printed(item(), { fields: ['Name', 'ID'] });
    expect(Object.keys(JSON.parse(out))).toEqual(['Name', 'ID']);
  });

  test('an unknown field is refused with a suggestion', async () => {
    await expect(printed(LIST, { fields: ['Nmae'] })).rejects.toMatchObject({
      code: 'usage',
      hint: 'Did you mean Name?',
    });
  });
});

describe('--limit', () => {
  test.each([
    [0, true],
    [4, true],
    [5, false],
    [6, false],
  ])('with %i of five records, cut is %s', async (limit, cut) => {
    expect((await printed(LIST, { limit })).report).toEqual({ written: Math.min(limit, 5), cut });
  });

  test.each([
    ['', [], 4],
    [' behind a filter, too', ['Rank > 10'], 14],
  ])('the list is closed, and read no farther than one record more%s', async (_where, where, most) => {
    let [read, closed] = [0, false];
    async function* endless() {
      try {
        for (;;) yield item({ Rank: ++read });
      } finally {
        closed = true;
      }
    }
    await write({ shape: SHAPE, rows: endless(), one: false }, { ...OPTIONS, limit: 3, where }, streams());
    expect([read, closed]).toEqual([most, true]);
  });
});

describe('id and none', () => {
  test('id prints one ID a line', async () => {
    expect((await printed(LIST.slice(0, 2), { format: 'id' })).out).toBe(`${idOf(3)}\n${idOf(1)}\n`);
  });

  test('id prints the field that stands for the ID', async () => {
    expect((await printed(LIST.slice(0, 2), { format: 'id' }, { ...SHAPE, id: 'Name' })).out).toBe('N3\nN1\n');
  });

  test('id is refused where records have none', async () => {
    const shape = { ...SHAPE, id: 'UserID' };
    await expect(printed(LIST, { format: 'id' }, shape)).rejects.toMatchObject({ code: 'usage' });
  });

  test('id is refused where --fields leaves it out', async () => {
    await expect(printed(LIST, { format: 'id', fields: ['Name'] })).rejects.toMatchObject({ code: 'usage' });
  });

  test('none reads everything and prints nothing', async () => {
    expect(await printed(LIST, { format: 'none' })).toEqual({ out: '', report: { written: 5, cut: false } });
  });
});
