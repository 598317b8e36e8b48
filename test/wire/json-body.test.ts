// The body of a request in JSON: one object, nothing in it that a parser would change or lose.
import { describe, expect, it } from 'vitest';
import { resourceNamed } from '../../src/contract/index.ts';
import { readBody } from '../../src/wire/codec.ts';
import { decodeUtf8 } from '../../src/wire/gate.ts';
import { bodyShape } from '../../src/wire/shape.ts';
import { refusal } from './refusal.ts';
import { bytesOf } from './spelled.ts';

const shape = bodyShape(resourceNamed('accountability'));
const read = (bytes: Uint8Array | string) =>
  readBody('text/json', shape, typeof bytes === 'string' ? bytesOf(bytes) : bytes);

describe('a body in JSON', () => {
  it.each([
    ['{}', {}],
    ['\ufeff{"Rank":1}', { Rank: 1 }],
    [' { "Name" : "a\\u0041\\ud83d\\ude00" } ', { Name: 'aA😀' }],
    ['{"A":{"x":1},"B":{"x":2},"x":3}', { A: { x: 1 }, B: { x: 2 }, x: 3 }],
    ['{"Name":"\\"}{,:[\\\\"}', { Name: '"}{,:[\\' }],
    ['{"a":1.50e2,"b":-0.0,"c":0.1,"d":1E-7}', { a: 150, b: -0, c: 0.1, d: 1e-7 }],
    ['{"Name":"9007199254740993"}', { Name: '9007199254740993' }],
  ])('is read: %s', (text, members) => {
    expect(read(text)).toEqual(members);
  });

  it.each([
    ['nothing', '', /is empty/],
    ['a comma too many', '{"a":1,\n}', /well-formed at line 2, column 1$/],
    ['a word', '{"a":nope,"Password":"x"}', /well-formed: "o" stands where no value can$/],
    ['no end', '{"a":1', /well-formed at line 1, column 7$/],
    ['two BOMs', '\ufeff\ufeff{}', /well-formed/],
    ['an array', '[]', /one JSON object/],
    ['null', 'null', /one JSON object/],
    ['a member given twice', '{"a":1,"a":2}', /twice/],
    ['one given twice in disguise', '{"a":1,"\\u0061":2}', /twice/],
    ['one given twice, deep inside', '{"b":[{"a":1,"a":2}]}', /twice/],
    ['half a character', '{"Name":"\\ud800"}', /surrogate/],
    ['half a character in a name', '{"\\udc00":1}', /surrogate/],
    ['2^53+1', '{"a":9007199254740993}', /more than a number can hold/],
    ['1e400', '{"a":1e400}', /more than a number can hold/],
    ['1e-400', '{"a":1e-400}', /more than a number can hold/],
    ['too many digits', '{"a":0.12345678901234567890123}', /more than a number can hold/],
    ['a comment', '{"a":1/**/}', /well-formed/],
    ['NaN', '{"a":NaN}', /well-formed/],
    ['33 levels', '{"a":'.repeat(33) + 1 + '}'.repeat(33), /nested more than 32/],
    ['very many levels', '['.repeat(1_000_000), /nested more than 32/],
    ['too many values', `{"a":[${'1,'.repeat(10_000)}1]}`, /more than 10000 values/],
    ['a text without end', '{"a":"b', /no end/],
    ['__proto__', '{"__proto__":{"polluted":1}}', /__proto__/],
    ['__proto__ in disguise', '{"__pr\\u006fto__":{"polluted":1}}', /__proto__/],
  ])('is refused: %s', (_what, text, message) => {
    const { code, message: actual } = refusal(() => read(text));
    expect({ code, actual }).toMatchObject({ code: 'invalid', actual: expect.stringMatching(message) });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('is read down to 32 levels', () => {
    expect(() => read('{"a":'.repeat(32) + 1 + '}'.repeat(32))).not.toThrow();
  });

  it.each([
    ['a lone continuation', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a cut character', [0xf0, 0x9f, 0x98]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
  ])('is refused where it is not UTF-8: %s', (_what, bytes) => {
    expect(refusal(() => decodeUtf8(Uint8Array.from(bytes))).message).toMatch(/UTF-8/);
  });
});
