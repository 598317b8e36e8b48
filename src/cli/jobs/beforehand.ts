// What comes before the first change of a job: where it fails, is not agreed to, or is told to end, no job is left behind.
import { thisProcess } from '../../changes/holding.ts';
import { planJob } from '../../changes/job.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JobStore, NewJob, PlannedRow } from '../../contract/jobs.ts';
import type { Context } from '../context.ts';

/** Writes a plan down; this process has the job from then on. Throws what its rows throw, and `interrupted`. */
export const planWhole = (
  context: Context,
  jobs: JobStore,
  job: NewJob,
  rows: AsyncIterable<PlannedRow>,
): Promise<void> => unlessStopped(context, jobs, job.id, () => planJob(jobs, job, rows, thisProcess()));

/** Asks whether a plan may run. Throws what the question throws, and `interrupted`. */
export const agreed = (context: Context, jobs: JobStore, id: string, ask: () => Promise<void>): Promise<void> =>
  unlessStopped(context, jobs, id, async () => {
    try {
      await ask();
    } catch (error) {
      await jobs.delete([id]);
      throw error;
    }
  });

/** A signal that nobody listens to ends the process at once, with the job still there. */
async function unlessStopped(
  { io: { stopped } }: Context,
  jobs: JobStore,
  id: string,
  work: () => Promise<void>,
): Promise<void> {
  if (!stopped) return work();
  const listening = new AbortController();
  const told = new Promise<'stopped'>((resolve) => {
    stopped.addEventListener('abort', () => resolve('stopped'), { signal: listening.signal });
  });
  try {
    if ((await Promise.race([work(), told])) !== 'stopped') return;
    await jobs.delete([id]);
    throw new ServiceError('interrupted', 'interrupted; nothing of this was changed');
  } finally {
    listening.abort();
  }
}
