// pm jobs resume and retry: only what somebody agreed to is done, and by one process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openServing } from '../../src/cli/serving.ts';
import type { Session } from '../../src/contract/call.ts';
import type { JobStore } from '../../src/contract/jobs.ts';
import { made, plannedIn, wanted } from '../faults/ground.ts';
import { head } from '../support/job.ts';
import { NOW, usingPm } from '../support/pm.ts';

const pm = usingPm();
const ROWS = 3;
const unagreed = (settings = {}): Promise<string> => plannedIn(pm.home, ROWS, settings);

/** Works on the journal past the program. */
async function withJobs(work: (jobs: JobStore, session: Session) => Promise<unknown>): Promise<void> {
  const { backend } = await openServing({ home: pm.home, owner: 'admin', clock: () => NOW });
  const session = await backend.open({ user: 'admin' });
  if (session.local) await work(session.local.jobs, session);
  await backend.close();
}

it('asks for a job that nobody agreed to, as its command did', async () => {
  const job = await unagreed();
  const { err } = await pm.refuses(['jobs', 'resume', job], 12, '3 changes need a confirmation', '--yes');
  expect(err).toContain('▲ local as admin – 3 creates\nerror: 3 changes need a confirmation');
  await pm.refuses(['jobs', 'resume', job, '--confirm', 'local:4'], 12, 'this change is local:3');
  expect(made(pm.home)).toEqual([]);
  await pm(['jobs', 'resume', job, '--yes']).prints('ended');
  expect(made(pm.home)).toEqual(wanted(ROWS));
  await pm(['jobs', 'resume', job]).says('. There is nothing left to do.');
});

it('is what to do about one of which no row is done, which an undo cannot take back', async () => {
  const job = await plannedIn(pm.home, ROWS);
  await withJobs((jobs) => jobs.start(job, { agreed: true }));
  await pm.refuses(['undo', job, '--yes'], 7, 'changed nothing: 3 pending', `To go on with it: pm jobs resume ${job}`);
});

it('shows with -n what it would do, and does nothing', async () => {
  await pm(['jobs', 'resume', await unagreed(), '-n']).says('3 creates (dry run: nothing is changed)');
  expect(made(pm.home)).toEqual([]);
});

it('does not try again what nobody agreed to', async () => {
  const job = await unagreed();
  await pm.refuses(['jobs', 'retry', job], 7, 'is not confirmed yet', `pm jobs resume ${job}`);
});

it('asks for nothing once it was agreed to', async () => {
  const job = await plannedIn(pm.home, ROWS);
  await pm(['jobs', 'resume', job]).prints('ended');
  expect(made(pm.home)).toEqual(wanted(ROWS));
});

it('says of a job that was killed while it was planned that nothing was done', async () => {
  const job = 'a0000000-0000-4000-8000-000000000001';
  await withJobs((jobs, session) => jobs.begin({ ...head(session, 'import'), profile: 'local', id: job }));
  for (const verb of ['resume', 'retry'])
    await pm.refuses(['jobs', verb, job, '--yes'], 7, 'it changed nothing', 'Run the command again.');
});

it('finds a job ended that was killed behind its last row', async () => {
  const job = await plannedIn(pm.home, ROWS);
  await withJobs(async (jobs) => {
    await jobs.start(job, { agreed: true });
    await jobs.mark(job, [{ from: 1, to: ROWS, state: 'done' }]);
  });
  expect(await pm(['jobs', 'show', job, '-o', 'json']).row()).toMatchObject({ State: 'ended', Done: ROWS });
  await pm(['jobs', 'resume', job]).says('There is nothing left to do.');
});

it('says of a job that has ended with rows that failed or were skipped how they are tried again', async () => {
  const job = await plannedIn(pm.home, ROWS);
  await withJobs(async (jobs) => {
    await jobs.start(job, { agreed: true });
    await jobs.mark(job, [
      { from: 1, to: 1, state: 'failed', result: { error: { code: 'conflict', message: 'is taken' } } },
      { from: 2, to: ROWS, state: 'skipped' },
    ]);
  });
  const { err } = await pm(['jobs', 'resume', job]).fails(3, `${ROWS} rows not done as planned. To try again: pm jobs`);
  await pm((/pm (jobs retry \S+)/.exec(err)?.[1] ?? '').split(' ')).prints('ended');
  expect(made(pm.home)).toEqual(wanted(ROWS));
});

it('says of a job whose rows met other values how they are done all the same', async () => {
  writeFileSync(join(pm.home, 'people.csv'), 'UserName,Suffix\nadmin,Dr\n');
  await pm('import individuals people.csv -n --out people.plan').prints();
  await pm('individuals update admin --suffix MD').prints();
  await pm('apply people.plan --yes').fails(7, 'has changed since the plan was made');
  const [job] = (await pm('jobs list --limit 1 -o json').rows()).map(({ Job }) => String(Job).slice(0, 8));
  for (const verb of ['resume', 'retry'])
    await pm(['jobs', verb, String(job)]).fails(
      7,
      `1 row not done as planned. To do so anyway: pm jobs retry ${job} --on-drift overwrite`,
    );
});

it('leaves a job to the process that has it, and so does an undo, with a name or without', async () => {
  const job = await plannedIn(pm.home, ROWS);
  await pm(['jobs', 'resume', job]).prints();
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(other, 'spawn');
  await withJobs((jobs) => jobs.lock(job, { pid: other.pid ?? 0, host: hostname() }));
  const holder = `process ${other.pid}`;
  for (const line of [`jobs resume ${job}`, `jobs retry ${job}`, `undo ${job} --yes`])
    await pm.refuses(line, 10, holder);
  await pm.refuses('undo --yes', 10, 'the newest job, import, is running', holder, 'name another one. pm jobs list');
  await withJobs((jobs) => jobs.mark(job, [{ from: ROWS, to: ROWS, state: 'intent' }]));
  await pm.refuses(`jobs prune ${job} --yes`, 10, holder);
  await pm.refuses(`jobs prune ${job} -n`, 10, holder);
  other.kill();
  await once(other, 'exit');
  await pm(`jobs prune ${job} --yes`).fails(9, 'pm does not know what became of 1 row');
  await withJobs((jobs) => jobs.mark(job, [{ from: ROWS, to: ROWS, state: 'done', result: { id: '7' } }]));
  await pm('undo --yes').prints();
  expect(made(pm.home)).toEqual([]);
});

it('says where the IDs of jobs are, if it is given none', async () => {
  await pm.refuses('jobs resume', 2, 'pm jobs resume needs <job>', 'pm jobs list shows them: pm jobs resume <ID');
});
