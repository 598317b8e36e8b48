// Columns of a terminal: what is one picture or one letter to people takes the cells of one.
import { describe, expect, test } from 'vitest';
import { cutTo, inColumns, padTo, widthOf } from '../../src/text/columns.ts';

describe('the width of a text', () => {
  test.each([
    ['plain', 5],
    ['日本語', 6],
    ['👨‍👩‍👧', 2],
    ['👍🏽', 2],
    ['🇨🇿', 2],
    ['e\u0301', 1],
    ['นี้', 1],
    ['\u001b[1mbold\u001b[22m', 4],
  ])('of %j is %i', (text, cells) => {
    expect(widthOf(text)).toBe(cells);
  });
});

describe('a text that is too wide', () => {
  test('ends with an ellipsis within its room', () => {
    expect(cutTo('Sales department', 8)).toBe('Sales d…');
    expect(cutTo('日本語日本語', 6)).toBe('日本…');
  });

  test('is never cut through a picture', () => {
    expect(cutTo('👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 5)).toBe('👨‍👩‍👧👨‍👩‍👧…');
  });

  test('stays whole where it just fits', () => {
    expect(cutTo('日本語', 6)).toBe('日本語');
  });
});

describe('a line of cells', () => {
  test('is padded by what is seen', () => {
    expect(inColumns(['👨‍👩‍👧', 'x'], [4, 1])).toBe('👨‍👩‍👧    x');
    expect(padTo('นี้', 3, 'right')).toBe('  นี้');
  });

  test('ends without blanks', () => {
    expect(inColumns(['a', ''], [4, 4])).toBe('a');
  });
});
