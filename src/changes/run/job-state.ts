// Where a job stands, what that forbids, and which process works on it.

import { hostname } from 'node:os';
import { ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobStore, NewJob, Owner } from '../../contract/jobs.ts';
import type { RunOptions } from './options.ts';

/** Has somebody agreed to its changes? One that began has been agreed to, also where an older pm did not keep it. */
export const isAgreed = ({ state, settings }: JobHead): boolean =>
  state !== 'planning' && (state !== 'planned' || settings.agreed === true);

/** The job with the word, kept in its settings, that somebody has agreed to it. */
export const agreedTo = <T extends Pick<NewJob, 'settings'>>(job: T): T => ({
  ...job,
  settings: { ...job.settings, agreed: true },
});

/** Is it taken back, and that not taken back in turn? */
export function isUndone(heads: readonly JobHead[], { undoneBy }: JobHead): boolean {
  const undo = undoneBy === undefined ? undefined : heads.find(({ id }) => id === undoneBy);
  return undoneBy !== undefined && !(undo && isUndone(heads, undo));
}

/** The undo of a job that has begun and has not come to its end. */
export const unfinishedUndo = (heads: readonly JobHead[], { id }: JobHead): JobHead | undefined =>
  heads.find((head) => head.undoes === id && isAgreed(head) && isOpen(head));

const isOpen = ({ counts: { pending = 0, intent = 0, unknown = 0 } }: JobHead): boolean =>
  pending + intent + unknown > 0;

/** Throws `conflict` where the job is taken back, wholly or by an undo that is to be gone on with. */
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

/** Throws `conflict` where the plan is not whole. */
export function checkPlanned({ id, state }: JobHead): void {
  if (state === 'planning')
    throw new ServiceError('conflict', `the plan of job ${id} was never finished, so nothing of it was done`, {
      hint: 'Give the command once more.',
    });
}

/** Throws `conflict` where nobody has agreed to the plan, or it is not whole. */
export function checkAgreed(head: JobHead): void {
  checkPlanned(head);
  if (isAgreed(head)) return;
  throw new ServiceError('conflict', `nobody has agreed to job ${head.id} yet, so nothing of it was done`, {
    next: { do: 'agree-to-job', job: head.id },
  });
}

/** Throws `conflict` where it is not known what the job did. */
export function checkSettled({ id, counts }: JobHead): void {
  const unsettled = (counts.intent ?? 0) + (counts.unknown ?? 0);
  if (unsettled === 0) return;
  throw new ServiceError('conflict', `it is not known what became of ${unsettled} rows of job ${id}`, {
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

/** How many rows came to each state, in words. */
export const outcomeOf = ({ counts }: JobHead): string =>
  Object.entries(counts)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');

export const thisProcess = (): Owner => ({ pid: process.pid, host: hostname() });

/** The head of a job. Throws `not_found`. */
export async function known(jobs: JobStore, id: string): Promise<JobHead> {
  const head = await jobs.head(id);
  if (head) return head;
  throw new ServiceError('not_found', `there is no job ${id}`, { next: { do: 'list-jobs' } });
}

/**
 * Takes a job while the work lasts, and before an undo the job that it takes back: nobody goes on with one while the
 * other runs. Throws `not_found`, and `busy` while another process has one of them.
 */
export async function holdJob<T>(
  jobs: JobStore,
  id: string,
  options: Pick<RunOptions, 'owner' | 'takeover'>,
  work: (head: JobHead) => Promise<T>,
): Promise<T> {
  const { undoes } = await known(jobs, id);
  const hold = (): Promise<T> => holdOne(jobs, id, options, work);
  // A job whose undo is kept may be forgotten.
  return undoes !== undefined && (await jobs.head(undoes)) ? holdJob(jobs, undoes, options, hold) : hold();
}

async function holdOne<T>(
  jobs: JobStore,
  id: string,
  { owner = thisProcess(), takeover = false }: Pick<RunOptions, 'owner' | 'takeover'>,
  work: (head: JobHead) => Promise<T>,
): Promise<T> {
  await jobs.lock(id, owner, { takeover });
  try {
    return await work(await known(jobs, id));
  } finally {
    await jobs.release(id, owner);
  }
}

/**
 * Forgets the undos of a job that never began, which nobody has while this process has the job: what they would take back
 * is not what they have planned any more, once the job goes on or is taken back otherwise.
 */
export async function forgetUndos(jobs: JobStore, heads: readonly JobHead[], job: JobHead): Promise<void> {
  const unbegun = heads.filter((head) => head.undoes === job.id && !isAgreed(head));
  if (unbegun.length > 0) await jobs.delete(unbegun.map(({ id }) => id));
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
