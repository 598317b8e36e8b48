// pm apply through a bad line, killed while a request waits for its answer: the job goes on with all files, and
// nothing is lost or made twice, on a service that keeps the IDs of new records and on one that gives its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openServing } from '../../src/cli/serving.ts';
import type { Backend } from '../../src/contract/call.ts';
import { openServer } from '../../src/server/index.ts';
import { company } from '../cli/company.ts';
import { faultyProxy } from '../support/faults.ts';
import { ignoringIDs } from '../support/ignoring-ids.ts';
import { isLong } from '../support/long.ts';
import { NOW, pmIn } from '../support/pm.ts';
import { FILES, siteFolder, UNDOABLE } from '../support/site-folder.ts';
import { PM } from '../support/terminal.ts';
import { usingGround } from './ground.ts';

const PASSWORD = 'Correct-horse-1';
const ROWS = Object.values(FILES).reduce((sum, lines) => sum + lines.length - 1, 0);
const env = { PM_PASSWORD: PASSWORD, PM_RETRIES: '0', PM_CONCURRENCY: '1' };
const ground = usingGround(async (pm) => {
  await company(pm);
  await pm('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

/** A service of its own behind a bad line, and somebody who imports through that. */
async function aVisitor(manner: (backend: Backend) => Backend) {
  const [there, here] = [ground.home(), ground.empty()];
  const serving = await openServing({ home: there, owner: 'admin', clock: () => NOW });
  const served = await openServer({ backend: manner(serving.backend), clock: () => NOW, log: () => undefined });
  const line = await faultyProxy(served.url);
  onTestFinished(async () => {
    await line.down();
    await served.close();
    await serving.close();
  });
  const pm = pmIn(() => here);
  await pm(`profiles add prod --url ${line.url} --user admin`).says('Added');
  return { line, here, service: pmIn(() => there), pm: (command: string) => pm(`${command} -p prod`, { env }) };
}

const countOf = (lines = ''): number => lines.split('\n').filter((line) => line !== '').length;

const manners: readonly (readonly [string, (backend: Backend) => Backend])[] = [
  ['keeps IDs', (backend) => backend],
  ['gives IDs', ignoringIDs],
];
/** The first new record shows whose IDs count: without its answer it stays unknown where the service gives them. */
const points = Array.from({ length: ROWS }, (_, row) => row).filter((row) => (isLong ? row > 0 : row % 8 === 1));

it.each(manners.flatMap(([name, manner]) => points.map((row) => ({ name, row, manner }))))(
  'a folder for a service that $name, killed behind $row rows',
  async ({ row, manner }) => {
    const { line, here, service, pm } = await aVisitor(manner);
    const held = (): Promise<readonly string[]> =>
      Promise.all(UNDOABLE.map(async (name) => service(`export ${name} --form ndjson`).prints()));
    const before = await held();
    const dir = siteFolder(join(here, 'site'), FILES);
    line.fails('a stall after the request', row);
    const sent = line.when(row + 1);
    const child = spawn(process.execPath, [PM, 'apply', dir, '--yes', '-p', 'prod'], {
      env: { ...env, PATH: process.env.PATH, PM_HOME: here, USER: 'admin' },
      stdio: 'ignore',
    });
    const gone = once(child, 'exit');
    await sent;
    child.kill('SIGKILL');
    await gone;
    line.heals();
    const [job] = await pm('jobs list -o json').rows();
    expect(job).toMatchObject({ Kind: 'import', Total: ROWS, Done: row });
    // Of records that keep their IDs the next one may have an intent, too.
    expect(manner === ignoringIDs ? [1] : [1, 2]).toContain(job?.Unknown);
    await pm(`jobs resume ${String(job?.ID)}`).prints('ended');
    const rows = await pm(`jobs show ${String(job?.ID)} --rows -o json`).rows();
    expect(rows.map(({ State }) => State)).toEqual(rows.map(() => 'done'));
    const added = (await held()).map((text, at) => countOf(text) - countOf(before[at]));
    expect(added).toEqual([2, 2, 3, 1, 1, 1, 1]);
    await pm(`undo ${String(job?.ID)} --yes`).prints();
    expect(await held()).toEqual(before);
  },
);
