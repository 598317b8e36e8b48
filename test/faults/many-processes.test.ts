// Many programs on one database, and two on one job: nobody sees an error that is none, and no job runs twice at once.
// The floor: 2 seconds of writing; the long run: a minute.
import { once } from 'node:events';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inLong } from '../support/long.ts';
import { pmIn } from '../support/pm.ts';
import { programIn } from '../support/program.ts';
import { spawned, spawnPm } from '../support/terminal.ts';
import { listening } from './acknowledging.ts';
import { made, plannedIn, usingGround, wanted } from './ground.ts';
import { CONCURRENCY, sending, usingService } from './service.ts';

const LANES = 4;
const SECONDS = inLong(2, 60);
const ground = usingGround();
const service = usingService();

/** For so many seconds makes colors and says each ID, or counts them and says how many there are. */
const PROGRAM = `
  import { contract, resources } from './src/contract/index.ts';
  import { computedFields, openEngine } from './src/engine/index.ts';
  import { openSqlite } from './src/engine/store/sqlite/store.ts';
  const [what = '', file = ''] = process.argv.slice(2);
  const parts = { clock: () => new Date(), newID: () => crypto.randomUUID(), owner: 'admin' };
  const store = await openSqlite({ file, resources, computed: computedFields });
  const session = await openEngine({ ...parts, store }).open({ user: 'admin' });
  const { create, list } = contract.color.operations;
  const body = { SiteID: session.me.site, Rank: 10, Code: 'ff0000' };
  const write = async (n) => (await session.call(create, { body: { ...body, Name: 'new ' + process.pid + ' ' + n } })).ID;
  const read = async () => {
    let count = 0;
    for await (const _color of session.list(list, { by: 'plain' })) count++;
    return count;
  };
  const until = Date.now() + ${SECONDS * 1000};
  for (let n = 0; Date.now() < until; n++) process.stdout.write((await (what === 'write' ? write(n) : read())) + '\\n');
  await store.close();
`;

const JOB_HOLDER = `
  import { resources } from './src/contract/index.ts';
  import { computedFields } from './src/engine/index.ts';
  import { openSqlite } from './src/engine/store/sqlite/store.ts';
  const [file = '', job = '', host = ''] = process.argv.slice(2);
  const store = await openSqlite({ file, resources, computed: computedFields });
  await store.jobs.lock(job, { pid: process.pid, host });
  process.stdout.write('locked\\n');
  setInterval(() => undefined, 1000);
`;

it(`${LANES} writers and ${LANES} readers for ${SECONDS} seconds: no error, and every number is given once`, async () => {
  const home = ground.home();
  const program = await programIn(ground.root, PROGRAM);
  const each = (what: string) =>
    Array.from({ length: LANES }, () => spawned(process.execPath, [program, what, join(home, 'local.db')], home));
  const [writers, readers] = await Promise.all([Promise.all(each('write')), Promise.all(each('read'))]);
  const numbers = ({ out }: { readonly out: string }): number[] => out.trim().split('\n').map(Number);
  expect([...writers, ...readers].map(({ exit, err }) => ({ exit, err }))).toEqual(
    [...writers, ...readers].map(() => ({ exit: 0, err: '' })),
  );
  const given = writers.flatMap(numbers).sort((a, b) => a - b);
  expect(given).toEqual(given.map((_, at) => (given[0] ?? 0) + at));
  expect(made(home)).toHaveLength(given.length);
  for (const counts of readers.map(numbers)) expect(counts).toEqual(counts.toSorted((a, b) => a - b));
});

it('a job that another pm has is refused, with its process; after a kill it is taken over', async () => {
  const home = ground.home();
  const job = await plannedIn(home, 50);
  const holder = listening(await programIn(ground.root, JOB_HOLDER), join(home, 'local.db'), job, hostname());
  await holder.heard(1);
  const { exit, err } = await spawnPm(['jobs', 'resume', job], home);
  expect(exit).toBe(10);
  expect(err).toContain(`process ${holder.child.pid}`);
  expect(made(home)).toEqual([]);
  await holder.kill();
  expect((await spawnPm(['jobs', 'resume', job], home)).exit).toBe(0);
  expect(made(home)).toEqual(wanted(50));
});

it('a job on a remote service likewise, in the middle of its run', async () => {
  const visitor = await service.visitor();
  const names = service.names(40);
  service.line.fails('a stall before the request', 5, true);
  const enough = service.line.when(6);
  const holder = visitor.begins([...sending(visitor.file(names)), '--timeout', '60']);
  await enough;
  const resume = ['jobs', 'resume', await visitor.job(), '-p', 'prod'];
  service.line.heals();
  await visitor.pm(resume).fails(10, `process ${holder.pid}`);
  const gone = once(holder, 'exit');
  holder.kill('SIGKILL');
  await gone;
  expect(await visitor.open()).toBeLessThanOrEqual(2 * CONCURRENCY);
  await service.settled(visitor, names);
});

it('a job whose holder is on another machine waits for --takeover', async () => {
  const home = ground.home();
  const job = await plannedIn(home, 5);
  const holder = listening(await programIn(ground.root, JOB_HOLDER), join(home, 'local.db'), job, 'elsewhere');
  await holder.heard(1);
  await holder.kill();
  const pm = pmIn(() => home);
  await pm(['jobs', 'resume', job]).fails(10, 'elsewhere', '--takeover');
  await pm(['jobs', 'resume', job, '--takeover']).prints();
  expect(made(home)).toEqual(wanted(5));
});
