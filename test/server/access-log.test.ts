// The access log: one line for each request, and no secret in any.
import { expect, it } from 'vitest';
import { batchedLog, logDefect } from '../../src/server/access-log.ts';
import { OWNER } from '../support/engine.ts';
import { basic, departmentBody, newServer, PASSWORD, usingServer } from './served.ts';

const server = usingServer();
const last = () => JSON.parse(server.lines.at(-1) ?? '') as Readonly<{ [name: string]: unknown }>;
/** A line is written when the answer has left, which the next answer makes sure of. */
const nextTurn = () => server.ask('GET', '/healthz');

it('says who asked what, from where, and how it went', async () => {
  const { headers } = await server.asAda('GET', '/v4/users?deleted=2&tz=UTC');
  await expect.poll(() => server.lines.some((line) => line.includes(String(headers['x-request-id'])))).toBe(true);
  const line = server.lines.find((one) => one.includes(String(headers['x-request-id']))) ?? '';
  expect(JSON.parse(line)).toEqual({
    time: '2026-05-13T09:00:00.000Z',
    id: headers['x-request-id'],
    address: '127.0.0.1',
    user: OWNER,
    method: 'GET',
    path: '/v4/users',
    query: ['deleted', 'tz'],
    status: 200,
    ms: expect.any(Number),
  });
});

it('says how long a request took: a wrong password is worked out for a while', async () => {
  await server.ask('GET', '/v4/me', { user: 'slow-user', password: 'x' });
  await expect.poll(() => last().path).toBe('/v4/me');
  expect(last().ms).toBeGreaterThan(0);
});

it('names nobody who is not known', async () => {
  await server.ask('GET', '/v4/me', { user: 'canary-user', password: 'x' });
  await expect.poll(() => last().path).toBe('/v4/me');
  expect(last()).toMatchObject({ user: null, status: 401 });
});

it('steers no terminal with the text of an error', () => {
  const lines: string[] = [];
  logDefect((line) => lines.push(line), new Date(0), 'x', new Error('\u009b31m\u009d0;t\u009c\u202e'));
  expect(lines.join('\n')).not.toMatch(/[\u007f-\u009f\u202e]/);
  expect(JSON.parse(lines[0] ?? '').error).toContain('\u009b31m\u009d0;t\u009c\u202e');
});

it('notes what never became a request', async () => {
  await server.ask('GET', '/', { headers: { x: 'a'.repeat(17_000) } });
  await expect.poll(() => last().status).toBe(431);
});

it('holds no secret, whatever is asked', async () => {
  const canary = 'Canary-9f2e';
  const quiet = await newServer();
  const type = 'application/json';
  const authorization = basic(OWNER, `{SessionToken}${canary}`);
  const body = JSON.stringify({ UserName: canary, Password: canary });
  await quiet.ask('POST', '/v4/login', { type, body });
  await quiet.ask('GET', `/v4/me?tz=${canary}&${canary}`, { user: canary, password: canary });
  await quiet.asAda('GET', `/v4/me?tz=${canary}&${canary}`);
  await quiet.ask('GET', '/v4/me', { headers: { authorization, cookie: canary, 'x-request-id': canary } });
  await quiet.asAda('POST', '/v4/departments', { type, body: await departmentBody(quiet, { Name: canary }) });
  await quiet.close();
  await quiet.engine.end();
  expect(quiet.lines.length).toBe(6);
  const all = quiet.lines.join('\n');
  for (const secret of [canary, PASSWORD])
    for (const form of [secret, Buffer.from(secret).toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)])
      expect(all).not.toContain(form);
});

it('has lines of JSON only', async () => {
  await server.ask('GET', '/"\\%0a%1b[31m');
  await nextTurn();
  for (const line of server.lines) {
    expect(line).not.toMatch(/[\n\x1b]/);
    expect(JSON.parse(line)).toBeTypeOf('object');
  }
});

it('is written once for each turn of the event loop, and at the latest when it is flushed', async () => {
  const written: string[] = [];
  const lines = batchedLog((text) => written.push(text));
  for (const line of ['one', 'two']) lines.log(line);
  expect(written).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  lines.log('three');
  lines.flush();
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toEqual(['one\ntwo', 'three']);
});
