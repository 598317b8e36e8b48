// CSV and TSV hold every text, and every reader finds the same cells again.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OutputOptions } from '../../src/cli/output/result.ts';
import { FIELDS, item, NAUGHTY, printed } from './output-printed.ts';

/** Cells as RFC 4180 reads them, but for the line ends and the delimiter. */
const readTable =
  (delimiter: string) =>
  (text: string): string[][] => {
    const rows: string[][] = [];
    const cells = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${delimiter}\\r\\n]*))(${delimiter}|\\n)`, 'g');
    for (const [, quoted, plain = '', end] of text.matchAll(cells)) {
      const cell = quoted === undefined ? plain : quoted.replaceAll('""', '"');
      const row = rows.at(-1);
      if (row && row.at(-1) === OPEN) row.splice(-1, 1, cell);
      else rows.push([cell]);
      if (end === delimiter) rows.at(-1)?.push(OPEN);
    }
    return rows;
  };
const OPEN = '\0open';

const BACK: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\r': '\r', '\\\\': '\\' };
const readLines = (text: string): string[][] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t').map((cell) => cell.replace(/\\[tnr\\]/g, (written) => BACK[written] ?? written)));

const READERS: readonly [string, Partial<OutputOptions>, (text: string) => string[][]][] = [
  ['csv', { format: 'csv' }, readTable(',')],
  ['tsv', { format: 'tsv' }, readTable('\t')],
  ['tsv of a line for each record', { format: 'tsv', lines: true }, readLines],
];

describe.each(READERS)('%s', (_name, format, read) => {
  test('any texts come back as they were', async () => {
    const unit = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...NAUGHTY), fc.string());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(unit, unit), { maxLength: 5 }), async (pairs) => {
        const rows = pairs.map(([Name, Description]) => item({ Name, Description }));
        const { out } = await printed(rows, { ...format, fields: ['Name', 'Description'] });
        expect(read(out)).toEqual([['Name', 'Description'], ...pairs]);
      }),
    );
  });

  test('a single column keeps its empty records', async () => {
    const { out } = await printed([item({ Description: null }), item({ Description: 'x' })], {
      ...format,
      fields: ['Description'],
    });
    expect(read(out)).toEqual([['Description'], [''], ['x']]);
  });

  test('all fields that can be read are there without --fields, null is empty', async () => {
    const [header, cells] = read((await printed([item({ IsOpen: false })], format)).out);
    expect(header).toEqual(Object.keys(FIELDS).filter((name) => name !== 'Password'));
    expect(cells?.slice(1, 6)).toEqual(['1', 'One', '', 'false', '']);
  });

  test('an empty list is its header', async () => {
    expect(read((await printed([], { ...format, fields: ['Name'] })).out)).toEqual([['Name']]);
  });

  test('more records than are written at once keep their order', async () => {
    const rows = Array.from({ length: 1201 }, (_, Rank) => item({ Rank }));
    const { out, report } = await printed(rows, { ...format, fields: ['Rank'] });
    expect(report.written).toBe(1201);
    expect(read(out).flat()).toEqual(['Rank', ...rows.map((row) => String(row.Rank))]);
  });

  test('on a terminal no text can move the cursor', async () => {
    const { out } = await printed([item({ Name: '\x1b[2Jx\r' })], { ...format, terminal: true, fields: ['Name'] });
    expect(out).toContain('\\x1b[2Jx\\r');
    expect(out).not.toContain('\x1b');
  });
});
