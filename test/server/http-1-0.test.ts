// Clients and proxies that speak HTTP/1.0: no Host, no chunks, and a connection that ends or is kept.
import { describe, expect, it } from 'vitest';
import { OWNER } from '../support/engine.ts';
import { basic, overBackend, PASSWORD, sendBytes, usingServer } from './served.ts';

const server = usingServer();
const AUTHORIZATION = `Authorization: ${basic(OWNER, PASSWORD)}`;

/** The bytes of one request of HTTP/1.0. */
const asking = (path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.0`, AUTHORIZATION, ...headers, '', ''].join('\r\n');

const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4);

describe('HTTP/1.0', () => {
  it('is answered without a Host, and the connection ends', async () => {
    const text = await sendBytes(server.url, asking('/v4/me'));
    expect(text).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/is);
    expect(JSON.parse(bodyOf(text))).toMatchObject({ UserName: OWNER });
  });

  it('with keep-alive is answered again on the same connection', async () => {
    const text = await sendBytes(server.url, asking('/healthz', 'Connection: keep-alive') + asking('/v4/nothing'));
    const [first = '', second = ''] = text.split(/(?=HTTP\/1\.1 404)/);
    expect(first).toMatch(/^HTTP\/1\.1 200 .*Connection: keep-alive\r\n.*\r\n\r\nok\n$/is);
    expect(second).toMatch(/Connection: close\r\n/i);
  });

  it('is refused with a Host that is not served, as ever', async () => {
    const text = await sendBytes(server.url, asking('/healthz', 'Host: evil.example'));
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('evil.example');
  });

  it.each([[], ['Connection: keep-alive']])('gets a long list whole, without chunks: %s', async (...headers) => {
    const long = await overBackend({
      async *list() {
        for (let rank = 0; rank < 3000; rank++) yield { ID: String(rank), Name: 'x'.repeat(50) };
      },
    });
    const text = await sendBytes(long.url, asking('/v4/users', ...headers));
    expect(text).not.toMatch(/transfer-encoding/i);
    expect(JSON.parse(bodyOf(text))).toHaveLength(3000);
    await long.close();
  });
});
