// Two pm serve on one file: each takes changes at the same time, and knows with the next request what the other one has changed.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, servedHome } from '../support/served-home.ts';
import { type ServerProcess, serveProcess } from '../support/server-process.ts';
import { PM } from '../support/terminal.ts';
import { askAt, type Member } from './served.ts';

const COUNT = 60;
const NEW = 'Another-horse-2';

let home = '';
const servers: ServerProcess[] = [];
beforeAll(async () => {
  home = await servedHome();
  servers.push(...(await Promise.all([0, 1].map(() => serveProcess(PM, home, 'admin')))));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill('SIGKILL')));
  rmSync(home, { recursive: true, force: true });
});

/** Asks one of both. */
const ask = (at: number, method: string, path: string, more: { password?: string; body?: Member } = {}) => {
  const { password = PASSWORD, body } = more;
  const sent = body ? { type: 'application/json', body: JSON.stringify(body) } : {};
  return askAt(servers[at]?.url ?? '', method, path, { user: 'admin', password, ...sent });
};

const statusOf = async (...asked: Parameters<typeof ask>): Promise<number> => (await ask(...asked)).status;

it('takes changes at each of them, none busy, and shows them at the other', async () => {
  const { ID: AncestorID } = (await ask(0, 'GET', '/v4/me')).json();
  const bodies = Array.from({ length: 2 * COUNT }, (_, n) => ({
    ...{ ID: crypto.randomUUID(), AncestorID, Rank: n, Name: `Promise ${n}`, Description: 'What it means' },
  }));
  const made = await Promise.all(bodies.map((body, n) => statusOf(n % 2, 'POST', '/v4/accountabilities', { body })));
  expect(made.filter((status) => status !== 200)).toEqual([]);
  const shown = await Promise.all(
    bodies.map(({ ID }, n) => statusOf(1 - (n % 2), 'GET', `/v4/accountabilities/${ID}`)),
  );
  expect(shown.filter((status) => status !== 200)).toEqual([]);
});

it('a password that is changed at one of them is refused by the other at once', async () => {
  const me = (await ask(0, 'GET', '/v4/me')).json();
  for (const [before, after] of [
    [PASSWORD, NEW],
    [NEW, PASSWORD],
  ] as const) {
    for (const at of [0, 1]) expect(await statusOf(at, 'GET', '/v4/me', { password: before })).toBe(200);
    const change = { password: before, body: { ...me, Password: after } };
    expect(await statusOf(0, 'PUT', `/v4/individuals/${String(me.ID)}`, change)).toBe(200);
    expect(await statusOf(1, 'GET', '/v4/me', { password: before })).toBe(401);
    expect(await statusOf(1, 'GET', '/v4/me', { password: after })).toBe(200);
  }
});

it('a session that begins at one of them holds at the other, until it ends there', async () => {
  const body = { UserName: 'admin', Password: PASSWORD };
  const password = `{SessionToken}${String((await ask(0, 'POST', '/v4/login', { body })).json().Token)}`;
  for (const at of [0, 1, 0]) expect(await statusOf(at, 'GET', '/v4/me', { password })).toBe(200);
  expect(await statusOf(1, 'DELETE', '/v4/login', { password })).toBeLessThan(300);
  for (const at of [0, 1]) expect(await statusOf(at, 'GET', '/v4/me', { password })).toBe(401);
});
