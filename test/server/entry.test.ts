// Authentication, and the order in which a request is checked.
import { describe, expect, it } from 'vitest';
import { OWNER } from '../support/engine.ts';
import { BOB, basic, PASSWORD, usingServer } from './served.ts';

const server = usingServer({ allowHosts: ['pm.example.org'] });
const CHALLENGE = 'Basic realm="pm", charset="UTF-8"';

describe('below /v4', () => {
  it.each([
    ['a known address', 'GET', '/v4/me'],
    ['an unknown address', 'GET', '/v4/nothing'],
    ['an unknown method', 'PATCH', '/v4/me'],
    ['a method nobody knows', 'PROPFIND', '/v4/me'],
    ['a Content-Type that is none', 'POST', '/v4/colors'],
    ['the bare prefix', 'GET', '/v4'],
    ['the login with another method', 'GET', '/v4/login'],
    ['broken percent-coding', 'GET', '/v4/%zz'],
  ])('%s asks for a login first', async (_what, method, path) => {
    const answer = await server.ask(method, path, method === 'POST' ? { type: 'nonsense', body: 'x' } : {});
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': CHALLENGE } });
    expect(answer.json()).toMatchObject({ status: 401, code: 'unauthorized', errors: [] });
  });

  it.each([
    ['another scheme', 'Bearer abc'],
    ['no base64', 'Basic ***'],
    ['no colon', `Basic ${Buffer.from('ada').toString('base64')}`],
    ['no UTF-8', `Basic ${Buffer.from([0x61, 0x3a, 0xff]).toString('base64')}`],
    ['nothing', ''],
  ])('an Authorization with %s is no login', async (_what, authorization) => {
    expect((await server.ask('GET', '/v4/me', { headers: { authorization } })).status).toBe(401);
  });

  it('an unknown user and a wrong password are answered alike', async () => {
    const unknown = await server.ask('GET', '/v4/me', { user: 'nobody' });
    const wrong = await server.ask('GET', '/v4/me', { user: BOB, password: 'wrong' });
    expect(unknown.status).toBe(401);
    expect(unknown.text).toBe(wrong.text);
  });
});

describe('POST /v4/login', () => {
  const body = JSON.stringify({ UserName: OWNER, Password: PASSWORD });

  it('needs no login, and its token is one', async () => {
    const answer = await server.ask('POST', '/v4/login', { type: 'application/json', body });
    const { Token, UserName } = answer.json();
    expect(UserName).toBe(OWNER);
    const authorization = basic(OWNER, `{SessionToken}${String(Token)}`);
    expect((await server.ask('GET', '/v4/me', { headers: { authorization } })).status).toBe(200);
  });

  it('reads and writes XML, whose token has a namespace of its own', async () => {
    const xml = `<LoginParameter xmlns="urn:performance-management:v4"><UserName>${OWNER}</UserName><Password>${PASSWORD}</Password></LoginParameter>`;
    const answer = await server.ask('POST', '/V4/LOGIN', { type: 'text/xml', accept: 'application/xml', body: xml });
    expect(answer.text).toContain('<AuthToken xmlns="urn:performance-management:v4:common"');
  });

  it('is ended with its token, and with nothing else', async () => {
    const { Token } = (await server.ask('POST', '/v4/login', { type: 'application/json', body })).json();
    const password = `{SessionToken}${String(Token)}`;
    expect((await server.asAda('DELETE', '/v4/login')).json()).toMatchObject({ status: 400, code: 'invalid' });
    const answer = await server.asAda('DELETE', '/v4/login', { password });
    expect([answer.status, answer.json()]).toEqual([200, { UserName: OWNER }]);
    expect((await server.asAda('GET', '/v4/me', { password })).status).toBe(401);
    expect((await server.asAda('GET', '/v4/me')).status).toBe(200);
    expect(await server.asAda('GET', '/v4/login')).toMatchObject({
      status: 405,
      headers: { allow: 'DELETE, OPTIONS, POST' },
    });
  });

  it('refuses a wrong password, and a body without one', async () => {
    const type = 'application/json';
    const wrong = JSON.stringify({ UserName: OWNER, Password: 'wrong' });
    expect(await server.ask('POST', '/v4/login', { type, body: wrong })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': CHALLENGE },
    });
    expect((await server.ask('POST', '/v4/login', { type, body: '{}' })).json()).toMatchObject({
      status: 400,
      errors: [{ field: 'UserName' }, { field: 'Password' }],
    });
    expect((await server.ask('POST', '/v4/login')).status).toBe(415);
  });
});

describe('the host', () => {
  it.each(['localhost', 'LOCALHOST:80', '127.0.0.1:7470', '[::1]:1', 'pm.example.org', 'PM.example.org:443'])(
    '%s is served',
    async (host) => {
      expect((await server.asAda('GET', '/v4/me', { headers: { host } })).status).toBe(200);
    },
  );

  it.each(['evil.example', 'localhost.evil.example', '0.0.0.0:7470', 'a b', '127.0.0.1:x', '@localhost'])(
    '%s is not, whatever is asked',
    async (host) => {
      for (const path of ['/v4/me', '/docs', '/openapi.json', '/healthz'])
        expect((await server.asAda('GET', path, { headers: { host } })).json()).toMatchObject({ status: 400 });
    },
  );

  it('is not taken from what a proxy says', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'localhost' };
    expect((await server.asAda('GET', '/v4/me', { headers })).status).toBe(400);
  });
});
