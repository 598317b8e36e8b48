// What others send is worked through in time that grows with its length. Where it grew with the square of the length,
// each of these would take minutes or hours, and this file would end at the limit of time that is there for what hangs.
import { describe, expect, it } from 'vitest';
import { strangeContent } from '../../src/changes/files/index.ts';
import { redactor } from '../../src/client/redact.ts';
import { CREDENTIAL_LIMITS } from '../../src/contract/call.ts';
import { resourceNamed } from '../../src/contract/index.ts';
import { claimOf } from '../../src/engine/auth/login.ts';
import { SERVER_LIMITS } from '../../src/server/http-server.ts';
import { loginLimiter } from '../../src/server/login-limiter.ts';
import { textKey } from '../../src/text/text-key.ts';
import { NAMESPACE, readBody, readRecord } from '../../src/wire/codec.ts';
import { LIMITS } from '../../src/wire/gate.ts';
import { keepsValue } from '../../src/wire/json-scan.ts';
import { bodyMedia, negotiate } from '../../src/wire/media.ts';
import { readProblem } from '../../src/wire/problem.ts';
import { matchRoute } from '../../src/wire/route.ts';
import { answerShape, bodyShape } from '../../src/wire/shape.ts';
import { refusal } from '../wire/refusal.ts';
import { bytesOf } from '../wire/spelled.ts';

const SIZE = LIMITS.body;
const many = (unit: string, size = SIZE): string => unit.repeat(Math.ceil(size / unit.length));
/** Marks of one letter in the order that is most work to put right. */
const MARKS = '\u0301\u0316';

const accountability = resourceNamed('accountability');
const shape = bodyShape(accountability);
const get = accountability.operations.get;
const json = (text: string) => refusal(() => readBody('application/json', shape, bytesOf(text))).code;
const item = (inner: string): string => `<ListItem xmlns="${NAMESPACE}">${inner}</ListItem>`;
const xml = (inner: string) => readBody('application/xml', shape, bytesOf(item(inner)));

describe('a body in JSON', () => {
  it.each([
    ['noughts within a number', `{"Rank":0.1${many('0')}1}`],
    ['digits', `{"Rank":${many('9')}}`],
    ['noughts in front', `{"Rank":${many('0')}1}`],
    ['an exponent', `{"Rank":1e${many('1')}}`],
    ['signs of numbers', `{"Rank":1${many('e+-')}}`],
    ['escaped quotes', `{"Name":"${many('\\"')}`],
    ['backslashes', `{"Name":"${many('\\')}`],
    ['names without values', `{${many('"a":')}`],
    ['blanks', `{"Rank"${many(' ')}1}`],
  ])('is refused with a mebibyte of %s', (_what, text) => {
    expect(json(text)).toBe('invalid');
  });

  it('tells of names without values once, not of each', () => {
    expect(refusal(() => readBody('application/json', shape, bytesOf(`{${many('"a":')}`))).message).toMatch(
      /holds more than 10000 values/,
    );
  });
});

describe('a number', () => {
  it('is looked at up to 400 characters', () => {
    expect(keepsValue(`1.${'0'.repeat(398)}`)).toBe(true);
    expect(keepsValue(`1.${'0'.repeat(399)}`)).toBe(false);
    expect(json(`{"Rank":1.${'0'.repeat(399)}}`)).toBe('invalid');
  });

  it.each(['5e-324', '1.7976931348623157e308', `1${'0'.repeat(308)}`, `0.${'0'.repeat(323)}5`])(
    'is taken: %s',
    (text) => {
      expect(keepsValue(text)).toBe(true);
    },
  );
});

describe('a body in XML', () => {
  it('keeps what is within a value that is no text, and drops the blanks around it', () => {
    const inside = `1${many(' \t\r\n')}1`;
    expect(String(xml(`<Rank>${inside}</Rank>`).Rank)).toHaveLength(inside.replaceAll('\r\n', '\n').length);
    expect(xml(`<Rank>${many(' \t\n')}7${many(' \t\n')}</Rank>`)).toEqual({ Rank: 7 });
    expect(xml(`<Rank>${many(' ')}</Rank>`)).toEqual({ Rank: '' });
  });

  it.each([
    ['noughts within a number', `<Rank>0.1${many('0')}1</Rank>`],
    ['letters of a name', `<${many('a')}/>`],
    ['attributes', `<Rank ${Array.from({ length: SIZE / 12 }, (_, n) => `a${n}=""`).join(' ')}/>`],
    ['an entity', `<Rank>&${many('a')};</Rank>`],
    ['a comment', `<!--${many('- ')}`],
  ])('comes to an end with a mebibyte of %s', (_what, inner) => {
    expect(() => readBody('application/xml', bodyShape(resourceNamed('color')), bytesOf(item(inner)))).toThrow();
  });
});

