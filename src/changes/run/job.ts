// Writes the plan of a job, runs it, resumes it after an interruption, and retries its failed rows.
import type { Session } from '../../contract/call.ts';
import { type ErrorCode, EXIT, ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobStore, LockOwner, NewJob, PlannedRow, RowState } from '../../contract/jobs.ts';
import { chunks } from '../../text/batches.ts';
import { defined } from '../../text/defined.ts';
import { spaced } from '../../text/thousands.ts';
import { deleteUnrunUndos, headsAround, jobHead, withLock } from '../jobs/access.ts';
import {
  checkConfirmed,
  checkNew,
  checkOutcomeKnown,
  checkStands,
  confirmed,
  conflict,
  isConfirmed,
  outcomeOf,
  rowsDone,
  youngerUndo,
} from '../jobs/state.ts';
import { type Counts, exitOfRun, newCounter, type Summary } from './counts.ts';
import { runEmbedded } from './embedded.ts';
import { isStorageError, type Run, type RunOptions, runSettings, type StopReason } from './options.ts';
import { resolveUnknownRows, runRemote } from './remote/run.ts';

/**
 * Writes a plan to the journal. A plan that cannot be completed leaves no job. With `owner`, the job is locked for that
 * process from the beginning. Throws as `JobStore.begin`, and what reading the rows throws.
 */
export const planJob = (
  jobs: JobStore,
  job: NewJob,
  rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>,
  owner?: LockOwner,
): Promise<void> => planPages(jobs, job, pagesOf(rows), owner);

export async function planPages(
  jobs: JobStore,
  job: NewJob,
  pages: AsyncIterable<readonly PlannedRow[]>,
  owner?: LockOwner,
): Promise<void> {
  await jobs.begin(job, owner);
  try {
    for await (const page of pages) await jobs.plan(job.id, page);
    await jobs.seal(job.id);
  } catch (error) {
    // Where the deletion fails, too, the first error is still the one to throw.
    await jobs.delete([job.id]).catch(() => undefined);
    throw error;
  }
}

/** Rows that are kept in memory, and confirmed before anything is written. */
export const SMALL_PLAN = 500;

/** Rows of a plan per commit, which are in memory: more than a small one has, so that the first page tells whether it is one. */
const ROWS_PER_COMMIT = 4 * SMALL_PLAN;

/** The rows that are journaled together. */
export const pagesOf = (
  rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>,
): AsyncGenerator<readonly PlannedRow[]> => chunks(rows, ROWS_PER_COMMIT);

/**
 * Runs a plan for the first time; the caller has had it confirmed. Throws `not_found`; `busy` while another process
 * holds the job; `conflict` with the outcome where it has begun; `storage` and `disk_full` where the journal cannot be
 * written.
 */
export function runJob(session: Session, jobs: JobStore, id: string, options: RunOptions): Promise<Summary> {
  return withLock(jobs, id, options, async (head) => {
    checkNew(head);
    const run = newRun(session, jobs, head, options);
    return explainingStop(run, () => start(run));
  });
}

/**
 * Continues a job that was stopped or killed. First it tries to resolve the outcomes that are unknown. Throws as
 * `runJob`, and `conflict` where the job is not confirmed, is undone, or is being undone.
 */
export function resumeJob(session: Session, jobs: JobStore, id: string, options: RunOptions): Promise<Summary> {
  return withLock(jobs, id, options, async (head) => {
    await prepareToContinue(jobs, head);
    // A list that was read before a row was sent does not tell its outcome.
    session.find.forget();
    const unknown = jobs.rows(id, { states: ['intent', 'unknown'] });
    const resolving = newRun(session, jobs, head, options);
    const stopped = session.local ? undefined : await resolveUnknownRows(resolving, unknown);
    const { counter } = resolving;
    const run = { ...newRun(session, jobs, await jobHead(jobs, id), options), counter, isLater: true };
    const isOver = stopped || (await isRollingBack(session, jobs, run.head, options));
    return isOver ? finish(run, stopped) : explainingStop(run, () => start(run));
  });
}

/** Runs failed, skipped and pending rows, with `overwrite` also drifted and altered ones. Throws as `resumeJob`. */
export function retryJob(session: Session, jobs: JobStore, id: string, options: RunOptions): Promise<Summary> {
  return withLock(jobs, id, options, async (head) => {
    await prepareToContinue(jobs, head);
    checkOutcomeKnown(head);
    await checkNotRollingBack(session, jobs, head);
    await checkLatestUndo(jobs, head);
    const run = { ...newRun(session, jobs, head, options), isLater: true };
    return explainingStop(run, () => start(run, retriedStates(options)));
  });
}

/** The states of the rows that are tried again. */
export const retriedStates = ({ onDrift }: Pick<RunOptions, 'onDrift'>): readonly RowState[] => [
  ...(['failed', 'skipped', 'pending'] as const),
  ...(onDrift === 'overwrite' ? (['drifted', 'altered'] as const) : []),
];

