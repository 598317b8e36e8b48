// TLS is strict, redirects are not followed, and a credential is sent to one origin only.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeCertificates } from '../support/certificates.ts';
import { json, ME, says } from '../support/fake-server.ts';
import { refuses } from '../support/refuses.ts';
import { aClient, aServer, CREDENTIAL } from './client-session.ts';

const certificates = makeCertificates();
const { authority } = certificates;

afterEach(() => vi.unstubAllEnvs());

describe('TLS', () => {
  it('is spoken with a certificate of an authority that the profile names', async () => {
    const server = await aServer(certificates.good);
    server.does(json(ME));
    const { client } = aClient(server.url, { ca: authority });
    expect((await client.open(CREDENTIAL)).me.userName).toBe('ann');
  });

  describe.each(['', '0'])('with NODE_TLS_REJECT_UNAUTHORIZED="%s"', (value) => {
    it.each<[keyof typeof certificates, string | undefined, string]>([
      ['good', undefined, 'unknown authority'],
      ['selfSigned', undefined, 'signed by itself'],
      ['selfSigned', authority, 'signed by itself'],
      ['wrongName', authority, 'for another name'],
      ['expired', authority, 'has expired'],
    ])('is not spoken with the certificate %s', async (name, ca, words) => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', value);
      const server = await aServer(certificates[name] as { cert: string; key: string });
      const { client, waits } = aClient(server.url, { ca });
      const error = await refuses(client.open(CREDENTIAL)).with('unreachable', server.url, words);
      expect(error.exit).toBe(8);
      expect(server.requests).toEqual([]);
      expect(waits).toEqual([]);
    });
  });

  it('is not left out beyond this machine', () => {
    const open = (url: string, allowHttp?: boolean) => () => aClient(url, { allowHttp });
    expect(open('http://pm.example.org')).toThrow(/in the open/);
    expect(open('http://127.0.0.1.example.org')).toThrow(/in the open/);
    expect(open('http://pm.example.org', true)).not.toThrow();
    expect(open('http://localhost:1')).not.toThrow();
    expect(open('http://[::1]:1')).not.toThrow();
  });
});

describe('the address of a service', () => {
  it.each(['', 'pm.example.org', 'ftp://x', 'https://u:p@x', 'https://x/?a', 'https://x/#a', 'file:///x'])(
    'is not "%s"',
    (url) => {
      expect(() => aClient(url)).toThrow(/URL/);
    },
  );

  it.each(['', '/', '/v4', '/v4/', '/api', '/api/V4'])('may end in %s', async (end) => {
    const server = await aServer();
    server.does(json(ME));
    await aClient(`${server.url}${end}`).client.open(CREDENTIAL);
    expect(server.requests[0]?.url).toMatch(/^(\/api)?\/v4\/me$/i);
  });
});

describe('a redirect', () => {
  const TARGETS = ['/v4/me', '//host/', 'http://host/', 'https://host/v4/me', 'HTTP://HOST', '/', '', '?a', 'x:y'];
  const STATUSES = [300, 301, 302, 303, 305, 307, 308];

  it('is followed to no target', async () => {
    const other = await aServer();
    const server = await aServer();
    const targets = [...TARGETS, other.url, `${other.url}/v4/me`, `//127.0.0.1:${other.port}/v4/me`];
    expect(targets).toHaveLength(12);
    for (const [at, location] of targets.entries()) {
      server.does(says(STATUSES[at % STATUSES.length] ?? 302, '', { location }));
      const open = aClient(server.url).client.open(CREDENTIAL);
      await refuses(open).with('bad_answer', server.url, 'answered 30', 'pm profiles add prod --url <url>');
    }
    expect(server.requests).toHaveLength(targets.length);
    expect(other.requests).toEqual([]);
  });
});

describe('a credential', () => {
  it('is sent as Basic, in UTF-8', async () => {
    const server = await aServer();
    server.does(json(ME));
    await aClient(server.url).client.open({ login: 'änn', password: 'p:ß' });
    const sent = server.requests[0]?.headers.authorization?.replace('Basic ', '') ?? '';
    expect(Buffer.from(sent, 'base64').toString('utf8')).toBe('änn:p:ß');
  });

  it('is not sent to log in', async () => {
    const server = await aServer();
    server.does(json({ Token: 'x', UserName: 'ann' }));
    expect(await aClient(server.url).client.login(CREDENTIAL)).toEqual({ Token: 'x', UserName: 'ann' });
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v4/login' });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ UserName: 'ann', Password: CREDENTIAL.password });
  });

  it('that is refused says how to log in', async () => {
    const server = await aServer();
    server.does(says(401, ''));
    const error = await refuses(aClient(server.url).client.open(CREDENTIAL)).with('unauthorized', 'pm login -p prod');
    expect(error.exit).toBe(4);
  });

  it('is asked for: nobody calls without one', async () => {
    const server = await aServer();
    await refuses(aClient(server.url).client.open({ user: 'ann' })).with('usage', 'pm login -p prod');
  });
});

describe('a proxy', () => {
  it('is never asked for what runs on this machine', async () => {
    const [proxy, server] = [await aServer(), await aServer()];
    server.does(json(ME));
    vi.stubEnv('HTTP_PROXY', proxy.url);
    await aClient(server.url, { proxies: { http: proxy.url, https: proxy.url } }).client.open(CREDENTIAL);
    expect(proxy.requests).toEqual([]);
  });

  it('that does not answer is an error of the service', async () => {
    const { client } = aClient('https://pm.example.org', { proxies: { https: 'http://127.0.0.1:1' }, retries: 0 });
    await refuses(client.open(CREDENTIAL)).with(
      'unreachable',
      'https://pm.example.org',
      '(HTTPS_PROXY) cannot be reached',
    );
  });

  it('is left aside where NO_PROXY says so', async () => {
    const proxy = await aServer();
    const proxies = { https: proxy.url, no: '.invalid' };
    const { client } = aClient('https://pm.invalid', { proxies, retries: 0 });
    await refuses(client.open(CREDENTIAL)).with('unreachable');
    expect(proxy.requests).toEqual([]);
  });
});