describe('an answer', () => {
  it('may hold very many members of one unknown name', () => {
    const inner = `<X>${many('<y/>')}</X>`;
    const { X } = readRecord('xml', answerShape(get as NonNullable<typeof get>), bytesOf(item(inner))) as {
      X?: { y: unknown[] };
    };
    expect(X?.y).toHaveLength(SIZE / 4);
  });

  it.each([
    ['tags that have no end', many('<style')],
    ['tags within tags', `<${many('style<')}`],
    ['signs of tags', many('<')],
  ])('of no known form is told with a mebibyte of %s', (_what, text) => {
    expect(readProblem(500, 'text/html', bytesOf(text)).code).toBeUndefined();
  });

  it.each([
    ['a name in JSON', `"${many('token')}`],
    ['quotes', many('"')],
    ['a name in XML', `<token-${many('s-')}`],
    ['tags', many('<token ')],
    ['prefixes', `<${many('token:')}`],
    ['blanks before a value', `"token"${many(' ')}`],
  ])('is searched for secrets with a mebibyte of %s', (_what, text) => {
    expect(redactor([])(`${text},{"token":"secret"}`).slice(text.length)).toBe(',{"token":"[hidden]"}');
  });
});

describe('a text', () => {
  it('has a key, however many marks stand on one letter', () => {
    expect(textKey(`x${many(MARKS)}`).length).toBe(SIZE + 1);
  });

  it('has one key in both spellings of its letters, up to its 4,096th character', () => {
    const [one, two] = ['\u00c5', 'A\u030a'];
    expect(textKey(`${one}${'x'.repeat(4094)}`)).toBe(textKey(`${two}${'x'.repeat(4094)}`));
    expect(textKey(`${'x'.repeat(4096)}${one}`)).not.toBe(textKey(`${'x'.repeat(4096)}${two}`));
    expect(textKey(`É${'x'.repeat(4094)}😀É`)).toBe(`é${'x'.repeat(4094)}😀é`);
  });
});

describe('a credential', () => {
  const long = `a${many(MARKS)}`;

  it.each([
    ['a user name', { login: long, password: 'x' }],
    ['an administrator’s name', { login: `${long}\\ada`, password: 'x' }],
    ['a user name with a token', { login: long, password: '{UserToken}0f8fad5b-d9cb-469f-a165-70867728950e' }],
    ['a password', { login: 'ada', password: long }],
    ['a login of one character too many', { login: 'a'.repeat(CREDENTIAL_LIMITS.login + 1), password: 'x' }],
    ['a password of one character too many', { login: 'a', password: 'x'.repeat(CREDENTIAL_LIMITS.password + 1) }],
  ])('is refused like an unknown one with %s that is too long', (_what, credential) => {
    expect(refusal(() => claimOf(credential))).toMatchObject({
      code: 'unauthorized',
      message: 'no user has this user name and password or token',
    });
  });

  it('is refused like an unknown one where its name holds what a server cannot look up', () => {
    for (const login of ['a\0da', 'a\0da\\ada', 'ada\\a\0da'])
      expect(refusal(() => claimOf({ login, password: 'x' }))).toMatchObject({ code: 'unauthorized' });
  });

  it('may be as long as two user names and a long password', () => {
    const name = 'a'.repeat(255);
    const claim = claimOf({ login: `${name}\\${name}`, password: 'x'.repeat(CREDENTIAL_LIMITS.password) });
    expect(claim).toMatchObject({ userName: name, actor: name });
  });

  it('is counted when it failed, however long its name is', async () => {
    const limiter = loginLimiter(() => new Date(0), SERVER_LIMITS);
    const tries = Array.from({ length: 6 }, () =>
      limiter
        .guard(
          long,
          'here',
        )(async () => refusalOf(long))
        .catch((error: { code: string }) => error.code),
    );
    expect(await Promise.all(tries)).toEqual([...Array(5).fill('unauthorized'), 'too_many']);
  });
});

const refusalOf = (login: string): never => {
  claimOf({ login, password: 'x' });
  throw new Error('it was let in');
};

describe('a header and an address', () => {
  it.each([
    ['blanks of a parameter', `application/json;a=${many('\t')}b c`],
    ['parameters', `application/json${many(';a=b')}`],
    ['escapes', `application/json;a="${many('\\"')}`],
  ])('are read with a mebibyte of %s', (_what, header) => {
    expect(refusal(() => bodyMedia(header)).code).toBe('media_type');
    expect(refusal(() => negotiate(header)).code).toBe('not_acceptable');
  });

  it('are read with very many parameters of a query', () => {
    const query = Array.from({ length: 100_000 }, (_, n) => `a${n}`).join('&');
    expect(matchRoute('GET', `/users?${query}`)).toMatchObject({ kind: 'found' });
    expect(refusal(() => matchRoute('GET', `/users?${query}&A99999`)).message).toMatch(/given twice/);
  });
});

describe('a file', () => {
  const head = Buffer.from('{}');

  it.each([
    ['line ends', `{}${many('\n')}`],
    ['blanks', `{}${many(' ')}`],
    ['brackets', `{${many('} ')}`],
  ])('of one record is told from one with a record on each line by a mebibyte of %s', (_what, text) => {
    expect(strangeContent('json', head, text)).toBeUndefined();
  });

  it('of JSON with a record on each line is told, whatever is between the lines', () => {
    expect(strangeContent('json', head, ' {"a":{}} \t\n\r\n {')?.message).toBe(
      'holds a record on each line, not one list',
    );
  });
});
