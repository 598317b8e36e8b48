// The columns of a table stand below each other, whatever letters are in them.
import { expect, test } from 'vitest';
import { drawnTable, type Lines } from '../../src/cli/output/formats/drawn-table.ts';

const drawn = async (rows: Lines, look: Parameters<typeof drawnTable>[1]): Promise<string> =>
  (await drawnTable(rows, look)).join('\n');

test('a rule is below the names, and nothing round the table', async () => {
  const rows = [
    ['Ann', '1'],
    ['Bob', '12'],
  ];
  expect(
    `\n${await drawn(rows, { widths: [4, 5], aligns: ['left', 'right'], head: ['Name', 'Rank'], rule: '─' })}`,
  ).toBe(`
Name   Rank
────  ─────
Ann       1
Bob      12`);
});

test('a rule may be in ASCII, and a table without names has none', async () => {
  expect(await drawn([['Ann']], { widths: [4], head: ['Name'], rule: '-' })).toBe('Name\n----\nAnn');
  expect(await drawn([['Ann']], { widths: [4], rule: '-' })).toBe('Ann');
});

test.each([
  ['Ann', 10],
  ['', 13],
  ['日本語', 7],
  ['🫠', 11],
  ['👩‍🔬', 11],
  ['🇳🇴 Nord', 6],
  ['नि', 12],
  ['नमस्ते', 9],
  ['กุ้ง', 11],
  ['مُحَمَّد', 9],
  ['か\u3099', 11],
  ['１２３', 7],
  ['\u1112\u1161\u11ab', 11],
  ['\u001b[1mbold\u001b[22m', 9],
])('%j is filled up with %i blanks to 13 cells', async (text, blanks) => {
  expect(await drawn([[text, '|']], { widths: [13, 1] })).toBe(`${text}${' '.repeat(blanks)}  |`);
});

test('lines end without blanks', async () => {
  const rows = [
    ['a', ''],
    ['', ''],
  ];
  expect(await drawn(rows, { widths: [4, 4] })).toBe('a\n');
});

test('all rows of a long table have the same widths, and the names stand above the first one alone', async () => {
  const rows = Array.from({ length: 100 }, (_, at) => [at === 99 ? 'long' : 'x', String(at)]);
  const lines = await drawnTable(rows, { widths: [4, 2], head: ['N', 'R'], rule: '─' });
  expect(lines).toHaveLength(102);
  expect(lines.slice(0, 3)).toEqual(['N     R', '────  ──', 'x     0']);
  expect(lines.slice(-2)).toEqual(['x     98', 'long  99']);
});
