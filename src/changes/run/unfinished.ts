// The unfinished job of a command that is given again.
import type { JobHead, JobStore, NewJob } from '../../contract/jobs.ts';
import { checkNoUndoUnfinished, checkOutcomeKnown, isConfirmed, jobHead, withLock } from './job-state.ts';

/**
 * The job that the same command has begun and not finished; one that never began is forgotten. `isSame`: is it a job of the
 * same command? Throws `busy` while another process runs it, `conflict` where an undo of it is unfinished, and
 * `unknown_outcome`.
 */
export async function unfinishedJob(
  jobs: JobStore,
  job: NewJob,
  isSame: (head: JobHead) => boolean,
): Promise<JobHead | undefined> {
  const heads = await jobs.heads(job.profile, { unfinished: true });
  for (const { id, undoes } of heads) {
    const head = await jobs.head(undoes ?? id);
    if (!head || head.kind !== job.kind || head.site !== job.site || !isSame(head)) continue;
    checkNoUndoUnfinished(heads, head);
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
