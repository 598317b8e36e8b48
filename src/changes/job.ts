// Runs the plan of a job, goes on after an interruption, and tries again what failed.
import { hostname } from 'node:os';
import type { Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import type { JobHead, JobRow, JobState, JobStore, NewJob, Owner, PlannedRow, RowState } from '../contract/jobs.ts';
import { inBatches, runBatch, runEmbedded } from './embedded-run.ts';
import { runRemote, settleRows } from './remote-run.ts';
import { isOfStorage, type Run, type RunOptions, type Stopped } from './run.ts';
import { exitOf, newTally, type Summary } from './tally.ts';

/** Writes a plan down, row by row; it is whole when this resolves. One that does not come to its end leaves no job behind. */
export async function planJob(
  jobs: JobStore,
  job: NewJob,
  rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>,
): Promise<void> {
  await jobs.begin(job);
  try {
    for await (const some of inBatches(rows, PLANNED_AT_ONCE)) await jobs.plan(job.id, some);
    await jobs.seal(job.id);
  } catch (error) {
    // Where the journal cannot even forget it, what came first is what there is to be said.
    await jobs.delete([job.id]).catch(() => undefined);
    throw error;
  }
}

/** Each commit waits for the disk. */
const PLANNED_AT_ONCE = 10_000;

/**
 * Runs a plan that has not run yet. Throws `not_found`; `busy` while another process has the job; `conflict` with the
 * outcome where it has run; `storage` and `disk_full` where the journal cannot be kept.
 */
export function runJob(session: Session, jobs: JobStore, id: string, options: RunOptions): Promise<Summary> {
  return holding(jobs, id, options, async (head) => {
    if (head.state !== 'planned') throw hasRun(head);
    return run(session, jobs, head, options, ['pending']);
  });
}

/** Goes on with a job that was stopped or killed: what was sent and not answered is settled first. Throws as `runJob`. */
export function resumeJob(session: Session, jobs: JobStore, id: string, options: RunOptions): Promise<Summary> {
  return holding(jobs, id, options, async (head) => {
    checkPlanned(head);
    const open: Run = { session, jobs, head, options, tally: newTally() };
    if (!session.local) await settleRows(open, jobs.rows(id, { states: ['intent', 'unknown'] }));
    return run(session, jobs, await known(jobs, id), options, ['pending']);
  });
}

/** Tries the rows again that failed or were not tried, and with `overwrite` those that had drifted. Throws as `runJob`. */
export function retryJob(session: Session, jobs: JobStore, id: string, options: RunOptions): Promise<Summary> {
  const again: readonly RowState[] = [
    'failed',
    'skipped',
    ...(options.onDrift === 'overwrite' ? ['drifted' as const] : []),
  ];
  return holding(jobs, id, options, async (head) => {
    checkPlanned(head);
    return run(session, jobs, head, options, [...again, 'pending']);
  });
}

/**
 * Plans and runs a few rows at once. On the embedded engine the plan, the changes and what became of them are one
 * transaction, and a single row that fails leaves nothing behind: its error is thrown.
 */
export async function runAtOnce(
  session: Session,
  jobs: JobStore,
  job: NewJob,
  rows: readonly PlannedRow[],
  options: RunOptions,
): Promise<Summary> {
  const { local } = session;
  if (rows.length > AT_ONCE) {
    await planJob(jobs, job, rows);
    return runJob(session, jobs, job.id, options);
  }
  return local
    ? local.transaction((inside) => insideOne(inside, job, rows, options))
    : journaledFirst(session, jobs, job, rows, options);
}

const AT_ONCE = 500;

/** What a journal is asked at the same time shares one commit, in the order in which it is asked. */
async function journaledFirst(
  session: Session,
  jobs: JobStore,
  job: NewJob,
  rows: readonly PlannedRow[],
  options: RunOptions,
): Promise<Summary> {
  const { id } = job;
  const { owner = thisProcess() } = options;
  const begun = [jobs.begin(job), jobs.plan(id, rows), jobs.seal(id), jobs.lock(id, owner), jobs.set(id, RUNNING)];
  await Promise.all(begun);
  try {
    return await going(session, jobs, await known(jobs, id), options, ['pending']);
  } finally {
    await jobs.release(id, owner);
  }
}

const RUNNING = { state: 'running' } as const;

async function insideOne(
  inside: Session,
  job: NewJob,
  rows: readonly PlannedRow[],
  options: RunOptions,
): Promise<Summary> {
  const jobs = inside.local?.jobs;
  if (!jobs) throw new Error('a transaction of the engine has its own doors');
  await planJob(jobs, job, rows);
  const open: Run = { session: inside, jobs, head: await known(jobs, job.id), options, tally: newTally() };
  let refusal: ServiceError | undefined;
  const onFailed: RunOptions['onFailed'] = (row, error) => {
    refusal = error;
    options.onFailed?.(row, error);
  };
  const pending = rows.map((row): JobRow => ({ ...row, state: 'pending' }));
  const stopped = await runBatch({ ...open, options: { ...options, onFailed } }, inside, pending);
  if (refusal && rows.length === 1) throw refusal;
  return ended(open, stopped);
}

async function run(
  session: Session,
  jobs: JobStore,
  head: JobHead,
  options: RunOptions,
  states: readonly RowState[],
): Promise<Summary> {
  await jobs.set(head.id, RUNNING);
  return going(session, jobs, head, options, states);
}

async function going(
  session: Session,
  jobs: JobStore,
  head: JobHead,
  options: RunOptions,
  states: readonly RowState[],
): Promise<Summary> {
  const open: Run = { session, jobs, head, options, tally: newTally() };
  const rows = jobs.rows(head.id, { states });
  try {
    return await ended(open, await (session.local ? runEmbedded(open, session.local, rows) : runRemote(open, rows)));
  } catch (error) {
    // Where the journal itself cannot be written, its state stays as it was: a later run finds the job unfinished.
    if (!isOfStorage(error)) await jobs.set(head.id, { state: 'stopped' });
    throw error;
  }
}

/** Marks the job as ended where no row waits any more. */
async function ended({ jobs, head, options, tally }: Run, stopped: Stopped): Promise<Summary> {
  const { counts } = await known(jobs, head.id);
  const state: JobState = (counts.pending ?? 0) > 0 ? 'stopped' : 'ended';
  await jobs.set(head.id, { state, ended: options.clock().toISOString() });
  return {
    job: await known(jobs, head.id),
    counts,
    unchanged: options.unchanged ?? 0,
    failures: tally.failures,
    ...(stopped ? { stopped } : {}),
    exit: exitOf(counts, tally.codes, stopped),
  };
}

/** Takes the job for this process while the work lasts. */
async function holding<T>(
  jobs: JobStore,
  id: string,
  { owner = thisProcess(), takeover = false }: RunOptions,
  work: (head: JobHead) => Promise<T>,
): Promise<T> {
  await known(jobs, id);
  await jobs.lock(id, owner, { takeover });
  try {
    return await work(await known(jobs, id));
  } finally {
    await jobs.release(id, owner);
  }
}

/**
 * Forgets a job and its rows, damaged or not; it can then not be taken back. Throws `not_found`, and `busy` while another
 * process runs it.
 */
export async function forgetJob(jobs: JobStore, id: string): Promise<void> {
  await jobs.lock(id, thisProcess()).catch((error: unknown) => {
    // A head that cannot be read tells no holder either.
    if (!(error instanceof ServiceError && error.code === 'storage')) throw error;
  });
  await jobs.delete([id]);
}

const thisProcess = (): Owner => ({ pid: process.pid, host: hostname() });

async function known(jobs: JobStore, id: string): Promise<JobHead> {
  const head = await jobs.head(id);
  if (head) return head;
  throw new ServiceError('not_found', `there is no job ${id}`, { hint: 'pm jobs list shows what there is.' });
}

function checkPlanned(head: JobHead): void {
  if (head.state === 'planning')
    throw new ServiceError('conflict', `the plan of job ${head.id} was never finished, so nothing of it was done`, {
      hint: 'Give the command once more.',
    });
}

function hasRun(head: JobHead): ServiceError {
  checkPlanned(head);
  const outcome = Object.entries(head.counts)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
  if (head.state === 'ended')
    return new ServiceError('conflict', `job ${head.id} has run: ${outcome}`, { hint: `pm jobs show ${head.id}` });
  return new ServiceError('conflict', `job ${head.id} has begun, and has not come to its end: ${outcome}`, {
    hint: `To go on with it: pm jobs resume ${head.id}`,
  });
}
