// Who works on a job: one process at a time, from the begin of its plan to its end.
import { hostname } from 'node:os';
import { ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobStore, Owner } from '../../contract/jobs.ts';
import { isAgreed } from './job-state.ts';
import type { RunOptions } from './options.ts';

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
