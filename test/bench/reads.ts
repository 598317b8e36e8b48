// P8: one record again and again from pm serve, by one process and by two, against programs that do barely the same.
import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { contract } from '../../src/contract/index.ts';
import { driverFor } from '../../src/engine/store/sqlite/driver.ts';
import { type ServerProcess, serveProcess, serverProcess } from '../support/server-process.ts';
import { gainLine, type Line, peerLine, rateLine } from './line.ts';
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
const GAIN = 1.5;

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
      serveProcess(join(root, 'bin/pm.js'), site.home, site.user, '--workers', '2'),
      serverProcess([bare, 'row', driver, '1', ...row]),
      serverProcess([bare, 'row', driver, '2', ...row]),
      serverProcess([bare, 'constant', driver, '1', text]),
    ]);
    try {
      return await measured(sent, served, others);
    } finally {
      await Promise.all(others.map((one) => one.kill('SIGTERM')));
    }
  });

async function measured(sent: Sent, { server }: Served, others: readonly ServerProcess[]): Promise<readonly Line[]> {
  const [two, row, rows, constant] = others.map(({ url }) => url) as [string, string, string, string];
  const ask = (url: string) => () => askedByAny(url, sent);
  const contenders = { one: ask(server.url), two: ask(two), row: ask(row), rows: ask(rows), constant: ask(constant) };
  const time = await medians(ROUNDS, contenders);
  const how = `${CONNECTIONS} connections by ${hasWrk() ? 'wrk' : 'Node'}`;
  const shared = { row: 'P8', count: COUNT };
  return [
    rateLine({ ...shared, what: `pm serve: GET one record, ${how}`, goal: SHARE, ours: time.one, limit: time.row }),
    peerLine({ ...shared, what: 'Fastify that answers constant bytes', time: time.constant }),
    gainLine({ ...shared, what: 'pm serve --workers 2 against one', goal: GAIN, ours: time.two, limit: time.one }),
    gainLine({ ...shared, what: 'the bare program by two against one', ours: time.rows, limit: time.row }),
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
