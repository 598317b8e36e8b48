// One process runs a job at a time, and nobody waits for one that is dead.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { withLock } from '../../src/changes/jobs/access.ts';
import type { LockOwner } from '../../src/contract/jobs.ts';
import { thisProcess } from '../../src/files/processes.ts';
import { refuses } from '../support/refuses.ts';
import { JOB, journalAt, journalFile, newJob, rowsOf } from './job-fixture.ts';

const HOST = hostname();
const MINE = { pid: process.pid, host: HOST };
/** The process that started this one: it lives, and is not this one. */
const OTHERS = { pid: process.ppid, host: HOST };
const FAR = { pid: 7, host: 'server' };

async function aJob() {
  const jobs = await journalAt(journalFile());
  await jobs.begin(newJob());
  return jobs;
}

function deadProcess(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

it('is refused to a second process, which is told who runs it', async () => {
  const jobs = await aJob();
  await jobs.lock(JOB, OTHERS);
  const error = await refuses(jobs.lock(JOB, MINE)).with('busy', JOB, `process ${OTHERS.pid}`, '--takeover');
  expect(error.exit).toBe(10);
});

it('is given again to the process that has it', async () => {
  const jobs = await aJob();
  await jobs.lock(JOB, MINE);
  await jobs.lock(JOB, MINE);
  await refuses(jobs.lock(JOB, FAR)).with('busy', `process ${MINE.pid}`);
});

it('is taken over from a process that is dead', async () => {
  const jobs = await aJob();
  await jobs.lock(JOB, { pid: deadProcess(), host: HOST });
  await jobs.lock(JOB, MINE);
  await refuses(jobs.lock(JOB, FAR)).with('busy', `process ${MINE.pid}`);
});

it('is not taken from a process of another host, which cannot be seen, unless somebody says so', async () => {
  const jobs = await aJob();
  await jobs.lock(JOB, { ...FAR, pid: deadProcess() });
  await refuses(jobs.lock(JOB, MINE)).with('busy', 'on server', `pm jobs resume ${JOB} --takeover`);
  await jobs.lock(JOB, MINE, { takeover: true });
  await refuses(jobs.lock(JOB, FAR)).with('busy', `process ${MINE.pid}`);
});

it('is free when its holder lets go, and only then', async () => {
  const jobs = await aJob();
  await jobs.lock(JOB, OTHERS);
  await jobs.release(JOB, MINE);
  await refuses(jobs.lock(JOB, MINE)).with('busy');
  await jobs.release(JOB, OTHERS);
  await jobs.lock(JOB, MINE);
});

it('is its planner’s from the begin on', async () => {
  const jobs = await journalAt(journalFile());
  await jobs.begin(newJob(), OTHERS);
  await refuses(jobs.lock(JOB, MINE)).with('busy', JOB, `process ${OTHERS.pid}`);
  await refuses(jobs.begin(newJob(), MINE)).with('busy', JOB, `process ${OTHERS.pid}`);
});

it('is begun anew where it never ran and its planner is dead', async () => {
  const jobs = await journalAt(journalFile());
  await jobs.begin(newJob(), { pid: deadProcess(), host: HOST });
  await jobs.plan(JOB, rowsOf(1, 3));
  await jobs.begin(newJob(), MINE);
  expect(await jobs.head(JOB)).toMatchObject({ state: 'planning', total: 0, counts: {} });
  await jobs.plan(JOB, rowsOf(1, 2));
  await jobs.start(JOB, {});
  await refuses(jobs.begin(newJob(), MINE)).with('conflict', 'has run already');
});

it('that cannot be released hides nothing of what became of the work', async () => {
  const jobs = await aJob();
  const onFullDisk = { ...jobs, release: () => Promise.reject(new Error('no room')) };
  const failing = () => Promise.reject(new Error('4 of 9 rows are done'));
  await expect(withLock(onFullDisk, JOB, { owner: MINE }, failing)).rejects.toThrow('4 of 9 rows are done');
  expect(await withLock(onFullDisk, JOB, { owner: MINE }, async () => 'done')).toBe('done');
});

/** The process that started this one, as the system tells of it; with something else in its place. */
function parentWith(otherwise: { readonly boot?: string; readonly pids?: string; readonly began?: string }): LockOwner {
  const [, boot, pids] = thisProcess().host.split(' ');
  const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
  const began = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return { ...OTHERS, host: [HOST, ...Object.values({ boot, pids, began, ...otherwise })].join(' ') };
}

describe.runIf(process.platform === 'linux')('of its holder is known what no other process has', () => {
  it('who runs is named, and how to stop it', async () => {
    const jobs = await aJob();
    await jobs.lock(JOB, parentWith({}));
    const error = await refuses(jobs.lock(JOB, thisProcess())).with('busy', `process ${OTHERS.pid}`);
    expect(error.hint).toContain(`kill ${OTHERS.pid}`);
  });

  it('another process that has its number by now is left alone, and the job is free', async () => {
    const jobs = await aJob();
    await jobs.lock(JOB, parentWith({ began: '1' }));
    await jobs.lock(JOB, thisProcess());
  });

  it('after a new start of the machine the job of a file is free', async () => {
    const jobs = await aJob();
    await jobs.lock(JOB, parentWith({ boot: 'earlier' }));
    await jobs.lock(JOB, thisProcess());
  });

  it('in another container of this host name it cannot be seen, and nobody is told to stop a process', async () => {
    const jobs = await aJob();
    await jobs.lock(JOB, { ...parentWith({ pids: 'pid:[7]' }), pid: deadProcess() });
    const error = await refuses(jobs.lock(JOB, thisProcess())).with('busy', `on ${HOST}`, '--takeover');
    expect(error.hint).toBe('pm cannot see from here whether it still runs.');
  });

  it('without that a process is not said to be the holder for certain', async () => {
    const jobs = await aJob();
    await jobs.lock(JOB, OTHERS);
    const error = await refuses(jobs.lock(JOB, thisProcess())).with('busy', `process ${OTHERS.pid}`);
    expect(error.hint).toBe('Wait until it ends.');
  });
});
