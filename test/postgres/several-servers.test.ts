// Several pm serve on one database: what one does the others know, and each is restarted without a request that fails.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { basic } from '../server/served.ts';
import { type Balancer, balancerFor } from '../support/balancer.ts';
import { onDatabase, usingPostgres, whyNoPostgres } from '../support/postgres.ts';
import { type ServerProcess, serverProcess } from '../support/server-process.ts';
import { PM, spawned } from '../support/terminal.ts';

const PASSWORD = 'Correct-horse-1';
const DRAIN = ['--drain', '1'];

interface Asked {
  readonly password?: string;
  readonly body?: object;
}

async function ask(url: string, method: string, path: string, { password = PASSWORD, body }: Asked = {}) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: basic('admin', password), 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, text, json: (): Record<string, unknown> => JSON.parse(text) };
}

const statusOf = async (...asked: Parameters<typeof ask>): Promise<number> => (await ask(...asked)).status;

describe.skipIf(whyNoPostgres)(`several pm serve on one database ${whyNoPostgres ?? ''}`, () => {
  const { server } = usingPostgres();

  /** Servers on one database, in which admin has the password. */
  async function servedBy(count: number) {
    const home = mkdtempSync(join(tmpdir(), 'pm-several-'));
    const address = await server().newDatabase();
    const env = { PM_DATABASE: address };
    const set = await spawned(process.execPath, [PM, 'passwd', '--new-password-stdin'], home, PASSWORD, env);
    expect(set).toMatchObject({ exit: 0 });
    const running: ServerProcess[] = [];
    onTestFinished(async () => {
      await Promise.all(running.map((one) => one.kill('SIGKILL')));
      rmSync(home, { recursive: true, force: true });
    });
    const begin = async (port = '0'): Promise<ServerProcess> => {
      const one = await serverProcess([PM, 'serve', '--port', port, ...DRAIN], {
        ...env,
        PM_HOME: home,
        USER: 'admin',
      });
      running.push(one);
      return one;
    };
    return { address, begin, all: await Promise.all(Array.from({ length: count }, () => begin())) };
  }

  it('are restarted one after the other without a request that fails', async () => {
    const { address, begin, all } = await servedBy(2);
    const urls = all.map(({ url }) => url);
    const balancer = await balancerFor(...urls);
    const { SiteID } = (await ask(balancer.url, 'GET', '/v4/me')).json();
    const load = loadOn(balancer, { SiteID, Rank: 7, Code: 'ff7f50' });
    for (const one of all) {
      await load.more(100);
      await one.kill('SIGTERM');
      await balancer.untilReady(...urls.filter((url) => url !== one.url));
      await load.more(100);
      await begin(new URL(one.url).port);
      await balancer.untilReady(...urls);
    }
    await load.more(100);
    const { failed, made } = await load.end();
    expect(failed).toEqual([]);
    expect(made.length).toBeGreaterThan(100);
    const kept = await onDatabase(address, `SELECT "ID" FROM "color" WHERE "Name" LIKE 'new %'`);
    expect(kept.flat().sort()).toEqual(made.sort());
  });

  it('take the tokens that one of them has made, until the session ends at one of them', async () => {
    const { all } = await servedBy(2);
    const [one = '', other = ''] = all.map(({ url }) => url);
    const body = { UserName: 'admin', Password: PASSWORD };
    const password = `{SessionToken}${String((await ask(one, 'POST', '/v4/login', { body })).json().Token)}`;
    for (const url of [one, other]) expect(await statusOf(url, 'GET', '/v4/me', { password })).toBe(200);
    expect(await statusOf(other, 'DELETE', '/v4/login', { password })).toBeLessThan(300);
    for (const url of [one, other]) expect(await statusOf(url, 'GET', '/v4/me', { password })).toBe(401);
  });

  it('refuse a password at once that another one has changed', async () => {
    const { all } = await servedBy(2);
    const [one = '', other = ''] = all.map(({ url }) => url);
    const me = (await ask(other, 'GET', '/v4/me')).json();
    const body = { ...me, Password: 'Another-horse-2' };
    expect(await statusOf(one, 'PUT', `/v4/individuals/${String(me.ID)}`, { body })).toBe(200);
    expect(await statusOf(other, 'GET', '/v4/me')).toBe(401);
    expect(await statusOf(other, 'GET', '/v4/me', { password: body.Password })).toBe(200);
  });

  it('are ready while the database answers, and again when it is back', async () => {
    const { all } = await servedBy(1);
    const [url = ''] = all.map((one) => one.url);
    expect(await statusOf(url, 'GET', '/readyz')).toBe(200);
    server().kill();
    expect(await statusOf(url, 'GET', '/readyz')).toBe(503);
    expect(await statusOf(url, 'GET', '/healthz')).toBe(200);
    server().start();
    while ((await statusOf(url, 'GET', '/readyz')) !== 200) expect(await statusOf(url, 'GET', '/healthz')).toBe(200);
    expect(await statusOf(url, 'GET', '/v4/me')).toBe(200);
  });
});

/** Reads and makes colors without a pause. */
function loadOn(balancer: Balancer, color: object) {
  const failed: string[] = [];
  const made: string[] = [];
  let answered = 0;
  let isOver = false;
  const repeat = async (line: number): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const body = { ...color, Name: `new ${line} ${n}` };
      const answer =
        n % 2 === 0
          ? await ask(balancer.url, 'POST', '/v4/colors', { body })
          : await ask(balancer.url, 'GET', '/v4/me');
      answered++;
      if (answer.status >= 300) failed.push(`${answer.status} ${answer.text}`);
      else if (n % 2 === 0) made.push(String(answer.json().ID));
    }
  };
  const ended = Promise.all(Array.from({ length: 8 }, (_, line) => repeat(line)));
  return {
    async more(count: number) {
      const enough = answered + count;
      while (answered < enough && failed.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    async end() {
      isOver = true;
      await ended;
      return { failed, made };
    },
  };
}
