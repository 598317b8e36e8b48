// What is written as XML is read back as it was, whatever its characters and however much it is.
import { describe, expect, it } from 'vitest';
import { decimal, text } from '../../src/contract/field.ts';
import { readBody, writerOf } from '../../src/wire/codec.ts';
import { inLong } from '../support/long.ts';

const shape = {
  type: 'Item',
  what: 'the item',
  fields: { Name: text('optional'), Weight: decimal('optional'), Color: text('optional') },
};
const MIB = 1024 * 1024;
/** In the suite a mebibyte of two that are written in different ways, and less of the others. */
const sizeOf = (one: string): number => inLong(/[&😀]/u.test(one) ? MIB : MIB / 16, MIB);
const written = (row: Readonly<Record<string, unknown>>): string => writerOf('text/xml', shape).one(row);
const again = (row: Readonly<Record<string, unknown>>): unknown =>
  readBody('text/xml', shape, new TextEncoder().encode(written(row)));

describe('a text', () => {
  it.each(['&', '<', '>', '"', "'", '\r', '\n', '\t', ' ', ']]>', 'é', '😀', '&amp;'])(
    'of a great many %j comes back',
    (one) => {
      const name = one.repeat(Math.floor(sizeOf(one) / one.length));
      expect(again({ Name: name })).toEqual({ Name: name });
    },
  );

  it('has a mark in place of what XML cannot say', () => {
    expect(again({ Name: 'a\ud800b\u0000c\uffff' })).toEqual({ Name: 'a\ufffdb\ufffdc\ufffd' });
  });

  it('may look like a name of the builder', () => {
    for (const name of ['#text', ':@', '@_x', '__proto__', '?xml'])
      expect(again({ Name: name })).toEqual({ Name: name });
  });
});

describe('a number', () => {
  it.each([
    [1e-7, '0.0000001'],
    [-1.25e-9, '-0.00000000125'],
    [1e21, '1000000000000000000000'],
    [1.5e300, `15${'0'.repeat(299)}`],
    [0.1, '0.1'],
    [-12, '-12'],
  ])('%d is written in digits', (value, digits) => {
    expect(written({ Weight: value })).toContain(`<Weight>${digits}</Weight>`);
  });
});

describe('a member that the contract does not know', () => {
  it('is an element, also where it is called __proto__', () => {
    const row = JSON.parse('{"Name":"a","__proto__":"x","Other":{"constructor":[1,null]}}') as Record<string, unknown>;
    expect(written(row)).toMatch(
      '<Name>a</Name><__proto__>x</__proto__><Other><constructor>1</constructor><constructor i:nil="true"/></Other>',
    );
  });

  it('stays where it stood', () => {
    const row = { Name: 'a', Before: 'b', Color: 'c', '{urn:x}Color': 'd' };
    expect(written(row)).toMatch('<Name>a</Name><Before>b</Before><Color>c</Color><Color xmlns="urn:x">d</Color>');
  });
});
