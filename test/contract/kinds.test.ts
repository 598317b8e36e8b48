// D13: which values each kind takes, how it spells them, and which ones mean the same.
import { describe, expect, it } from 'vitest';
import { isGuid, looksLikeGuid, quote, RULES } from '../../src/contract/kinds.ts';
import { refusalOf } from './refusal.ts';

const REFUSED = /^(is|holds) /;

const GUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

describe('a GUID', () => {
  it('is taken in any case and kept in lower case', () => {
    expect(RULES.guid.check(GUID.toUpperCase())).toBe(GUID);
    expect(RULES.guid.read(GUID)).toBe(GUID);
  });

  it.each([
    ['braces', `{${GUID}}`],
    ['no hyphens', GUID.replaceAll('-', '')],
    ['a digit too few', GUID.slice(1)],
    ['a digit too many', `${GUID}0`],
    ['a letter that is no digit', GUID.replace('f', 'g')],
    ['a space', ` ${GUID}`],
    ['a line end', `${GUID}\n`],
    ['nothing', ''],
  ])('is refused with %s', (_, text) => {
    expect(refusalOf(RULES.guid.check(text))).toMatch(REFUSED);
  });

  it.each([12, true, {}, []])('is a text, not %j', (value) => {
    expect(refusalOf(RULES.guid.check(value))).toMatch(REFUSED);
  });

  it('is told from a name, malformed or not', () => {
    expect(isGuid(GUID)).toBe(true);
    expect(isGuid('Sales')).toBe(false);
    for (const text of [GUID, GUID.slice(0, -1), `{${GUID}}`, GUID.replaceAll('-', ''), '0f8fad5b-xyz'])
      expect([text, looksLikeGuid(text)]).toEqual([text, true]);
    for (const text of ['Sales', 'me', 'deadbeef', 'ann@example.org', 'feedback-2026'])
      expect([text, looksLikeGuid(text)]).toEqual([text, false]);
  });
});

describe('a whole number', () => {
  it.each([-2_147_483_648, -1, 0, 1, 2_147_483_647])('may be %i', (value) => {
    expect(RULES.integer.check(value)).toBe(value);
    expect(RULES.integer.read(String(value))).toBe(value);
  });

  it.each([-2_147_483_649, 2_147_483_648, 2 ** 53 + 2])(
    'is out of range as %i, and the refusal names both ends',
    (value) => {
      expect(RULES.integer.check(value)).toMatchObject({ range: true });
      expect(refusalOf(RULES.integer.read(String(value)))).toContain('-2147483648 to 2147483647');
    },
  );

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', true, null])('is not %s', (value) => {
    expect(refusalOf(RULES.integer.check(value))).toContain('a whole number');
  });

  it.each(['', ' 1', '1.0', '1e3', '0x10', '1,000', '１'])('is not read from "%s"', (text) => {
    expect(refusalOf(RULES.integer.read(text))).toContain('a whole number');
  });

  it('is read with leading zeros and a plus sign', () => {
    expect(RULES.integer.read('0012')).toBe(12);
    expect(RULES.integer.read('+7')).toBe(7);
  });
});

describe('a byte', () => {
  it('reaches from 0 to 255', () => {
    expect(RULES.byte.check(0)).toBe(0);
    expect(RULES.byte.read('255')).toBe(255);
    expect(RULES.byte.check(-1)).toMatchObject({ range: true });
    expect(RULES.byte.read('256')).toMatchObject({ range: true });
  });
});

