// The verbs of pm jobs that show a job or go on with it.
import { jobNamed } from '../../changes/undo.ts';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import type { JobHead, OnDamaged, RowState } from '../../contract/jobs.ts';
import { defined } from '../../text/defined.ts';
import { counted } from '../../text/thousands.ts';
import { type Continuation, type ContinueFlags, continueJob } from '../changes/continue-job.ts';
import { writeAllFailed } from '../changes/failed-rows.ts';
import { reportFailures } from '../changes/failures.ts';
import { headsHere, inputSources, jobCommand, jobHere, shortID, withJobs } from '../changes/journal.ts';
import { HEADS, headRow, jobRows, readsNames, rowNames, rowsShape, SUMMARY } from '../changes/summary.ts';
import type { Context } from '../context.ts';
import { outputOf } from '../input/files.ts';
import { callingOf } from '../output/calling.ts';

export interface JobFlags extends ContinueFlags {
  readonly rows?: boolean;
  /** The number of a row, where it is not all. */
  readonly row?: string;
  readonly done?: boolean;
  readonly notDone?: boolean;
  readonly id?: string;
  readonly state?: RowState;
  readonly out?: string;
  readonly olderThan?: string;
}

export const list = (context: Context, { journal }: JobFlags): Promise<number> =>
  withJobs(context, journal, async (jobs) => {
    const damaged: ServiceError[] = [];
    const onDamaged: OnDamaged = (_job, error) => void damaged.push(error);
    const heads = await headsHere(context, jobs, defined({ onDamaged, limit: limitOf(context) }));
    await context.print({ shape: HEADS, rows: heads.map(headRow) });
    if (heads.length + damaged.length === 0) context.note('No jobs.');
    const exit = await reportFailures(context, damaged, heads.length + damaged.length);
    return damaged.length > 0 && heads.length > 0 ? EXIT.partly : exit;
  });

/** How many jobs can be printed, and one more to tell that there are more; undefined where others may come first. */
const limitOf = ({ settings: { where, sort, limit } }: Context): number | undefined =>
  limit === undefined || where.length > 0 || sort !== undefined ? undefined : limit + 1;

export const show = (context: Context, job: string, { journal, rows, state }: JobFlags): Promise<number> =>
  withJobs(context, journal, async (jobs) => {
    const head = await jobHere(context, jobs, job);
    if (rows === true || state !== undefined) {
      const wanted = state === undefined ? {} : { states: [state] };
      const { io, settings } = context;
      const session = settings.remote || !readsNames(context) ? undefined : await context.session();
      const names = rowNames(session);
      const printed = jobRows(head, jobs.rows(head.id, wanted), callingOf(io, settings), names);
      return context.print({ shape: rowsShape(head), rows: printed });
    }
    await context.print({ shape: HEADS, rows: [headRow(head)], one: true });
    context.note(`Its rows: ${jobCommand(context, 'jobs show', head.id)} --rows`);
    return 0;
  });

export const resume = (context: Context, job: string, flags: JobFlags): Promise<number> =>
  goOn(context, job, { by: 'resume', flags });

export const retry = (context: Context, job: string, flags: JobFlags): Promise<number> =>
  goOn(context, job, { by: 'retry', flags });

async function goOn(
  context: Context,
  job: string,
  how: { readonly by: Continuation; readonly flags: JobFlags },
): Promise<number> {
  await context.checkPrint(SUMMARY);
  const session = await context.session();
  return withJobs(context, how.flags.journal, async (jobs) =>
    continueJob(context, session, jobs, jobNamed(await jobs.heads(context.settings.jobProfile), job), how),
  );
}

export const report = (context: Context, job: string, { journal, out }: JobFlags): Promise<number> =>
  withJobs(context, journal, async (jobs) => {
    const head = await jobHere(context, jobs, job);
    const output = out === undefined ? undefined : outputOf(context, '--out', out);
    const { files, gone } = await writeAllFailed(context, jobs, head, output);
    for (const file of files) context.note(`${context.settings.dryRun ? 'Would write' : 'Written'}: ${file}`);
    if (gone.length > 0 || inputSources(head).length === 0) throw inputGone(context, head, gone);
    const waiting = waitingIn(context, head);
    if (waiting !== undefined) context.note(waiting);
    else if (files.length === 0) context.note('All rows were done: there is nothing to report.');
    return 0;
  });

/** The rows that no report holds, since the job still comes to them. */
function waitingIn(context: Context, { id, state, counts: { pending = 0, intent = 0 } }: JobHead): string | undefined {
  const count = pending + intent;
  if (count === 0) return undefined;
  const next = state === 'running' ? 'the job is running' : `to go on: ${jobCommand(context, 'jobs resume', id)}`;
  return `${counted(count, 'row')} ${count === 1 ? 'waits' : 'wait'} to be run; ${next}`;
}

const inputGone = (context: Context, { id }: JobHead, gone: readonly string[]): ServiceError =>
  new ServiceError(
    'conflict',
    `${gone.join(', ') || 'the input'} of job ${shortID(id)} is not there any more as it was`,
    {
      hint: `${jobCommand(context, 'jobs show', id)} --rows --state failed shows what failed.`,
    },
  );
