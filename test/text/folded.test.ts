// Folded texts: a name is found by what a keyboard without its letters types.
import { describe, expect, it } from 'vitest';
import { fitOf, folded, spanOf } from '../../src/text/folded.ts';
import { textKey } from '../../src/text/text-key.ts';

describe('a name is found by', () => {
  it.each([
    ['Strauss', 'Jörg Strauß'],
    ['STRAUSS', 'STRAUẞ'],
    ['sandstrom', 'Ylva Sandström'],
    ['Luczak', 'Łuczak'],
    ['Soren', 'Søren'],
    ['Gudmundsson', 'Guðmundsson'],
    ['Yildiz', 'Yıldız'],
    ['OConnell', "O'Connell"],
    ['OConnell', 'O’Connell'],
    ["o'connell", 'OConnell'],
    ['山田', '山田太郎'],
    ['太郎', '山田太郎'],
    ['Hafthor', 'Hafþór'],
    ['Dordevic', 'Đorđević'],
    ['Nunez', 'Nu\u0301n\u0303ez'],
    ['Istanbul', 'İstanbul'],
    ['Kaethe Oeuvre', 'Kæthe Œuvre'],
    ['Королев', 'Королёв'],
    ['παπαδοπουλος', 'ΠΑΠΑΔΌΠΟΥΛΟΣ'],
    ['Anna Lena', 'Anna-Lena'],
    ['Anna Lena', 'Anna\u2011Lena'],
    ['Ali', 'ʿAlī'],
    ['Li', 'Li Wei'],
    ['Ｌｉ', 'Li Wei'],
    ['office', 'of\u00adﬁce'],
  ])('%s: %s', (wanted, name) => {
    expect(folded(name)).toContain(folded(wanted));
  });

  it('but not by another one', () => {
    expect(folded('Ylva Sandström')).not.toContain(folded('sandstorm'));
  });
});

describe('a folded text', () => {
  const TEXTS = ['Straße', "O'Connell´s", 'e\u0301', '𝔸nna 👩‍👩‍👧', 'ΟΔΥΣΣΕΥΣ ΟΔΥΣ', 'a-b\u2014c\td', '한글', '\ud83d'];

  it.each(TEXTS)('is folded already, and sign by sign: %j', (text) => {
    expect(folded(folded(text))).toBe(folded(text));
    expect([...text].map(folded).join('')).toBe(folded(text));
  });

  it('is the same however long the text is', () => {
    for (const text of TEXTS.slice(0, -1)) expect(folded(text.repeat(1000))).toBe(folded(text).repeat(1000));
  });

  it('is no key: names that differ in an accent stay two', () => {
    expect(textKey('Sandström')).not.toBe(textKey('Sandstrom'));
  });
});

describe('a text fits', () => {
  it.each([
    ['as a whole', 'svoboda', 0, 0],
    ['by its beginning', 'svobodas', 1, 0],
    ['by a word, before the inside of another one', 'xsvoboda (svoboda)', 2, 10],
    ['inside', 'xsvoboda', 3, 1],
  ])('%s', (_how, text, grade, at) => {
    expect(fitOf(text, 'svoboda')).toEqual({ grade, at });
  });

  it('or not', () => expect(fitOf('svobod', 'svoboda')).toBeUndefined());
});

describe('the place in the text as it is written', () => {
  it.each([
    ['Jörg Strauß', 'strauss', 'Strauß'],
    ['Jörg Strauß', 's', 'S'],
    ['Jörg Strauß', 'ss', 'ß'],
    ["Pat O'Connell", 'oconnell', "O'Connell"],
    ['Ylva Sandstro\u0308m', 'sandstro', 'Sandstro\u0308'],
    ['👩‍👩‍👧 Łuczak', 'lu', 'Łu'],
  ])('of %s', (text, wanted, place) => {
    const [start, end] = spanOf(text, wanted) ?? [0, 0];
    expect(text.slice(start, end)).toBe(place);
  });

  it('is none where the text does not have it', () => expect(spanOf('Strauß', 'x')).toBeUndefined());
});
