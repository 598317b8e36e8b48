// Writes the plan of a job, runs it, resumes it after an interruption, and retries its failed rows.
import type { Session } from '../../contract/call.ts';
import { EXIT } from '../../contract/errors.ts';
import type { JobHead, JobState, JobStore, LockOwner, NewJob, PlannedRow, RowState } from '../../contract/jobs.ts';
import { chunks } from '../../text/batches.ts';
import { defined } from '../../text/defined.ts';
import { type Counts, exitOfRun, newCounter, type Summary } from './counts.ts';
import { runEmbedded } from './embedded.ts';
import {
  checkConfirmed,
  checkNew,
  checkNotUndone,
  confirmed,
  deleteUnrunUndos,
  jobHead,
  withLock,
} from './job-state.ts';
import { isStorageError, type Run, type RunOptions, runSettings, type StopReason } from './options.ts';
import { resolveUnknownRows, runRemote } from './remote.ts';

/**
 * Writes a plan to the journal. A plan that cannot be completed leaves no job. With `owner`, the job is locked for that
 * process from the beginning. Throws as `JobStore.begin`, and what reading the rows throws.
 */
export async function planJob(
  jobs: JobStore,
  job: NewJob,
  rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>,
  owner?: LockOwner,
): Promise<void> {
  await jobs.begin(job, owner);
  try {
    for await (const batch of chunks(rows, ROWS_PER_COMMIT)) await jobs.plan(job.id, batch);
    await jobs.seal(job.id);
  } catch (error) {
    // Where the deletion fails, too, the first error is still the one to throw.
    await jobs.delete([job.id]).catch(() => undefined);
    throw error;
  }
}

/** Rows of a plan per commit: many, since each commit waits for the disk. */
const ROWS_PER_COMMIT = 10_000;

/**
 * Runs a plan for the first time; the caller has had it confirmed. Throws `not_found`; `busy` while another process
 * holds the job; `conflict` with the outcome where it has begun; `storage` and `disk_full` where the journal cannot be
 * written.
 */
export function runJob(session: Session, jobs: JobStore, id: string, options: RunOptions): Promise<Summary> {
  return withLock(jobs, id, options, async (head) => {
    checkNew(head);
    return start(newRun(session, jobs, head, options));
  });
}

/**
 * Continues a job that was stopped or killed. First it tries to resolve the outcomes that are unknown. Throws as
 * `runJob`, and `conflict` where the job is not confirmed, is undone, or is being undone.
 */
export function resumeJob(session: Session, jobs: JobStore, id: string, options: RunOptions): Promise<Summary> {
  return withLock(jobs, id, options, async (head) => {
    await prepareToContinue(jobs, head);
    // What became of a row is not decided by lists that were read before it was sent.
    session.find.forget();
    const unknown = jobs.rows(id, { states: ['intent', 'unknown'] });
    if (!session.local) await resolveUnknownRows(newRun(session, jobs, head, options), unknown);
    return start(newRun(session, jobs, await jobHead(jobs, id), options));
  });
}

/** Runs failed, skipped and pending rows, with `overwrite` also drifted ones. Throws as `resumeJob`. */
export function retryJob(session: Session, jobs: JobStore, id: string, options: RunOptions): Promise<Summary> {
  const drifted: readonly RowState[] = options.onDrift === 'overwrite' ? ['drifted'] : [];
  return withLock(jobs, id, options, async (head) => {
    await prepareToContinue(jobs, head);
    return start(newRun(session, jobs, head, options), ['failed', 'skipped', ...drifted, 'pending']);
  });
}

async function prepareToContinue(jobs: JobStore, head: JobHead): Promise<void> {
  checkConfirmed(head);
  const heads = await jobs.heads(head.profile);
  checkNotUndone(heads, head);
  await deleteUnrunUndos(jobs, heads, head);
}

export const RUNNING = { state: 'running' } as const;

async function start(run: Run, states?: readonly RowState[]): Promise<Summary> {
  const head = confirmed(run.head);
  await run.jobs.set(head.id, { ...RUNNING, settings: head.settings });
  // Lists that were read for the plan may be out of date.
  run.session.find.forget();
  return runRows({ ...run, head }, states);
}

/** A run of the job. The given options take precedence over those that were stored with the job. */
export const newRun = (session: Session, jobs: JobStore, head: JobHead, options: RunOptions): Run => ({
  ...{ session, jobs, head, counter: newCounter(), idMap: new Map() },
  options: { ...runSettings(head), ...options },
});

/** Runs the rows that are in these states. Throws errors of the journal, and defects. */
export async function runRows(run: Run, states: readonly RowState[] = ['pending']): Promise<Summary> {
  const { session, jobs, head } = run;
  const rows = jobs.rows(head.id, { states });
  try {
    return await finish(run, await (session.local ? runEmbedded(run, session.local, rows) : runRemote(run, rows)));
  } catch (error) {
    // A journal that cannot be written is left as it is, at `running`: a later run finds the job unfinished.
    if (!isStorageError(error)) await jobs.set(head.id, { state: 'stopped' });
    throw error;
  }
}

/** Sets the final state, `stopped` where a row is still pending and `ended` elsewhere; answers the summary. */
async function finish({ jobs, head, options, counter }: Run, stopped: StopReason): Promise<Summary> {
  const { counts } = await jobHead(jobs, head.id);
  const state: JobState = (counts.pending ?? 0) > 0 ? 'stopped' : 'ended';
  await jobs.set(head.id, { state, ended: options.clock().toISOString() });
  return defined({
    job: await jobHead(jobs, head.id),
    counts,
    unchanged: options.unchanged ?? 0,
    failures: counter.failures,
    stopped,
    exit: jobExit(head, counts, exitOfRun(counts, counter.codes, stopped)),
  });
}

/** An undo leaves drifted rows as they are, by intention: with them it exits as partly done, never as rejected. */
const jobExit = ({ kind }: JobHead, { drifted = 0 }: Counts, exit: number): number =>
  kind === 'undo' && drifted > 0 && exit === EXIT.rejected ? EXIT.partly : exit;
