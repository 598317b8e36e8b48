// Whoever leaves lists before their end leaves nothing behind in pm serve: no connection of the database, no open file, and
// no change without its line in the access log. npm run test:nodes runs it on other versions of Node.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic } from '../server/served.ts';
import { pmIn } from '../support/pm.ts';
import { onDatabase, usingPostgres } from '../support/postgres.ts';
import { PASSWORD } from '../support/served-home.ts';
import { type ServerProcess, serverProcess } from '../support/server-process.ts';
import { PM } from '../support/terminal.ts';

/** Three pages of PostgreSQL and one row, of which each page is more than the buffers of a connection hold. */
const ROWS = 1_501;
const TEXT = 'x'.repeat(10_000);
const LIST = 'GET /v4/me/accountabilities';
/** As many as there are connections for lists, and one more. */
const TIMES = 5;
const PIPELINED = 5;
/** Idle connections of a pool, and the files of SQLite's readers, are kept for the next requests. */
const KEPT = 14;

/** Stands once in each row of the list. */
const ROW = '"Name":"No ';

interface Served {
  readonly server: ServerProcess;
  /** The IDs of colors that nothing names. */
  readonly colors: readonly string[];
  /** How often the access log has this so far. */
  logged(text: string): number;
  /** Sends requests on one connection, and reads so many rows of their answers. */
  begin(requests: readonly string[], rows: number): Promise<Socket>;
  ask(request: string): Promise<{ readonly status: number; readonly text: string }>;
}

/** Serves a long list of the administrator's, and some colors, from a new database. */
async function served(home: string, more: Readonly<Record<string, string>>): Promise<Served> {
  const env = { ...more, PM_HOME: home, USER: 'admin' };
  const pm = pmIn(() => home);
  const write = (file: string, head: string, count: number, row: (n: number) => string): void =>
    writeFileSync(join(home, file), `${[head, ...Array.from({ length: count }, (_, i) => row(i + 1))].join('\n')}\n`);
  await pm('passwd --new-password-stdin', { stdin: PASSWORD, env: more }).says('is set');
  write('long.csv', 'Name,Rank,Description,AncestorID', ROWS, (n) => `No ${n},${n},${TEXT},admin`);
  write('colors.csv', 'Name,Rank,Code', 2 * TIMES, (n) => `To go ${n},${n},00ff00`);
  for (const file of ['accountabilities long.csv', 'colors colors.csv'])
    await pm(`import ${file} --mode create --yes`, { env: more, cwd: home });
  const colors = (await pm(`colors list -o json`, { env: more }).rows()).filter(({ Name }) =>
    /^To go/.test(String(Name)),
  );
  let log = '';
  const server = await serverProcess([PM, 'serve', '--port', '0'], env, (text) => {
    log += text;
  });
  const { hostname, port } = new URL(server.url);
  const authorization = basic('admin', PASSWORD);
  return {
    server,
    colors: colors.map(({ ID }) => String(ID)),
    logged: (text) => log.split(text).length - 1,
    async begin(requests, rows) {
      const client = connect(Number(port), hostname).on('error', () => undefined);
      const head = `HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`;
      await new Promise((sent) => client.write(requests.map((request) => `${request} ${head}`).join(''), sent));
      let [left, text] = [rows, ''];
      while (left > 0) {
        const [part] = await once(client.resume(), 'data');
        client.pause();
        text += String(part);
        left -= text.split(ROW).length - 1;
        text = text.slice(text.lastIndexOf(ROW) + 1).slice(-ROW.length);
      }
      return client;
    },
    async ask(request) {
      const [method = '', path] = request.split(' ');
      const answer = await fetch(`${server.url}${path}`, { method, headers: { authorization } });
      return { status: answer.status, text: await answer.text() };
    },
  };
}

/** `inUse`: the connections of the database that a transaction holds. */
function leavesNothing(env: () => Promise<Readonly<Record<string, string>>>, inUse: () => Promise<unknown>): void {
  const home = mkdtempSync(join(tmpdir(), 'pm-leaving-'));
  let at: Served;
  const openFiles = (): number => readdirSync(`/proc/${at.server.pid}/fd`).length;
  beforeAll(async () => {
    at = await served(home, await env());
  });
  afterAll(async () => {
    await at?.server.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });

  const leave = async (requests: readonly string[], count: number): Promise<unknown> =>
    (await at.begin(requests, count)).destroy();

  /** Runs `work` as often as there are connections, and once more; afterwards all is as it was before. */
  async function repeated(work: (time: number) => Promise<unknown>): Promise<void> {
    const before = openFiles();
    for (let time = 0; time < TIMES; time++) await work(time);
    await expect.poll(openFiles, { timeout: 60_000 }).toBeLessThanOrEqual(before + KEPT);
    await expect.poll(inUse, { timeout: 60_000 }).toBe(0);
  }

  it.each([1, 500, 501])('after %i rows of a list', async (count) => {
    const before = at.logged('"cut":true');
    await repeated(() => leave([LIST], count));
    await expect.poll(() => at.logged('"cut":true'), { timeout: 60_000 }).toBe(before + TIMES);
  });

  it('before the first row of a list', () => repeated(() => leave([LIST], 0)));

  it('while more lists wait on the same connection', () =>
    repeated(() => leave(Array<string>(PIPELINED).fill(LIST), 1)));

  it('while changes wait behind a list, or were made before it: each that was made is logged', async () => {
    const [behind, before] = [at.colors.slice(TIMES), at.colors.slice(0, TIMES)];
    await repeated((time) => leave([LIST, `DELETE /v4/colors/${behind[time]}`], 1));
    await repeated((time) => leave([`DELETE /v4/colors/${before[time]}`, LIST], 1));
    const left = (await at.ask('GET /v4/colors')).text;
    const made = at.colors.filter((id) => !left.includes(`"ID":${id},`));
    expect(made).toEqual(expect.arrayContaining(before));
    const unlogged = () => made.filter((id) => at.logged(`"path":"/v4/colors/${id}"`) !== 1);
    await expect.poll(unlogged, { timeout: 60_000 }).toEqual([]);
  });

  it('also where nobody leaves: a list that is not read on gives its connection to others', async () => {
    const slow: Socket[] = [];
    for (let time = 1; time < TIMES; time++) slow.push(await at.begin([LIST], 1));
    expect((await at.ask(LIST)).status).toBe(200);
    await repeated(async (time) => slow[time]?.destroy());
  });

  it('and others are answered: all connections of a pool are back, and the server ends when it is told', async () => {
    const answers = await Promise.all(Array.from({ length: TIMES }, () => at.ask(LIST)));
    for (const { status, text } of answers) expect([status, JSON.parse(text).length]).toEqual([200, ROWS]);
    await at.server.kill('SIGTERM');
  });
}

describe('lists from a file that are left leave nothing behind,', () => {
  leavesNothing(
    async () => ({}),
    async () => 0,
  );
});

describe('lists from PostgreSQL that are left leave nothing behind,', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();
  let address = '';
  const used = `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()
    AND pid <> pg_backend_pid() AND state <> 'idle'`;
  leavesNothing(
    async () => {
      address = await server().newDatabase();
      return { PM_DATABASE: address };
    },
    async () => (await onDatabase(address, used))[0]?.[0],
  );
});
