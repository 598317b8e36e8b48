// All or nothing: on the embedded engine one transaction; on a remote service what was done is taken back by an undo.
import type { Session } from '../contract/call.ts';
import type { JobStore } from '../contract/jobs.ts';
import { runJob } from './job.ts';
import type { RunOptions } from './run.ts';
import type { Summary } from './tally.ts';
import { undoJob } from './undo.ts';

/**
 * Runs a planned job as `runJob` does. With `rollback` on a remote service, what was done before a row failed is undone
 * by a job of its own, `rolledBack`; rows that were changed again meanwhile are its conflicts. Throws as `runJob`.
 */
export async function runOrTakeBack(
  session: Session,
  jobs: JobStore,
  id: string,
  options: RunOptions,
): Promise<Summary> {
  const summary = await runJob(session, jobs, id, options);
  const { done = 0, unknown = 0 } = summary.counts;
  const isWanted = options.onError === 'rollback' && summary.stopped && summary.stopped.code !== 'interrupted';
  // What nobody knows cannot be taken back: it is to be settled first.
  if (session.local || !isWanted || done === 0 || unknown > 0) return summary;
  const { signal, onDone, onFailed, ...rest } = options;
  const { profile, site, caller, title } = summary.job;
  const undo = {
    id: options.newID(),
    profile,
    site,
    caller,
    title,
    created: options.clock().toISOString(),
    settings: {},
  };
  return { ...summary, rolledBack: await undoJob(session, jobs, summary.job, undo, { ...rest, onError: 'continue' }) };
}
