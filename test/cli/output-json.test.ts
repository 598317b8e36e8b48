// JSON and NDJSON: one valid document, or one object a line.
import { describe, expect, test } from 'vitest';
import { item, NAUGHTY, printed } from './output-printed.ts';

const LIST = [item({ Name: 'One' }), item({ Name: 'Two', Rank: 2 })];

describe('json', () => {
  test.each([[[]], [LIST.slice(0, 1)], [LIST]])('a list is what JSON.stringify prints of the array', async (rows) => {
    const { out, report } = await printed(rows);
    expect(out).toBe(`${JSON.stringify(rows, null, 2)}\n`);
    expect(report).toEqual({ written: rows.length, cut: false });
  });

  test('one record is an object', async () => {
    expect((await printed(item())).out).toBe(`${JSON.stringify(item(), null, 2)}\n`);
  });

  test('one record that a filter leaves out is null, which is still a document', async () => {
    expect((await printed(item(), { where: ['Rank > 5'] })).out).toBe('null\n');
  });

  test('naughty texts come back as they were', async () => {
    const rows = NAUGHTY.map((Name) => item({ Name }));
    expect(JSON.parse((await printed(rows)).out)).toEqual(rows);
  });

  test('on a terminal unsafe characters are escaped and the value is the same', async () => {
    const rows = NAUGHTY.map((Name) => item({ Name }));
    const { out } = await printed(rows, { terminal: true });
    expect(out).not.toMatch(/[\u0080-\u009f\u200b-\u200f\u2028-\u202e\ufeff]/);
    expect(JSON.parse(out)).toEqual(rows);
  });
});

describe('ndjson', () => {
  test('each record is one compact line', async () => {
    const { out } = await printed(LIST, { format: 'ndjson' });
    expect(out).toBe(LIST.map((row) => `${JSON.stringify(row)}\n`).join(''));
  });

  test('an empty list prints nothing', async () => {
    expect((await printed([], { format: 'ndjson' })).out).toBe('');
  });
});
