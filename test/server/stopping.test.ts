// A graceful stop: what is in flight is answered, and nothing new begins.
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import type { Row } from '../../src/contract/resource.ts';
import { overBackend } from './served.ts';

/** A call that is answered when the test says so. */
function pendingCall() {
  let begun = (): void => undefined;
  let answer = (_row: Row): void => undefined;
  const isAsked = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const call = (): Promise<Row> =>
    new Promise((resolve) => {
      answer = resolve;
      begun();
    });
  return { call, isAsked, answer: (row: Row) => answer(row) };
}

it('finishes what is in flight, and says that the connection ends', async () => {
  const { call, isAsked, answer } = pendingCall();
  const server = await overBackend({ call });
  const asked = server.ask('GET', '/v4/me');
  await isAsked;
  let isClosed = false;
  const closed = server.close().then(() => {
    isClosed = true;
  });
  await expect(server.ask('GET', '/healthz')).rejects.toThrow('ECONNREFUSED');
  expect(isClosed).toBe(false);
  answer({ ID: '1' });
  expect(await asked).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await closed;
});

it('does not wait for connections on which nothing is asked', async () => {
  const server = await overBackend({});
  const { hostname, port } = new URL(server.url);
  const idle = connect(Number(port), hostname);
  await new Promise((resolve) => idle.once('connect', resolve));
  const ended = new Promise((resolve) => idle.once('close', resolve));
  idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await new Promise((resolve) => idle.once('data', resolve));
  await server.close();
  await ended;
});

it('is not ready while it drains, and answers all the same', async () => {
  const server = await overBackend({}, { drainMs: 500 });
  expect((await server.ask('GET', '/readyz')).status).toBe(200);
  const closed = server.close();
  expect((await server.ask('GET', '/readyz')).status).toBe(503);
  expect(await server.ask('GET', '/v4/me')).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await closed;
  await expect(server.ask('GET', '/readyz')).rejects.toThrow('ECONNREFUSED');
});
