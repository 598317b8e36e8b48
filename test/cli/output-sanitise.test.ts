// No text of a record can steer a terminal.
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/cli/output/result.ts';
import { sanitise, sanitiseLines } from '../../src/text/escape.ts';
import { item, NAUGHTY, printed } from './output-printed.ts';

describe('the sanitiser', () => {
  test.each([
    ['\x1b[2J', '\\x1b[2J'],
    ['\x00\x07\x7f', '\\x00\\x07\\x7f'],
    ['\x9b31m', '\\x9b31m'],
    ['a\tb\nc\rd', 'a\\tb\\nc\\rd'],
    ['\u202egnp', '\\u202egnp'],
    ['\u2066x\u2069', '\\u2066x\\u2069'],
    ['a\u200bb\u200dc\ufeff', 'a\\u200bb\\u200dc\\ufeff'],
    ['👩🏽\u200d🚀 👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥', '👩🏽\u200d🚀 👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥'],
    ['👩\u200da \u200d👩', '👩\\u200da \\u200d👩'],
    ['\u2028\u2029', '\\u2028\\u2029'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\ud800', '\\ud800'],
    ['Zoë 日本語 😀 e\u0301', 'Zoë 日本語 😀 e\u0301'],
  ])('%j is shown as %s', (text, shown) => {
    expect(sanitise(text)).toBe(shown);
  });

  test('line feeds and tabs may stay, carriage returns never', () => {
    expect(sanitiseLines('a\tb\nc\rd\x1b')).toBe('a\tb\nc\\rd\\x1b');
  });
});

test.each(FORMATS.filter((format) => format !== 'none' && format !== 'xlsx'))(
  '-o %s prints nothing raw on a terminal',
  async (format) => {
    const evil = `\x1b]0;owned\x07${NAUGHTY.join('')}${String.fromCharCode(...Array(0xa0).keys())}`;
    const rows = [
      item({ ID: evil, Name: evil, Description: evil, HireDate: evil, Due: evil, Updated: evil, Seen: evil }),
    ];
    for (const result of [rows, rows[0] ?? {}]) {
      const { out } = await printed(result, { format, terminal: true });
      expect(out.replace(/\r\n/g, '\n')).not.toMatch(
        /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/,
      );
    }
  },
);
