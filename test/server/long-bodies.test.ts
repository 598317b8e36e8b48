// Bodies as long as they may be, and a little longer, made of what is most work to look at: each is answered.
import { afterEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/wire/gate.ts';
import { BOB, basic, usingServer } from './served.ts';

const server = usingServer();
const JSON_TYPE = 'application/json';
const MARKS = '\u0301\u0316';

/** A body of that many bytes, at most a character short of it. */
function filled(head: string, unit: string, tail: string, size: number): string {
  const left = size - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return head + unit.repeat(Math.floor(left / Buffer.byteLength(unit))) + tail;
}

const BODIES = [
  ['a number of zeros', '/v4/login', JSON_TYPE, '{"UserName":0.1', '0', '1}', 400, 'invalid'],
  ['a user name of marks', '/v4/login', JSON_TYPE, '{"UserName":"a', MARKS, '","Password":"x"}', 401, 'unauthorized'],
  ['a password of marks', '/v4/login', JSON_TYPE, '{"UserName":"bob","Password":"a', MARKS, '"}', 401, 'unauthorized'],
  ['names without values', '/v4/login', JSON_TYPE, '{', '"a":', '1}', 400, 'invalid'],
  [
    ...(['blanks within a number', '/v4/accountabilities', 'application/xml'] as const),
    ...([
      '<ListItem xmlns="urn:performance-management:v4"><Rank>1',
      ' ',
      '1</Rank></ListItem>',
      400,
      'invalid',
    ] as const),
  ],
] as const;

afterEach(async () => {
  expect((await server.ask('GET', '/healthz')).status).toBe(200);
  expect((await server.asAda('GET', '/v4/me')).status).toBe(200);
  expect(server.lines.filter((line) => line.includes('"error"'))).toEqual([]);
});

describe.each(BODIES)('a body with %s', (_what, path, type, head, unit, tail, status, code) => {
  it('is answered where it is as long as it may be', async () => {
    const { json, ...answer } = await server.ask('POST', path, {
      ...{ user: BOB, type, body: filled(head, unit, tail, LIMITS.body) },
    });
    expect(answer.status).toBe(status);
    expect(json().code).toBe(code);
    expect(answer.text.length).toBeLessThan(5000);
  });

  it('is too large beyond that', async () => {
    const body = filled(head, unit, tail, LIMITS.body + 10);
    expect((await server.ask('POST', path, { user: BOB, type, body })).status).toBe(413);
  });
});

describe('a login of a user name that is too long', () => {
  it('is answered word for word as one of an unknown name', async () => {
    const long = `a${MARKS.repeat(500)}`;
    const answered = async (name: string) => {
      const { status, text } = await server.ask('GET', '/v4/me', { headers: { authorization: basic(name, 'x') } });
      return { status, text };
    };
    expect(await answered(long)).toEqual(await answered('nobody'));
    const login = (UserName: string) =>
      server.ask('POST', '/v4/login', { type: JSON_TYPE, body: JSON.stringify({ UserName, Password: 'x' }) });
    expect((await login(long)).text).toBe((await login('nobody')).text);
  });
});

describe('a new password', () => {
  const change = async (Password: string) => {
    const me = (await server.ask('GET', '/v4/me', { user: BOB })).json();
    const body = JSON.stringify({ ...me, Password });
    return server.ask('PUT', `/v4/individuals/${String(me.ID)}`, { user: BOB, type: JSON_TYPE, body });
  };

  it('of more than 1,024 characters is refused, and the old one stays', async () => {
    const answer = await change('x'.repeat(1025));
    expect(answer.status).toBe(400);
    expect(answer.json().errors).toEqual([
      { field: 'Password', code: 'too_long', message: 'is 1025 characters long; the limit is 1024' },
    ]);
    expect((await server.ask('GET', '/v4/me', { user: BOB })).status).toBe(200);
  });

  it('of just so many is taken, and lets in', async () => {
    const password = 'x'.repeat(1024);
    expect((await change(password)).status).toBe(200);
    expect((await server.ask('GET', '/v4/me', { user: BOB, password })).status).toBe(200);
  });
});
