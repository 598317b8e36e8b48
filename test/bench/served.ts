// P9 and P11: pm serve as a process of its own, asked over many connections.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { request } from 'undici';
import { contract } from '../../src/contract/index.ts';
import { type ServerProcess, serveProcess } from '../support/server-process.ts';
import { autocommitInserts } from './creates.ts';
import { type Line, rateLine, timesLine } from './line.ts';
import { bytesOf, load, type Sent } from './load.ts';
import { accountability, fill, newSite, type Site } from './site.ts';
import { medians, timed } from './timing.ts';

export const PASSWORD = 'Correct-horse-1';
const CONNECTIONS = 32;
const JSON_TYPE = 'application/json';
const SHARE = 0.6;

export interface Served {
  readonly site: Site;
  readonly server: ServerProcess;
  readonly authorization: string;
  readonly owner: string;
}

/** P9: new records, each durable before it is answered, against inserts that commit one by one. */
export const createsServed = (root: string): Promise<Line> =>
  onServer(root, async (served) => {
    const bare = await newSite();
    const count = 2000;
    const insert = await autocommitInserts(bare, count);
    try {
      const time = await medians(7, {
        ours: () =>
          load(
            served.server.url,
            newBodies(served, count).map((body) => posted(served, body)),
            CONNECTIONS,
          ),
        limit: insert,
      });
      const what = `pm serve: POST create, ${CONNECTIONS} connections`;
      return rateLine({ row: 'P9', what, count, goal: SHARE, ...time });
    } finally {
      await bare.end();
    }
  });

/** P11: a long list as XML, against the same as JSON. */
export const listsServed = (root: string): Promise<Line> =>
  onServer(root, async (served) => {
    const count = 10_000;
    const id = await oneRecord(served);
    await fill(served.site, 'accountability', id, count - 1, (n) => ({ Rank: n % 1000 }));
    const list = (accept: string) => () =>
      timed(async () => {
        const headers = { ...headersOf(served), accept };
        const answer = await request(`${served.server.url}/v4/me/accountabilities`, { headers });
        await answer.body.arrayBuffer();
        if (answer.statusCode !== 200) throw new Error(`the list is ${answer.statusCode}`);
      });
    const time = await medians(11, { ours: list('application/xml'), limit: list(JSON_TYPE) });
    const what = `pm serve: list as XML, ${count.toLocaleString('en')} rows`;
    return timesLine({ row: 'P11', what, goal: 3, ...time });
  });

/** Measures on a site that is served by a process of its own. */
export async function onServer<T>(
  root: string,
  measure: (served: Served) => Promise<T>,
  database?: string,
): Promise<T> {
  const site = await newSite(database);
  try {
    const { session, home, user } = site;
    const { setPassword } = contract.individual.operations;
    await session.call(setPassword, { body: { Individual: session.me.id, Password: PASSWORD } });
    const server = await serveProcess(join(root, 'bin/pm.js'), home, user, ...site.flags);
    const authorization = `Basic ${Buffer.from(`${user}:${PASSWORD}`).toString('base64')}`;
    try {
      return await measure({ site, server, authorization, owner: session.me.id });
    } finally {
      await server.kill('SIGKILL');
    }
  } finally {
    await site.end();
  }
}

export const headersOf = ({ authorization }: Served): Sent['headers'] => ({
  authorization,
  accept: JSON_TYPE,
  'content-type': JSON_TYPE,
});

export async function oneRecord({ site: { session }, owner }: Served): Promise<string> {
  const made = await session.call(contract.accountability.operations.create, { body: accountability(owner, 0) });
  return String(made.ID);
}

type Body = Readonly<Record<string, unknown>>;

export const newBodies = ({ owner }: Served, count: number): readonly Body[] =>
  Array.from({ length: count }, (_, n) => ({ ID: randomUUID(), ...accountability(owner, n) }));

export const PATH = '/v4/accountabilities';

export const posted = (served: Served, body: Body): Buffer =>
  bytesOf(served.server.url, { method: 'POST', path: PATH, headers: headersOf(served), body: JSON.stringify(body) });
