// What is too much, too slow or no HTTP at all is refused before it costs anything.
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openServer } from '../../src/server/index.ts';
import { refuses } from '../support/refuses.ts';
import { overBackend, sendBytes, usingServer } from './served.ts';

const server = usingServer({ limits: { headersMs: 100 } });

describe('the address', () => {
  it('of more than 8 KiB is 400', async () => {
    const answer = await server.asAda('GET', `/v4/users?tz=${'a'.repeat(8200)}`);
    expect(answer.json()).toMatchObject({ status: 400, detail: expect.stringContaining('longer') });
  });

  it('of just so much is looked at', async () => {
    const path = `/v4/${'a'.repeat(8000)}`;
    expect((await server.asAda('GET', path)).status).toBe(404);
  });
});

describe('bytes', () => {
  const host = 'Host: localhost\r\n';
  it.each([
    ['headers of more than 16 KiB', `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(17_000)}\r\n\r\n`, '431'],
    ['no HTTP', 'HELLO\r\n\r\n', '400'],
    ['a header without a name', `GET / HTTP/1.1\r\n${host}: x\r\n\r\n`, '400'],
    ['two lengths', `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, '400'],
    ['a length and chunks', `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, '400'],
    ['headers that do not come to their end', `GET /v4/me HTTP/1.1\r\n${host}`, '408'],
  ])('with %s are refused', async (_what, bytes, status) => {
    const text = await sendBytes(server.url, bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status: Number(status), errors: [] });
  });

  it('without a host are refused', async () => {
    const text = await sendBytes(server.url, 'GET /v4/me HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('the request names no host');
  });
});

describe('a client', () => {
  const waiting = { requestMs: 100, headersMs: 100, keepAliveMs: 100 };

  it('that waits for its answer gets it, however long that takes', async () => {
    const slow = await overBackend(
      { call: async () => new Promise((resolve) => setTimeout(resolve, 500, {})) },
      { limits: waiting },
    );
    expect((await slow.ask('GET', '/v4/me')).status).toBe(200);
    await slow.close();
  });

  it('that does not read its answer is let go', async () => {
    const row = { Name: 'x'.repeat(100_000) };
    let isOver = false;
    const endless = await overBackend(
      {
        async *list() {
          try {
            for (;;) yield row;
          } finally {
            isOver = true;
          }
        },
      },
      { limits: waiting },
    );
    const { hostname, port } = new URL(endless.url);
    const client = connect(Number(port), hostname).pause();
    client.write('GET /v4/me/accountabilities HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic YWRhOng=\r\n\r\n');
    await expect.poll(() => isOver, { timeout: 60_000 }).toBe(true);
    client.destroy();
    await endless.close();
  });
});

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

describe('connections', () => {
  it.each([{ connections: 1 }, { connectionsOfAddress: 1 }])('beyond the most are dropped: %o', async (limits) => {
    const small = await overBackend({}, { limits });
    const { hostname, port } = new URL(small.url);
    const first = connect(Number(port), hostname);
    await new Promise((resolve) => first.once('connect', resolve));
    expect(await sendBytes(small.url, HEALTH)).toBe('');
    first.destroy();
    await expect.poll(() => sendBytes(small.url, HEALTH)).toContain('HTTP/1.1 200 ');
    await small.close();
  });

  it.each([
    ['a trusted proxy are those of many', '127.0.0.0/8', 'HTTP/1.1 200 '],
    ['others are limited beside those of a trusted proxy', '10.9.9.9', ''],
  ])('of %s', async (_whom, proxy, answer) => {
    const behind = await overBackend({}, { trustProxy: [proxy], limits: { connectionsOfAddress: 1 } });
    const { hostname, port } = new URL(behind.url);
    const first = connect(Number(port), hostname);
    await new Promise((resolve) => first.once('connect', resolve));
    expect((await sendBytes(behind.url, HEALTH)).slice(0, 'HTTP/1.1 200 '.length)).toBe(answer);
    first.destroy();
    await behind.close();
  });
});

describe('requests that wait on one connection', () => {
  const get = 'GET /v4/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic YWRhOng=\r\n';
  const last = `${get}Connection: close\r\n`;
  const sent = (count: number): string => [...Array<string>(count - 1).fill(get), last, ''].join('\r\n');

  /** Answers each call with its number, and the first one when `go` is called. */
  function calls() {
    let [count, go] = [0, (): void => undefined];
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    const call = async () => {
      const ID = String(++count);
      await waiting;
      return { ID };
    };
    return { call, count: () => count, go };
  }

  it('are begun one after the other, each when the one before it is answered', async () => {
    const { call, count, go } = calls();
    const small = await overBackend({ call }, { limits: { requestsWaiting: 2 } });
    const text = sendBytes(small.url, sent(3));
    await expect.poll(count).toBe(1);
    go();
    expect((await text).match(/"ID":"\d"/g)).toEqual(['"ID":"1"', '"ID":"2"', '"ID":"3"']);
    await small.close();
  });

  it('are too many beyond the most: the connection is closed, and none of them has begun', async () => {
    const { call, count, go } = calls();
    const small = await overBackend({ call }, { limits: { requestsWaiting: 2 } });
    expect(await sendBytes(small.url, sent(4))).toBe('');
    go();
    await expect.poll(() => small.lines.length).toBe(1);
    await small.close();
    expect(count()).toBe(1);
  });
});

describe('an address to listen on', () => {
  const options = { backend: {} as never, clock: () => new Date(0), log: () => undefined };

  it('beyond this machine needs TLS, or a word that it does not', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1'])
      await refuses(openServer({ ...options, host })).with('usage', '--tls-cert', '--allow-http');
    const allowed = await openServer({ ...options, host: '0.0.0.0', allowHttp: true });
    await allowed.close();
  });

  it('that is taken, or not ours, is said in words', async () => {
    const port = Number(new URL(server.url).port);
    await refuses(openServer({ ...options, port })).with('usage', 'another program', '--port 0');
    await refuses(openServer({ ...options, host: '192.0.2.1', allowHttp: true })).with('usage', 'no such address');
  });

  it('has proxies only where they can be understood', async () => {
    await refuses(openServer({ ...options, trustProxy: ['nonsense'] })).with('usage', '--trust-proxy', '10.0.0.0/8');
  });
});
