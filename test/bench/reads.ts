// P8: one record again and again from pm serve, against programs that do barely the same.
import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { contract } from '../../src/contract/index.ts';
import { driverFor } from '../../src/engine/store/sqlite/driver.ts';
import { type ServerProcess, serverProcess } from '../support/server-process.ts';
import { type Line, peerLine, rateLine } from './line.ts';
import { bytesOf, load, type Sent } from './load.ts';
import { headersOf, oneRecord, onServer, type Served } from './served.ts';
import { medians } from './timing.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
/** So long wrk asks in each round. */
const SECONDS = 3;
/** So many requests Node sends in each round. */
export const COUNT = 8000;
const SHARE = 0.6;

/** Where wrk is installed it puts on the load: a program on Node takes more of the machine than the server. */
export const reads = (root: string): Promise<readonly Line[]> =>
  onServer(root, async (served) => {
    const { site, server } = served;
    const id = await oneRecord(served);
    const sent: Sent = { method: 'GET', path: `/v4/accountabilities/${id}`, headers: headersOf(served) };
    const text = await (await fetch(`${server.url}${sent.path}`, { headers: sent.headers })).text();
    const driver = driverFor(process.versions);
    const bare = join(root, 'test/bench/bare-server.js');
    const row = [site.file, columns(), served.authorization, site.session.me.site];
    const others = await Promise.all([
      serverProcess([bare, 'row', driver, ...row]),
      serverProcess([bare, 'constant', driver, text]),
    ]);
    try {
      return await measured(sent, served, others);
    } finally {
      await Promise.all(others.map((one) => one.kill('SIGTERM')));
    }
  });

async function measured(sent: Sent, { server }: Served, others: readonly ServerProcess[]): Promise<readonly Line[]> {
  const [row, constant] = others.map(({ url }) => url) as [string, string];
  const ask = (url: string) => () => askedByAny(url, sent);
  const time = await medians(ROUNDS, { one: ask(server.url), row: ask(row), constant: ask(constant) });
  const how = `${CONNECTIONS} connections by ${hasWrk() ? 'wrk' : 'Node'}`;
  const shared = { row: 'P8', count: COUNT };
  return [
    rateLine({ ...shared, what: `pm serve: GET one record, ${how}`, goal: SHARE, ours: time.one, limit: time.row }),
    peerLine({ ...shared, what: 'Fastify that answers constant bytes', time: time.constant }),
  ];
}

/** The members of the answer, as SQL names them. */
const columns = (): string =>
  Object.keys(contract.accountability.fields)
    .map((name) => `"${name}"`)
    .join(', ');

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    // wrk tells its version with an exit code of its own.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

const hasWrk = (): boolean => isInstalled('wrk');

/** The milliseconds of so many requests. */
export const askedByAny = (url: string, sent: Sent): Promise<number> =>
  hasWrk() ? byWrk(url, sent) : byNode(url, sent);

async function byWrk(url: string, { path, headers }: Sent): Promise<number> {
  const words = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, ...words, `${url}${path}`];
  const { stdout } = await promisify(execFile)('wrk', args);
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (!(rate > 0) || /Non-2xx/.test(stdout)) throw new Error(stdout);
  return (COUNT / rate) * 1000;
}

const byNode = (url: string, sent: Sent): Promise<number> =>
  load(url, Array<Buffer>(COUNT).fill(bytesOf(url, sent)), CONNECTIONS);
