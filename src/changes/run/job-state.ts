// The state of a job: which actions it allows, and which process holds its lock.
import { hostname } from 'node:os';
import { ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobStore, LockOwner, NewJob } from '../../contract/jobs.ts';
import type { RunOptions } from './options.ts';

/** Is the job confirmed? One that has begun is, also where an earlier version did not store it. */
export const isConfirmed = ({ state, settings }: JobHead): boolean =>
  state !== 'planning' && (state !== 'planned' || settings.agreed === true);

/** The job, with its confirmation in the settings. */
export const confirmed = <T extends Pick<NewJob, 'settings'>>(job: T): T => ({
  ...job,
  settings: { ...job.settings, agreed: true },
});

/** Is the job undone, and its undo not undone in turn? */
export function isUndone(heads: readonly JobHead[], { undoneBy }: JobHead): boolean {
  const undo = undoneBy === undefined ? undefined : heads.find(({ id }) => id === undoneBy);
  return undoneBy !== undefined && !(undo && isUndone(heads, undo));
}

/** The undo of the job that has begun and not ended. */
export const unfinishedUndo = (heads: readonly JobHead[], { id }: JobHead): JobHead | undefined =>
  heads.find((head) => head.undoes === id && isConfirmed(head) && isOpen(head));

const isOpen = ({ counts: { pending = 0, intent = 0, unknown = 0 } }: JobHead): boolean =>
  pending + intent + unknown > 0;

/** Throws `conflict` where the job is undone, or an undo of it is not finished. */
export function checkNotUndone(heads: readonly JobHead[], head: JobHead): void {
  const undo = unfinishedUndo(heads, head);
  if (undo)
    throw new ServiceError('conflict', `job ${head.id} is being taken back, by job ${undo.id}: ${outcomeOf(undo)}`, {
      next: { do: 'resume-job', job: undo.id },
    });
  const { id, undoneBy = '' } = head;
  if (isUndone(heads, head))
    throw new ServiceError('conflict', `job ${id} is undone already, by job ${undoneBy}`, {
      next: { do: 'redo-job', job: undoneBy },
    });
}

/** Throws `conflict` where the plan is not complete. */
export function checkPlanned({ id, state }: JobHead): void {
  if (state === 'planning')
    throw new ServiceError('conflict', `the plan of job ${id} was never finished, so nothing of it was done`, {
      hint: 'Give the command once more.',
    });
}

/** Throws `conflict` where the plan is not complete, or not confirmed. */
export function checkConfirmed(head: JobHead): void {
  checkPlanned(head);
  if (isConfirmed(head)) return;
  throw new ServiceError('conflict', `nobody has agreed to job ${head.id} yet, so nothing of it was done`, {
    next: { do: 'agree-to-job', job: head.id },
  });
}

/** Throws `conflict` where outcomes of the job are unknown. */
export function checkOutcomeKnown({ id, counts }: JobHead): void {
  const unknown = (counts.intent ?? 0) + (counts.unknown ?? 0);
  if (unknown === 0) return;
  throw new ServiceError('conflict', `it is not known what became of ${unknown} rows of job ${id}`, {
    next: { do: 'settle-job', job: id },
  });
}

/** Throws `conflict` with the outcome where the job has begun. */
export function checkNew(head: JobHead): void {
  checkPlanned(head);
  if (head.state === 'planned') return;
  if (head.state === 'ended')
    throw new ServiceError('conflict', `job ${head.id} has run: ${outcomeOf(head)}`, {
      next: { do: 'show-job', job: head.id },
    });
  throw new ServiceError('conflict', `job ${head.id} has begun, and has not come to its end: ${outcomeOf(head)}`, {
    next: { do: 'resume-job', job: head.id },
  });
}

/** The row counts by state, in words. */
export const outcomeOf = ({ counts }: JobHead): string =>
  Object.entries(counts)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');

export const thisProcess = (): LockOwner => ({ pid: process.pid, host: hostname() });

/** The head of a job. Throws `not_found`. */
export async function jobHead(jobs: JobStore, id: string): Promise<JobHead> {
  const head = await jobs.head(id);
  if (head) return head;
  throw new ServiceError('not_found', `there is no job ${id}`, { next: { do: 'list-jobs' } });
}

/**
 * Locks a job during the work; before an undo, the job that it undoes, so that only one of the two runs. Throws
 * `not_found`, and `busy` while another process holds one of the locks.
 */
export async function withLock<T>(
  jobs: JobStore,
  id: string,
  options: Pick<RunOptions, 'owner' | 'takeover'>,
  work: (head: JobHead) => Promise<T>,
): Promise<T> {
  const { undoes } = await jobHead(jobs, id);
  const locked = (): Promise<T> => withOneLock(jobs, id, options, work);
  // The job may be deleted while its undo is kept.
  return undoes !== undefined && (await jobs.head(undoes)) ? withLock(jobs, undoes, options, locked) : locked();
}

async function withOneLock<T>(
  jobs: JobStore,
  id: string,
  { owner = thisProcess(), takeover = false }: Pick<RunOptions, 'owner' | 'takeover'>,
  work: (head: JobHead) => Promise<T>,
): Promise<T> {
  await jobs.lock(id, owner, { takeover });
  try {
    return await work(await jobHead(jobs, id));
  } finally {
    await jobs.release(id, owner);
  }
}

/**
 * Deletes undos of the job that never began: their plans are out of date once the job continues or is undone otherwise. The
 * caller holds the lock of the job.
 */
export async function deleteUnrunUndos(jobs: JobStore, heads: readonly JobHead[], job: JobHead): Promise<void> {
  const unbegun = heads.filter((head) => head.undoes === job.id && !isConfirmed(head));
  if (unbegun.length > 0) await jobs.delete(unbegun.map(({ id }) => id));
}

/**
 * Deletes a job and its rows, damaged or not; it can then not be undone. Throws `not_found`, and `busy` while another
 * process runs it.
 */
export async function deleteJob(jobs: JobStore, id: string): Promise<void> {
  await jobs.lock(id, thisProcess()).catch((error: unknown) => {
    // A damaged head names no holder.
    if (!(error instanceof ServiceError && error.code === 'storage')) throw error;
  });
  await jobs.delete([id]);
}
