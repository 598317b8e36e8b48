// Goes on with a job that was stopped, or tries its failed rows again: announces, confirms, runs, and prints the summary.
import { headsAround, withLock } from '../../changes/jobs/access.ts';
import { checkConfirmed, checkOutcomeKnown, checkPlanned, checkStands, isConfirmed } from '../../changes/jobs/state.ts';
import { planSizeOf } from '../../changes/plan/plan-size.ts';
import { exitOfJob, isRollingBack, resumeJob, retriedStates, retryJob, runJob } from '../../changes/run/job.ts';
import { runSettings } from '../../changes/run/options.ts';
import { rollBack } from '../../changes/undo.ts';
import type { JobHead, RowState } from '../../contract/jobs.ts';
import { defined } from '../../text/defined.ts';
import { counted, spaced } from '../../text/thousands.ts';
import type { Context } from '../context.ts';
import { announceCounts, confirm } from './confirm.ts';
import { milliseconds, type RunFlags } from './flags.ts';
import { checkSite, jobCommand, shortID } from './journal.ts';
import { type RunExtras, withProgress } from './running.ts';
import { secretsOfFiles } from './source-files.ts';
import { printSummary } from './summary.ts';

export interface ContinueFlags extends RunFlags {
  readonly takeover?: boolean;
  readonly settleAfter?: string;
}

/** How a job goes on. */
export type Continuation = 'resume' | 'retry';

interface Continued {
  readonly by: Continuation;
  readonly flags: ContinueFlags;
}

/** Locks the job and goes on with it. Answers the exit code. Throws `conflict` where it cannot go on so, and `busy`. */
export async function continueJob(context: Context, job: JobHead, how: Continued): Promise<number> {
  const jobs = await context.jobs();
  await checkSite(context, await context.session(), job);
  return withLock(jobs, job.id, { takeover: how.flags.takeover === true }, async (head) => {
    checkStands(await headsAround(jobs, head), head);
    return continueLocked(context, head, how);
  });
}

async function continueLocked(context: Context, head: JobHead, { by, flags }: Continued): Promise<number> {
  const [session, jobs] = [await context.session(), await context.jobs()];
  (by === 'resume' ? checkPlanned : checkConfirmed)(head);
  if (by === 'retry') checkOutcomeKnown(head);
  const isRollback = by === 'resume' && (await isRollingBack(session, jobs, head));
  const states = isRollback ? UNKNOWN : by === 'resume' ? RESUMED : retriedStates(flags);
  const rowsIn = (some: readonly RowState[]): number => some.reduce((sum, state) => sum + (head.counts[state] ?? 0), 0);
  const total = rowsIn(states);
  const job = `${shortID(head.id)}: ${head.title}`;
  if (total === 0 && !isRollback) {
    const [left, retried] = [rowsIn(retriedStates({ onDrift: 'overwrite' })), rowsIn(retriedStates({}))];
    const retry = jobCommand(context, 'jobs retry', head.id);
    const how = retried > 0 ? `To try again: ${retry}` : `To do so anyway: ${retry} --on-drift overwrite`;
    const rest = `${counted(left, 'row')} not done as planned. ${how}`;
    context.note(`${job}. ${left > 0 ? rest : 'There is nothing left to do.'}`);
    return left > 0 ? exitOfJob(head, head.counts, new Set(retried > 0 ? [] : ['drifted'])) : 0;
  }
  context.note(`${job}, ${spaced(total)} of ${counted(head.total, 'row')}`);
  const size = await planSizeOf(jobs.rows(head.id, { states }));
  announceCounts(context, session, size.verbs);
  if (context.settings.dryRun) return 0;
  const isNew = !isConfirmed(head);
  const { onDrift, settleAfter } = flags;
  if (isNew) await confirm(context, size, { kind: head.kind, onDrift: onDrift ?? runSettings(head).onDrift });
  const unknownFor = settleAfter === undefined ? undefined : milliseconds('--settle-after', settleAfter);
  const extras = defined<RunExtras>({ onDrift, unknownFor, ...(await secretsOfFiles(context, head)) });
  const run = isNew ? runJob : by === 'resume' ? resumeJob : retryJob;
  const summary = await withProgress(context, total, extras, async (options) =>
    rollBack(session, jobs, await run(session, jobs, head.id, options), options),
  );
  return printSummary(context, summary);
}

/** A job that is being rolled back runs no row any more: it only finds out what was done. */
const UNKNOWN: readonly RowState[] = ['intent', 'unknown'];
const RESUMED: readonly RowState[] = ['pending', ...UNKNOWN];