describe('a decimal', () => {
  it.each([1e29, -8e28])('is not %s, which no decimal of .NET holds', (value) => {
    expect(refusalOf(RULES.decimal.check(value))).toContain('outside -7.9e+28 to 7.9e+28');
    expect(refusalOf(RULES.decimal.read(String(value)))).toContain('outside');
  });

  it.each([
    ['1', 1],
    ['-0.25', -0.25],
    ['.5', 0.5],
    ['2.', 2],
    ['1e3', 1000],
  ])('is read from "%s"', (text, value) => {
    expect(RULES.decimal.read(text)).toBe(value);
    expect(RULES.decimal.check(value)).toBe(value);
  });

  it.each(['', '1,5', '0x1f', 'NaN', 'Infinity', '1e400', '1 2', '--1'])('is not read from "%s"', (text) => {
    expect(refusalOf(RULES.decimal.read(text))).toContain('not a number');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '1', false])('is not %s', (value) => {
    expect(refusalOf(RULES.decimal.check(value))).toContain('not a number');
  });
});

describe('a boolean', () => {
  it('is true or false in a body, and also 1 or 0 in a text', () => {
    expect(RULES.boolean.check(true)).toBe(true);
    expect(['true', 'True', '1', 'false', 'FALSE', '0'].map((text) => RULES.boolean.read(text))).toEqual([
      ...[true, true, true],
      ...[false, false, false],
    ]);
  });

  it.each(['true', 1, 0, 'false'])('is not %j in a body', (value) => {
    expect(refusalOf(RULES.boolean.check(value))).toContain('true or false');
  });

  it.each(['', 'yes', 'on', 'tru', '2'])('is not read from "%s"', (text) => {
    expect(refusalOf(RULES.boolean.read(text))).toContain('true or false');
  });
});

describe('a text', () => {
  it.each([
    ['tab, line feed and carriage return', 'a\tb\nc\r'],
    ['letters beyond the first plane', 'Zoë 🦉 \u{10ffff}'],
    ['leading and trailing spaces', '  a  '],
    ['nothing', ''],
    ['a delete character', '\u007f'],
    ['the replacement character', '\ufffd'],
  ])('may hold %s, and is kept as it is', (_, text) => {
    expect(RULES.text.check(text)).toBe(text);
    expect(RULES.text.read(text)).toBe(text);
  });

  it.each([
    ['the null character', 'a\u0000b', 'U+0000 at position 2'],
    ['an escape', '\u001b[31m', 'U+001B at position 1'],
    ['a vertical tab', 'a\u000b', 'U+000B at position 2'],
    ['U+FFFE', 'ab\ufffe', 'U+FFFE at position 3'],
    ['U+FFFF', '\uffff', 'U+FFFF at position 1'],
    ['the first half of a pair', 'a\ud83e', 'U+D83E at position 2'],
    ['the second half of a pair', '\udd89b', 'U+DD89 at position 1'],
    ['halves in the wrong order', '\udd89\ud83e', 'U+DD89 at position 1'],
  ])('never holds %s, and the refusal says which and where', (_, text, where) => {
    expect(refusalOf(RULES.text.check(text))).toContain(where);
    expect(refusalOf(RULES.text.read(text))).toContain(where);
  });

  it('is not a number in a body', () => {
    expect(refusalOf(RULES.text.check(12))).toBe('is "12", not a text');
  });
});

describe('bytes', () => {
  it.each(['', 'QQ==', 'QUI=', 'QUJD', '+/+/'])('are base64: "%s"', (text) => {
    expect(RULES.bytes.check(text)).toBe(text);
  });

  it.each(['Q', 'QQ', 'QQ=', 'QQ===', 'Q Q=', 'QQ==\n', '-_-_', '=QQ='])('are not "%s"', (text) => {
    expect(refusalOf(RULES.bytes.check(text))).toContain('base64');
  });
});

describe('a refused value', () => {
  it('is shown, but never more than 40 characters of it', () => {
    expect(quote('abc')).toBe('"abc"');
    expect(quote('x'.repeat(40))).toBe(`"${'x'.repeat(40)}"`);
    expect(quote('x'.repeat(41))).toBe(`"${'x'.repeat(40)}…"`);
    expect(quote([1, 2])).toBe('"[1,2]"');
    expect(quote(undefined)).toBe('"undefined"');
  });
});

it('every kind says what to write', () => {
  for (const rules of Object.values(RULES)) expect(rules.form).toMatch(/\S/);
});
