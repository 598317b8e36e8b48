// Jobs of the journal, found by what they belong to, and locked by the process that works on them.
import { ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobStore, NewJob } from '../../contract/jobs.ts';
import { thisProcess } from '../../files/processes.ts';
import type { RunOptions } from '../run/options.ts';
import { checkNoUndoUnfinished, checkOutcomeKnown, isConfirmed } from './state.ts';

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
    // The outcome of the work counts, also where this fails, as on a full disk: the lock of a process that has ended is free.
    await jobs.release(id, owner).catch(() => undefined);
  }
}

/**
 * The job, the jobs that it undoes, and all that are newer: among them are all undos of it. `head`: with the profile that is
 * asked. The newest first.
 */
export async function headsAround(jobs: JobStore, head: JobHead): Promise<readonly JobHead[]> {
  const undone = head.undoes === undefined ? undefined : await jobs.head(head.undoes);
  return undone ? headsAround(jobs, undone) : jobs.heads(head.profile, { from: head.id });
}

/**
 * Deletes undos of the job that never began: their plans are out of date once the job continues or is undone otherwise. The
 * caller holds the lock of the job.
 */
export async function deleteUnrunUndos(jobs: JobStore, heads: readonly JobHead[], job: JobHead): Promise<void> {
  const unbegun = heads.filter((head) => head.undoes === job.id && !isConfirmed(head));
  if (unbegun.length > 0) await jobs.delete(unbegun.map(({ id }) => id));
}

/** The job at the top of a chain of undos, then each undo of the one before, up to this one; without those that are forgotten. */
async function chainTo(jobs: JobStore, id: string): Promise<readonly JobHead[]> {
  const head = await jobs.head(id);
  if (!head) return [];
  return head.undoes === undefined ? [head] : [...(await chainTo(jobs, head.undoes)), head];
}

/**
 * The job that the same command has begun and not finished; one that never began is forgotten. `isSame`: is it a job of the
 * same command? Throws `busy` while another process runs it, `conflict` where an undo of it, or of that one, is unfinished,
 * and `unknown_outcome`.
 */
export async function unfinishedJob(
  jobs: JobStore,
  job: NewJob,
  isSame: (head: JobHead) => boolean,
): Promise<JobHead | undefined> {
  // pm jobs list shows damaged jobs; they stand in the way of no other one.
  const heads = await jobs.heads(job.profile, { unfinished: true, onDamaged: () => undefined });
  for (const { id, undoes } of heads) {
    const [first, ...undos] = await chainTo(jobs, id);
    if (!first || first.kind !== job.kind || first.site !== job.site || !isSame(first)) continue;
    // An undo of an undo makes its records again: the same command must not make them as well.
    for (const head of [first, ...undos]) checkNoUndoUnfinished(heads, head);
    if (undoes !== undefined) continue;
    await withLock(jobs, id, {}, async () => undefined);
    const now = await jobHead(jobs, id);
    if (isConfirmed(now)) {
      checkOutcomeKnown(now);
      return now;
    }
    await jobs.delete([id]);
  }
  return undefined;
}
