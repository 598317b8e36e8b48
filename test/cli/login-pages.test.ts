// A wrong password at a service that answers it with a way to its login page, or with the page itself, instead of a 401.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type FakeServer, fakeServer, type Handler, json, ME, says } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();
let server: FakeServer;
beforeEach(async () => {
  server = await fakeServer();
  onTestFinished(() => server.close());
  await pm(['profiles', 'add', 'old', '--url', server.url, '--user', 'ann']).says();
});

const FORM =
  '<html><head><title>Welcome</title></head><body><form><input name="p" type="password"></form></body></html>';
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const page = (text: string): Handler => says(200, text, HTML);
const ANSWERS: Readonly<Record<string, Handler>> = {
  'a way to its login page': says(302, '', { location: '/Account/Login?ReturnUrl=%2Fv4%2Fme' }),
  'a way to another host for it': says(302, '', { location: 'https://sso.example.org/signin?back=x' }),
  'its login page': page(FORM),
  'a page whose title says it': page('<html><head><title>Sign in - Portal</title></head></html>'),
};
const env = { PM_PASSWORD: 'Canary-wrong-1' };

describe.each(Object.entries(ANSWERS))('a wrong password that is answered with %s', (_, answer) => {
  it('is told as one by a list, by a change and by pm login, which keeps nothing', async () => {
    server.does(answer);
    const told = ['wrong or expired password', 'pm login -p old'];
    await pm('individuals list -p old', { env }).fails(4, ...told);
    server.does(json(ME), answer);
    await pm('individuals list -p old', { env }).fails(4, ...told);
    server.does(json(ME), answer);
    await pm('departments create --name Sales --rank 1 -p old', { env }).fails(4, ...told);
    server.does(answer);
    const { err } = await pm('login -p old', { env }).fails(
      4,
      'wrong or expired password',
      'Look at the user name, ann',
    );
    expect(err).not.toContain('Log in:');
    expect(existsSync(join(pm.home, 'credentials.json'))).toBe(false);
  });
});

describe('a login that is answered with something else', () => {
  it('is no change of which nothing is known, and names only commands that exist', async () => {
    server.does(says(500, 'Timeout expired'));
    const { err } = await pm('login -p old', { env: { ...env, PM_RETRIES: '0' } }).fails(8, '500 to POST /login');
    expect(err).not.toContain('pm session');
  });
});

describe('what is no login page', () => {
  it.each<[string, Handler, string]>([
    ['a redirect elsewhere', says(302, '', { location: 'https://new.example.org/v4/me?from=login' }), '--url'],
    ['another page', page('<html><body>Login is easy. Under maintenance</body></html>'), 'maintenance'],
    ['what a firewall refuses, with a password field', says(403, FORM, HTML), 'in front of the service'],
  ])('stays an answer of something else: %s', async (_, answer, told) => {
    server.does(answer);
    await pm('individuals list -p old', { env }).fails(8, told);
  });
});

describe('a service that asks for another way to log in', () => {
  it.each([
    ['Bearer realm="x, y", error="invalid_token"', 'bearer'],
    ['Negotiate, NTLM', 'negotiate or ntlm'],
    ['Digest realm="x", qop="auth"', 'digest'],
  ])('is told by it, and not by pm login, which cannot help: %s', async (challenge, scheme) => {
    server.does(says(401, '{}', { 'www-authenticate': challenge }));
    const { err } = await pm('individuals list -p old', { env }).fails(
      4,
      `it asks for ${scheme}`,
      'pm sends a user name',
    );
    expect(err).not.toContain('pm login');
  });

  it.each(['Basic realm="a, b"', 'Bearer, Basic realm="x"'])('has one that pm knows: %s', async (challenge) => {
    server.does(says(401, '{}', { 'www-authenticate': challenge }));
    await pm('individuals list -p old', { env }).fails(4, 'pm login -p old');
  });
});

describe('pm doctor', () => {
  it('says of a page no more than that it is none of the service', async () => {
    server.does(says(200, '<html>It works!</html>', { ...HTML, etag: '"29cd"' }));
    const { out } = await pm('doctor -p old', { env });
    expect(out).toContain('answers in text/html');
    expect(out).not.toContain('ETag');
  });
});
