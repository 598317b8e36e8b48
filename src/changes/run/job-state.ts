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

/** The rows that were made and stand. */
export const rowsDone = ({ counts: { done = 0, altered = 0 } }: Pick<JobHead, 'counts'>): number => done + altered;

/** The rows whose outcome is unknown. */
export const rowsUnknown = ({ counts: { intent = 0, unknown = 0 } }: Pick<JobHead, 'counts'>): number =>
  intent + unknown;

/** Is all of the job that was done taken back? */
export const isUndone = (head: Pick<JobHead, 'counts'>): boolean =>
  (head.counts.undone ?? 0) > 0 && rowsDone(head) === 0;

/** The undo of the job that has begun and not ended. */
export const unfinishedUndo = (heads: readonly JobHead[], { id }: JobHead): JobHead | undefined =>
  heads.find((head) => head.undoes === id && isConfirmed(head) && isUnfinished(head));

const isUnfinished = (head: JobHead): boolean => (head.counts.pending ?? 0) + rowsUnknown(head) > 0;

/**
 * Throws `conflict` where a row of the job is taken back, or an undo of it is not finished: then it is neither resumed nor
 * retried.
 */
export function checkStands(heads: readonly JobHead[], head: JobHead): void {
  checkNoUndoUnfinished(heads, head);
  if (!head.counts.undone) return;
  if (isUndone(head)) throw undoneAlready(head);
  throw new ServiceError('conflict', `job ${head.id} is taken back in part: ${outcomeOf(head)}`, {
    next: { do: 'undo-job', job: head.id },
  });
}

/** Throws `conflict` where nothing is left to take back, or it is not the turn of this job. */
export function checkUndoable(heads: readonly JobHead[], head: JobHead): void {
  checkConfirmed(head);
  checkNoUndoUnfinished(heads, head);
  if (isUndone(head)) throw undoneAlready(head);
  if (rowsDone(head) === 0 && rowsUnknown(head) === 0)
    throw new ServiceError('conflict', `nothing of job ${head.id} was done: ${outcomeOf(head) || 'it has no rows'}`, {
      next: { do: 'list-jobs' },
    });
  const younger = youngerUndo(heads, head);
  if (younger)
    throw new ServiceError('conflict', `what job ${head.id} did is taken back by the later job ${younger.id}`, {
      next: { do: 'redo-job', job: younger.id },
    });
}

/** Throws `conflict` where an undo of the job is not finished. */
function checkNoUndoUnfinished(heads: readonly JobHead[], head: JobHead): void {
  const undo = unfinishedUndo(heads, head);
  if (!undo) return;
  throw new ServiceError('conflict', `job ${head.id} is being taken back, by job ${undo.id}: ${outcomeOf(undo)}`, {
    next: { do: 'resume-job', job: undo.id },
  });
}

const undoneAlready = ({ id, undoneBy }: JobHead): ServiceError =>
  new ServiceError('conflict', `job ${id} is undone already${undoneBy === undefined ? '' : `, by job ${undoneBy}`}`, {
    next: undoneBy === undefined ? { do: 'list-jobs' } : { do: 'redo-job', job: undoneBy },
  });

/**
 * An undo that is younger than this one and undoes the same job, or one further up: it has to be taken back first. `heads`:
 * the newest first.
 */
export function youngerUndo(heads: readonly JobHead[], head: JobHead): JobHead | undefined {
  const younger = heads.slice(
    0,
    Math.max(
      0,
      heads.findIndex(({ id }) => id === head.id),
    ),
  );
  for (let undone = head.undoes; undone !== undefined; undone = heads.find(({ id }) => id === undone)?.undoes) {
    const found = younger.find(
      ({ id, undoes, counts }) => undoes === undone && id !== head.id && rowsDone({ counts }) > 0,
    );
    if (found) return found;
  }
  return undefined;
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

/** Throws `unknown_outcome` where outcomes of the job are unknown. */
export function checkOutcomeKnown(head: JobHead): void {
  const unknown = rowsUnknown(head);
  if (unknown === 0) return;
  const rows = unknown === 1 ? '1 row' : `${unknown} rows`;
  throw new ServiceError('unknown_outcome', `it is not known what became of ${rows} of job ${head.id}`, {
    next: { do: 'settle-job', job: head.id },
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
  // pm jobs list shows what is damaged; it is in the way of no other job.
  const heads = await jobs.heads(job.profile, { unfinished: true, onDamaged: () => undefined });
  for (const { id, undoes } of heads) {
    const [first, ...undos] = await chainTo(jobs, id);
    if (!first || first.kind !== job.kind || first.site !== job.site || !isSame(first)) continue;
    // What an undo of an undo will make again, the same command must not make as well.
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
