// All or nothing: on the embedded engine one transaction; on a remote service what was done is taken back by an undo.
import type { Session } from '../contract/call.ts';
import type { JobStore } from '../contract/jobs.ts';
import type { Summary } from './run/counts.ts';
import { runJob } from './run/job.ts';
import { keptIn, type RunOptions } from './run/options.ts';
import { undoJob } from './undo.ts';

/** Runs a planned job as `runJob` does, and takes it back as `takeBack` does. Throws as `runJob`. */
export const runOrTakeBack = async (
  session: Session,
  jobs: JobStore,
  id: string,
  options: RunOptions,
): Promise<Summary> => takeBack(session, jobs, await runJob(session, jobs, id, options), options);

/**
 * What was done of a job with `rollback` on a remote service before a row failed is undone by a job of its own,
 * `rolledBack`; rows that were changed again meanwhile are its conflicts. Throws as `runJob`.
 */
export async function takeBack(
  session: Session,
  jobs: JobStore,
  summary: Summary,
  options: RunOptions,
): Promise<Summary> {
  const { done = 0, unknown = 0 } = summary.counts;
  const { signal, onDone, onFailed, ...rest } = { ...keptIn(summary.job), ...options };
  const isWanted = rest.onError === 'rollback' && summary.stopped && summary.stopped.code !== 'interrupted';
  // What nobody knows cannot be taken back: it is to be settled first.
  if (session.local || !isWanted || done === 0 || unknown > 0) return summary;
  const { id, profile, site, caller, title } = summary.job;
  const how = { ...rest, onError: 'continue' as const };
  const undo = {
    ...{ id: options.newID(), profile, site, caller, title, created: options.clock().toISOString() },
    settings: keptIn({ settings: how }),
  };
  return { ...summary, rolledBack: await undoJob(session, jobs, id, undo, how) };
}
