// A server that is killed: what it had acknowledged is there afterwards, and once.
import { rmSync } from 'node:fs';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inLong } from '../support/long.ts';
import { PASSWORD, servedHome } from '../support/served-home.ts';
import { type ServerProcess, serveProcess } from '../support/server-process.ts';
import { PM } from '../support/terminal.ts';
import { basic } from './served.ts';

const COUNT = inLong(120, 1000);
const USER = 'admin';

let home = '';
let server: ServerProcess | undefined;
const agent = new Agent({ connections: 32 });

beforeAll(async () => {
  home = await servedHome();
});
afterAll(async () => {
  await server?.kill('SIGKILL');
  await agent.close();
  rmSync(home, { recursive: true, force: true });
});

it('keeps every record it acknowledged, and takes the others when they are sent again', async () => {
  server = await serveProcess(PM, home, USER);
  const me = (await ask(server.url, 'GET', '/v4/me')) as { ID: string };
  const bodies = Array.from({ length: COUNT }, (_, n) => bodyOf(me.ID, n));

  const acknowledged = await killedAfter(server, bodies, COUNT / 3);
  expect(acknowledged.length).toBeGreaterThanOrEqual(COUNT / 3);
  expect(acknowledged.length).toBeLessThan(COUNT);

  server = await serveProcess(PM, home, USER);
  const { url } = server;
  const kept = await names(url);
  expect(new Set(kept).size).toBe(kept.length);
  expect(acknowledged.filter((name) => !kept.includes(name))).toEqual([]);

  await Promise.all(bodies.map((body) => create(url, body)));
  expect([...(await names(url))].sort()).toEqual(bodies.map(({ Name }) => Name).sort());
});

type Body = ReturnType<typeof bodyOf>;

const bodyOf = (owner: string, n: number) => ({
  ID: crypto.randomUUID(),
  AncestorID: owner,
  Rank: n,
  Name: `Promise ${n}`,
  Description: 'What it means',
});

/** Sends all at once and kills the server when so many were acknowledged; answers the names of those that were. */
async function killedAfter(server: ServerProcess, bodies: readonly Body[], enough: number): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  let killed: Promise<void> | undefined;
  const send = async (body: Body): Promise<void> => {
    await create(server.url, body);
    acknowledged.push(body.Name);
    if (acknowledged.length >= enough) killed ??= server.kill('SIGKILL');
  };
  await Promise.allSettled(bodies.map(send));
  await killed;
  return acknowledged;
}

const create = (url: string, body: Body): Promise<unknown> => ask(url, 'POST', '/v4/accountabilities', body);

const names = async (url: string): Promise<readonly string[]> =>
  ((await ask(url, 'GET', '/v4/me/accountabilities?deleted=2')) as readonly Body[]).map(({ Name }) => Name);

async function ask(url: string, method: 'GET' | 'POST', path: string, body?: Body): Promise<unknown> {
  const answer = await request(`${url}${path}`, {
    dispatcher: agent,
    method,
    headers: { authorization: basic(USER, PASSWORD), 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const said = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${said}`);
  return JSON.parse(said);
}
