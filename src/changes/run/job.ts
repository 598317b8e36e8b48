// Runs the plan of a job, goes on after an interruption, and tries again what failed.
import type { Session } from '../../contract/call.ts';
import { EXIT } from '../../contract/errors.ts';
import type { JobHead, JobState, JobStore, NewJob, Owner, PlannedRow, RowState } from '../../contract/jobs.ts';
import { type Counts, exitOf, newTally, type Summary } from './counts.ts';
import { inBatches, runEmbedded } from './embedded.ts';
import { agreedTo, checkAgreed, checkNew, checkNotUndone, forgetUndos, holdJob, known } from './job-state.ts';
import { isOfStorage, keptIn, type Run, type RunOptions, type Stopped } from './options.ts';
import { runRemote, settleRows } from './remote.ts';

/**
 * Writes a plan down, row by row; it is whole when this resolves. One that does not come to its end leaves no job behind.
 * The owner, where one is named, has the job from its begin on. Throws as `JobStore.begin`, and what the rows throw.
 */
export async function planJob(
  jobs: JobStore,
  job: NewJob,
  rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>,
  owner?: Owner,
): Promise<void> {
  await jobs.begin(job, owner);
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
 * Runs a plan that has not run yet, and that somebody has agreed to. Throws `not_found`; `busy` while another process has
 * the job; `conflict` with the outcome where it has run; `storage` and `disk_full` where the journal cannot be kept.
 */
export function runJob(session: Session, jobs: JobStore, id: string, options: RunOptions): Promise<Summary> {
  return holdJob(jobs, id, options, async (head) => {
    checkNew(head);
    return run(session, jobs, head, options, ['pending']);
  });
}

/**
 * Goes on with a job that was stopped or killed: what was sent and not answered is settled first. Throws as `runJob`, and
 * `conflict` where nobody has agreed to it, or it is taken back.
 */
export function resumeJob(session: Session, jobs: JobStore, id: string, options: RunOptions): Promise<Summary> {
  return holdJob(jobs, id, options, async (head) => {
    await checkGoesOn(jobs, head);
    const open = runOf(session, jobs, head, options);
    if (!session.local) await settleRows(open, jobs.rows(id, { states: ['intent', 'unknown'] }));
    return run(session, jobs, await known(jobs, id), options, ['pending']);
  });
}

/** Tries the rows again that failed or were not tried, and with `overwrite` those that had drifted. Throws as `resumeJob`. */
export function retryJob(session: Session, jobs: JobStore, id: string, options: RunOptions): Promise<Summary> {
  const again: readonly RowState[] = [
    'failed',
    'skipped',
    ...(options.onDrift === 'overwrite' ? ['drifted' as const] : []),
  ];
  return holdJob(jobs, id, options, async (head) => {
    await checkGoesOn(jobs, head);
    return run(session, jobs, head, options, [...again, 'pending']);
  });
}

async function checkGoesOn(jobs: JobStore, head: JobHead): Promise<void> {
  checkAgreed(head);
  const heads = await jobs.heads(head.profile);
  checkNotUndone(heads, head);
  await forgetUndos(jobs, heads, head);
}

export const RUNNING = { state: 'running' } as const;

async function run(
  session: Session,
  jobs: JobStore,
  head: JobHead,
  options: RunOptions,
  states: readonly RowState[],
): Promise<Summary> {
  const agreed = agreedTo(head);
  await jobs.set(head.id, { ...RUNNING, settings: agreed.settings });
  // Whoever planned it may have read lists, and time has passed.
  session.find.forget();
  return going(session, jobs, agreed, options, states);
}

/** What is said now goes before what the job's command said. */
export const runOf = (session: Session, jobs: JobStore, head: JobHead, options: RunOptions): Run => ({
  ...{ session, jobs, head, tally: newTally(), renamed: new Map() },
  options: { ...keptIn(head), ...options },
});

/** Runs the rows of a job that are in these states, and ends it where none waits any more. Throws as `runJob`. */
export async function going(
  session: Session,
  jobs: JobStore,
  head: JobHead,
  options: RunOptions,
  states: readonly RowState[],
): Promise<Summary> {
  const open = runOf(session, jobs, head, options);
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
    exit: exitOfJob(head, counts, exitOf(counts, tally.codes, stopped)),
  };
}

/** What an undo leaves alone because others changed it is no refusal: it is done as far as it can be. */
const exitOfJob = ({ kind }: JobHead, { drifted = 0 }: Counts, exit: number): number =>
  kind === 'undo' && drifted > 0 && exit === EXIT.rejected ? EXIT.partly : exit;
