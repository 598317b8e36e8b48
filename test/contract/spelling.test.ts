// "Did you mean": what counts as a slip of the finger, and what does not.
import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/text/spelling.ts';

const COMMANDS = ['individuals', 'departments', 'indicators', 'dialogs', 'sites', 'colors', 'comments', 'commitments'];

describe('the nearest word', () => {
  it.each([
    ['a letter too few', 'individals', 'individuals'],
    ['a letter too many', 'dialoggs', 'dialogs'],
    ['a wrong letter', 'colurs', 'colors'],
    ['two letters swapped', 'sties', 'sites'],
    ['other capitals', 'DepartMents', 'departments'],
    ['the word itself', 'comments', 'comments'],
    ['a missing end', 'commitment', 'commitments'],
  ])('is found with %s', (_, given, meant) => {
    expect(nearest(given, COMMANDS)).toBe(meant);
  });

  it('is the closest of several', () => {
    expect(nearest('commants', COMMANDS)).toBe('comments');
    expect(nearest('indicatr', COMMANDS)).toBe('indicators');
  });

  it('is the first of those that are equally close', () => {
    expect(nearest('cat', ['bat', 'hat'])).toBe('bat');
  });

  it.each(['', 'x', 'projects', 'zzzzzzzz', 'individualsandmore'])(
    'is none for what is like no word: "%s"',
    (given) => {
      expect(nearest(given, COMMANDS)).toBeUndefined();
    },
  );

  it('is none where there are no words', () => {
    expect(nearest('sites', [])).toBeUndefined();
  });

  it('may differ in one letter where the word is short, and in a third of the letters where it is long', () => {
    expect(nearest('ge', ['get'])).toBe('get');
    expect(nearest('gxx', ['get'])).toBeUndefined();
    expect(nearest('abcdefxxx', ['abcdefghi'])).toBe('abcdefghi');
    expect(nearest('abcdexxxx', ['abcdefghi'])).toBeUndefined();
  });
});
