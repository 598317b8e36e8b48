// Columns of a terminal: what is one picture or one letter to people takes the cells of one.
import { describe, expect, test } from 'vitest';
import { cutTo, fitColumns, padTo, widthOf, wrapTo } from '../../src/text/columns.ts';

describe('the width of a text', () => {
  test.each([
    ['plain', 5],
    ['日本語', 6],
    ['👨‍👩‍👧', 2],
    ['👍🏽', 2],
    ['🇨🇿', 2],
    ['e\u0301', 1],
    ['นี้', 1],
    ['नि', 1],
    ['नमस्ते', 4],
    ['مُحَمَّد', 4],
    ['か\u3099', 2],
    ['１２３', 6],
    ['🫠', 2],
    ['👩‍🔬', 2],
    ['한글', 4],
    ['\u1112\u1161\u11ab\u1100\u1173\u11af', 4],
    ['\u1112\u119e\u11ab', 2],
    ['\u001b[1mbold\u001b[22m', 4],
  ])('of %j is %i', (text, cells) => {
    expect(widthOf(text)).toBe(cells);
  });
});

describe('a text that is too wide', () => {
  test.each([
    ['Sales department', 8, 'Sales d…'],
    ['日本語日本語', 6, '日本…'],
    ['👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 5, '👨‍👩‍👧👨‍👩‍👧…'],
    ['か\u3099か\u3099か\u3099', 5, 'か\u3099か\u3099…'],
    ['กุ้งกุ้ง', 2, 'กุ้…'],
    ['\u1112\u1161\u11ab\u1100\u1173\u11af', 3, '\u1112\u1161\u11ab…'],
    ['𠮷𠮷𠮷', 4, '𠮷…'],
    ['Sales', 1, '…'],
    ['Sales', 0, ''],
  ])('%j in %i cells is %j', (text, cells, cut) => {
    expect(cutTo(text, cells)).toBe(cut);
  });

  test('stays whole where it just fits', () => {
    expect(cutTo('日本語', 6)).toBe('日本語');
  });

  test('has an ellipsis of three dots only where there is room for it', () => {
    expect(cutTo('Sales department', 8, '...')).toBe('Sales...');
    expect(cutTo('Sales department', 2, '...')).toBe('Sa');
  });
});

test('a text is filled up by what is seen', () => {
  expect(padTo('นี้', 3, 'right')).toBe('  นี้');
  expect(padTo('👨‍👩‍👧', 4)).toBe('👨‍👩‍👧  ');
});

describe('a text in lines', () => {
  test.each([
    ['People and finance', 10, ['People and', 'finance']],
    ['People and finance', 9, ['People', 'and', 'finance']],
    ['klara.svoboda', 8, ['klara.', 'svoboda']],
    ['klara.svoboda@example.com', 14, ['klara.svoboda@', 'example.com']],
    ['PrimaryOrganizationID', 13, ['Primary', 'Organization', 'ID']],
    ['svobodova', 8, ['svobodov', 'a']],
    ['日本語日本語', 6, ['日本語', '日本語']],
    ['👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 4, ['👨‍👩‍👧👨‍👩‍👧', '👨‍👩‍👧']],
    ['👨‍👩‍👧a', 1, ['👨‍👩‍👧', 'a']],
    ['e\u0301e\u0301e\u0301', 2, ['e\u0301e\u0301', 'e\u0301']],
    ['Open true → false', 10, ['Open true', '→ false']],
    ['fits', 4, ['fits']],
    ['', 4, ['']],
  ])('%j at %i', (text, cells, lines) => {
    expect(wrapTo(text, cells)).toEqual(lines);
  });
});

describe('columns in a room', () => {
  const name = { name: 'Name', width: 20, least: 16, stays: 8 };
  const text = { name: 'Text', width: 40, least: 12 };
  const date = { name: 'Date', width: 19, least: 19 };
  const fitted = (room: number) => Object.fromEntries(fitColumns([name, text, date], room));

  test('the widest gives way first', () => {
    expect(fitted(100)).toEqual({ Name: 20, Text: 40, Date: 19 });
    expect(fitted(70)).toEqual({ Name: 20, Text: 27, Date: 19 });
    expect(fitted(52)).toEqual({ Name: 16, Text: 13, Date: 19 });
  });

  test('then the last ones go, and what stays only after them', () => {
    expect(fitted(40)).toEqual({ Name: 19, Text: 19 });
    expect(fitted(20)).toEqual({ Name: 20 });
    expect(fitted(6)).toEqual({ Name: 6 });
  });

  test('of equally wide ones the last gives way first', () => {
    const other = { ...name, name: 'Other' };
    expect(Object.fromEntries(fitColumns([name, other], 41))).toEqual({ Name: 20, Other: 19 });
  });

  test('words are broken in the widest columns first', () => {
    const login = { name: 'Who', width: 14, least: 14, stays: 14, shortest: 12 };
    const field = { name: 'Field', width: 40, least: 24, stays: 20, shortest: 12 };
    expect(Object.fromEntries(fitColumns([login, field], 30))).toEqual({ Who: 14, Field: 14 });
  });

  test('what stays becomes narrow before one of it goes', () => {
    const other = { ...name, name: 'Other' };
    expect(Object.fromEntries(fitColumns([name, text, other], 20))).toEqual({ Name: 9, Other: 9 });
  });
});
