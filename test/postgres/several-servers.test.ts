// Several pm serve on one database: what one does the others know, and each is restarted without a request that fails.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic } from '../server/served.ts';
import { type Balancer, balancerFor } from '../support/balancer.ts';
import { pmIn } from '../support/pm.ts';
import { onDatabase, usingPostgres } from '../support/postgres.ts';
import { type ServerProcess, serverProcess } from '../support/server-process.ts';
import { PM } from '../support/terminal.ts';

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

describe('several pm serve on one database', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  const home = mkdtempSync(join(tmpdir(), 'pm-several-'));
  let address = '';
  /** Two servers by their URLs, which they keep when they are restarted. */
  const running = new Map<string, ServerProcess>();
  const urls = (): readonly [string, string] => [...running.keys()] as unknown as readonly [string, string];

  async function begin(port = '0'): Promise<void> {
    const args = [PM, 'serve', '--port', port, ...DRAIN];
    const one = await serverProcess(args, { PM_DATABASE: address, PM_HOME: home, USER: 'admin' });
    running.set(one.url, one);
  }

  beforeAll(async () => {
    address = await server().newDatabase();
    const line = 'passwd --new-password-stdin';
    await pmIn(() => home)(line, { stdin: PASSWORD, env: { PM_DATABASE: address } }).says('is set');
    await Promise.all([begin(), begin()]);
  });
  afterAll(async () => {
    await Promise.all([...running.values()].map((one) => one.kill('SIGKILL')));
    rmSync(home, { recursive: true, force: true });
  });

  it('are restarted one after the other without a request that fails', async () => {
    const all = urls();
    const balancer = await balancerFor(...all);
    const { SiteID } = (await ask(balancer.url, 'GET', '/v4/me')).json();
    const load = loadOn(balancer, { SiteID, Rank: 7, Code: 'ff7f50' });
    for (const one of all) {
      await load.more(100);
      await running.get(one)?.kill('SIGTERM');
      await balancer.untilReady(...all.filter((url) => url !== one));
      await load.more(100);
      await begin(new URL(one).port);
      await balancer.untilReady(...all);
    }
    await load.more(100);
    const { failed, made } = await load.end();
    expect(failed).toEqual([]);
    expect(made.length).toBeGreaterThan(100);
    const kept = await onDatabase(address, `SELECT "ID" FROM "color" WHERE "Name" LIKE 'new %'`);
    expect(kept.flat().sort()).toEqual(made.sort());
  });

  it('take the tokens that one of them has made, until the session ends at one of them', async () => {
    const [one, other] = urls();
    const body = { UserName: 'admin', Password: PASSWORD };
    const password = `{SessionToken}${String((await ask(one, 'POST', '/v4/login', { body })).json().Token)}`;
    for (const url of [one, other]) expect(await statusOf(url, 'GET', '/v4/me', { password })).toBe(200);
    expect(await statusOf(other, 'DELETE', '/v4/login', { password })).toBeLessThan(300);
    for (const url of [one, other]) expect(await statusOf(url, 'GET', '/v4/me', { password })).toBe(401);
  });

  it('refuse a password at once that another one has changed', async () => {
    const [one, other] = urls();
    const me = (await ask(other, 'GET', '/v4/me')).json();
    const body = { ...me, Password: 'Another-horse-2' };
    expect(await statusOf(one, 'PUT', `/v4/individuals/${String(me.ID)}`, { body })).toBe(200);
    expect(await statusOf(other, 'GET', '/v4/me')).toBe(401);
    expect(await statusOf(other, 'GET', '/v4/me', { password: body.Password })).toBe(200);
    const back = { password: body.Password, body: { ...me, Password: PASSWORD } };
    expect(await statusOf(other, 'PUT', `/v4/individuals/${String(me.ID)}`, back)).toBe(200);
    expect(await statusOf(one, 'GET', '/v4/me')).toBe(200);
  });

  it('are ready while the database answers, and again when it is back', async () => {
    for (const url of urls()) expect(await statusOf(url, 'GET', '/readyz')).toBe(200);
    server().kill();
    for (const url of urls()) {
      expect(await statusOf(url, 'GET', '/readyz')).toBe(503);
      expect(await statusOf(url, 'GET', '/healthz')).toBe(200);
    }
    server().start();
    for (const url of urls()) {
      while ((await statusOf(url, 'GET', '/readyz')) !== 200) {
        expect(await statusOf(url, 'GET', '/healthz')).toBe(200);
        await pause(50);
      }
      expect(await statusOf(url, 'GET', '/v4/me')).toBe(200);
    }
  });
});

/** Reads and makes colors, with hardly a pause. */
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
      await pause(10);
      if (answer.status >= 300) failed.push(`${answer.status} ${answer.text}`);
      else if (n % 2 === 0) made.push(String(answer.json().ID));
    }
  };
  const ended = Promise.all(Array.from({ length: 8 }, (_, line) => repeat(line)));
  return {
    async more(count: number) {
      const enough = answered + count;
      while (answered < enough && failed.length === 0) await pause(20);
    },
    async end() {
      isOver = true;
      await ended;
      return { failed, made };
    },
  };
}