async function prepareToContinue(jobs: JobStore, head: JobHead): Promise<void> {
  checkConfirmed(head);
  const heads = await headsAround(jobs, head);
  checkStands(heads, head);
  await deleteUnrunUndos(jobs, heads, head);
}

/** Throws `conflict` where the job of this undo was undone once more: its rows have another undo by now. */
async function checkLatestUndo(jobs: JobStore, head: JobHead): Promise<void> {
  const younger = youngerUndo(await headsAround(jobs, head), head);
  if (!younger) return;
  throw conflict(`the later job ${younger.id} undoes the rest of job ${head.id}`, { do: 'show-job', job: younger.id });
}

type Choices = Pick<RunOptions, 'onError' | 'onDrift'>;

/**
 * With `rollback` on a remote service, once a row has failed or was altered, and until an undo of the job has begun: what
 * was done is to be taken back, and nothing more is done.
 */
export async function isRollingBack(
  { local }: Session,
  jobs: JobStore,
  head: JobHead,
  options: Choices = {},
): Promise<boolean> {
  const { onError, onDrift }: Choices = { ...runSettings(head), ...options };
  const { failed = 0, altered = 0, drifted = 0 } = head.counts;
  const isBad = failed + altered > 0 || (onDrift === 'stop' && drifted > 0);
  if (local || onError !== 'rollback' || !isBad) return false;
  const heads = await headsAround(jobs, head);
  return !heads.some((undo) => undo.undoes === head.id && isConfirmed(undo));
}

/** Throws `conflict` where the rows of the job are still to be taken back by its own rollback. */
export async function checkNotRollingBack(session: Session, jobs: JobStore, head: JobHead): Promise<void> {
  if (rowsDone(head) === 0 || !(await isRollingBack(session, jobs, head))) return;
  throw conflict(`job ${head.id} is being undone, because a row failed: ${outcomeOf(head)}`, {
    do: 'resume-job',
    job: head.id,
  });
}

async function start(run: Run, states?: readonly RowState[]): Promise<Summary> {
  const head = confirmed(run.head);
  await run.jobs.start(head.id, head.settings);
  // Lists that were read for the plan may be out of date.
  run.session.find.forget();
  return runRows({ ...run, head }, states);
}

/** A run of the job. The given options take precedence over those that were stored with the job. */
export const newRun = (session: Session, jobs: JobStore, head: JobHead, options: RunOptions): Run => ({
  session,
  jobs,
  head,
  counter: newCounter(),
  idMap: new Map(),
  isLater: head.kind === 'apply',
  options: { ...runSettings(head), ...options },
});

/** Runs the rows that are in these states. Throws errors of the journal, and defects. */
export async function runRows(run: Run, states: readonly RowState[] = ['pending']): Promise<Summary> {
  const { session, jobs, head } = run;
  const { local } = session;
  return finish(run, await (local ? runEmbedded(run, local, states) : runRemote(run, jobs.rows(head.id, { states }))));
}

/** Adds to an error of the journal or the database, or of its server that has gone away, how much is stored, and how to go on. */
async function explainingStop<T>({ session, jobs, head, counter }: Run, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (!isStorageError(error) && !(session.local && error.code === 'unreachable')) throw error;
    // Where the journal cannot be read either, the acknowledged rows are there.
    const stored = await jobs.head(head.id).catch(() => undefined);
    const done = stored ? rowsDone(stored) : rowsDone(head) + (counter.counts.done ?? 0);
    throw stoppedForStorage(error, head, done);
  }
}

const stoppedForStorage = (error: ServiceError, { id, total }: JobHead, done: number): ServiceError =>
  new ServiceError(error.code, `${error.message}. ${spaced(done)} of ${spaced(total)} rows are done`, {
    hint: error.code === 'disk_full' ? 'Make room first.' : undefined,
    next: { do: 'resume-job', job: id },
    cause: error,
  });

/** Stores the time of the end; answers the summary. */
async function finish({ jobs, head, options, counter }: Run, stopped: StopReason): Promise<Summary> {
  await jobs.set(head.id, { ended: options.clock().toISOString() });
  const { state, ...job } = await jobHead(jobs, head.id);
  const unchanged = counter.unchanged();
  return defined({
    // This process still has the lock, but runs no row any more.
    job: { ...job, state: state === 'running' ? ('stopped' as const) : state },
    counts: { ...job.counts, ...(unchanged > 0 && { done: (job.counts.done ?? 0) - unchanged }) },
    unchanged: unchanged + (options.unchanged ?? 0),
    failures: counter.failures,
    causes: counter.causes(),
    stopped,
    exit: exitOfJob(head, job.counts, counter.codes, stopped),
  });
}

/** An undo leaves drifted rows as they are, by intention: with them it exits as partly done, never as rejected. */
export function exitOfJob(
  { kind }: Pick<JobHead, 'kind'>,
  counts: Counts,
  codes: ReadonlySet<ErrorCode>,
  stopped?: ServiceError,
): number {
  const exit = exitOfRun(counts, codes, stopped);
  return kind === 'undo' && (counts.drifted ?? 0) > 0 && exit === EXIT.rejected ? EXIT.partly : exit;
}
