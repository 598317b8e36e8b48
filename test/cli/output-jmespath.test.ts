// `--jmespath`: over the whole result, its value in the asked format.
import { describe, expect, test } from 'vitest';
import { writeQuery } from '../../src/cli/output/index.ts';
import { item, OPTIONS, printed, rowsOf, SHAPE } from './output-printed.ts';

const LIST = [item({ Name: 'One', Rank: 1 }), item({ Name: 'Two', Rank: 2 })];

describe('--jmespath', () => {
  test.each([
    ['[].Name', ['One', 'Two']],
    ['length(@)', 2],
    ['[?Rank > `1`] | [0].Name', 'Two'],
    ['[0].Nothing', null],
  ])('%s is printed as JSON', async (jmespath, value) => {
    expect(JSON.parse((await printed(LIST, { jmespath })).out)).toEqual(value);
  });

  test('one record is an object to the expression', async () => {
    expect((await printed(item(), { jmespath: 'Name' })).out).toBe('"One"\n');
  });

  test('it sees what filter, limit and fields leave', async () => {
    const { out, report } = await printed(LIST, { where: ['Rank = 2'], fields: ['Name'], jmespath: '@' });
    expect(JSON.parse(out)).toEqual([{ Name: 'Two' }]);
    expect(report.written).toBe(1);
  });

  test.each([
    ['yaml', '[].Name', '- One\n- Two\n'],
    ['ndjson', '[].Name', '"One"\n"Two"\n'],
    ['tsv', '[].{Who: Name, Deep: {a: Rank}}', 'Who\tDeep\nOne\t"{""a"":1}"\nTwo\t"{""a"":2}"\n'],
    ['csv', '[].{Who: Name}', 'Who\nOne\nTwo\n'],
    ['table', '[].{Who: Name, Nr: Rank}', 'Who  Nr\n───  ──\nOne  1\nTwo  2\n'],
    ['table', '[0].{Who: Name, Nr: Rank}', 'Who  One\nNr   1\n'],
    ['tsv', '[0].Name', 'One\n'],
    ['table', '[].Name', 'One\nTwo\n'],
    ['tsv', 'length(@)', '2\n'],
    ['tsv', '[].Description', ''],
    ['tsv', '[0].Nothing', ''],
    ['none', '[].Name', ''],
  ] as const)('-o %s prints %s', async (format, jmespath, out) => {
    expect((await printed(LIST, { format, jmespath })).out).toBe(out);
  });

  test.each([
    ['table', '[[0].Name, @]'],
    ['csv', 'length(@)'],
    ['xml', '@'],
    ['id', '@'],
  ] as const)('-o %s cannot show %s, and says what can', async (format, jmespath) => {
    await expect(printed(LIST, { format, jmespath })).rejects.toMatchObject({
      code: 'usage',
      hint: 'Use -o json or -o yaml.',
    });
  });

  test.each(['[?', 'nothing(@)', 'length(`1`)'])('%s is refused with its reason', async (jmespath) => {
    await expect(printed(LIST, { jmespath })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(jmespath),
    });
  });

  test('a result that is too large to hold is refused', async () => {
    const sink = { add: () => undefined, addBytes: async () => undefined, end: async () => {} };
    const records = { shape: SHAPE, rows: rowsOf(LIST), one: false, columns: [], chosen: false };
    await expect(writeQuery(records, { ...OPTIONS, jmespath: '@' }, sink, 300)).rejects.toMatchObject({
      code: 'usage',
    });
  });
});
