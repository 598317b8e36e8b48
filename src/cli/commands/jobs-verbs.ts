// The verbs of pm jobs.
import { planSizeOf } from '../../changes/plan/plan-size.ts';
import { resumeJob, retryJob, runJob } from '../../changes/run/job.ts';
import {
  checkConfirmed,
  checkNotUndone,
  checkPlanned,
  deleteJob,
  isConfirmed,
  withLock,
} from '../../changes/run/job-state.ts';
import { runSettings } from '../../changes/run/options.ts';
import { jobNamed, rollBack } from '../../changes/undo.ts';
import type { Session } from '../../contract/call.ts';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobStore, OnDamaged, RowState } from '../../contract/jobs.ts';
import { isGuid } from '../../contract/kinds.ts';
import { announceCounts, checkProfileNamed, confirm } from '../changes/confirm.ts';
import { writeAllFailed } from '../changes/failed-rows.ts';
import { reportFailures } from '../changes/failures.ts';
import type { RunFlags } from '../changes/flags.ts';
import { HEADS, headRow, jobRows, rowsShape } from '../changes/head-rows.ts';
import { jobCommand, shortID, withJobs } from '../changes/journal.ts';
import { type RunExtras, withProgress } from '../changes/running.ts';
import { secretsOfFiles } from '../changes/source-files.ts';
import { inputSources } from '../changes/sources.ts';
import { printSummary, SUMMARY } from '../changes/summary.ts';
import type { Context } from '../context.ts';
import { outputOf } from '../input/files.ts';
import { callingOf } from '../output/calling.ts';

export interface JobFlags extends RunFlags {
  readonly rows?: boolean;
  readonly state?: RowState;
  readonly takeover?: boolean;
  readonly out?: string;
  readonly olderThan?: string;
}

const headsOf = ({ settings }: Context, jobs: JobStore, onDamaged?: OnDamaged): Promise<readonly JobHead[]> =>
  jobs.heads(settings.profile, onDamaged);

export const list = (context: Context, { journal }: JobFlags): Promise<number> =>
  withJobs(context, journal, async (jobs) => {
    const damaged: ServiceError[] = [];
    const heads = await headsOf(context, jobs, (_job, error) => void damaged.push(error));
    await context.print({ shape: HEADS, rows: heads.map((head) => headRow(head, heads)) });
    if (heads.length + damaged.length === 0) context.note('No jobs.');
    const exit = await reportFailures(context, damaged, heads.length + damaged.length);
    return damaged.length > 0 && heads.length > 0 ? EXIT.partly : exit;
  });

export const show = (context: Context, job: string, { journal, rows, state }: JobFlags): Promise<number> =>
  withJobs(context, journal, async (jobs) => {
    const heads = await headsOf(context, jobs);
    const head = jobNamed(heads, job);
    if (rows === true || state !== undefined) {
      const wanted = state === undefined ? {} : { states: [state] };
      const printed = jobRows(head, jobs.rows(head.id, wanted), callingOf(context.io, context.settings));
      await context.print({ shape: rowsShape(head), rows: printed });
      return 0;
    }
    await context.print({ shape: HEADS, rows: [headRow(head, heads)], one: true });
    context.note(`Its rows: ${jobCommand(context, 'jobs show', head.id)} --rows`);
    return 0;
  });

interface Continuation {
  readonly run: typeof resumeJob;
  /** Of these rows. */
  readonly states: readonly RowState[];
  /** Throws where it cannot be done with such a job. */
  check(head: JobHead): void;
}

export const resume = (context: Context, job: string, flags: JobFlags): Promise<number> =>
  continueJob(context, job, flags, { run: resumeJob, states: ['pending', 'intent', 'unknown'], check: checkPlanned });

export const retry = (context: Context, job: string, flags: JobFlags): Promise<number> => {
  const drifted = flags.onDrift === 'overwrite' ? (['drifted'] as const) : [];
  return continueJob(context, job, flags, {
    run: retryJob,
    states: ['failed', 'skipped', 'pending', ...drifted],
    check: checkConfirmed,
  });
};

async function continueJob(context: Context, job: string, flags: JobFlags, going: Continuation): Promise<number> {
  checkProfileNamed(context);
  await context.checkPrint(SUMMARY);
  const session = await context.session();
  return withJobs(context, flags.journal, async (jobs) => {
    const heads = await headsOf(context, jobs);
    const named = jobNamed(heads, job);
    checkSite(session, named);
    checkNotUndone(heads, named);
    return withLock(jobs, named.id, { takeover: flags.takeover === true }, (head) =>
      continueLocked(context, session, jobs, { ...going, head, flags }),
    );
  });
}

async function continueLocked(
  context: Context,
  session: Session,
  jobs: JobStore,
  { head, flags, run, states, check }: Continuation & { readonly head: JobHead; readonly flags: JobFlags },
): Promise<number> {
  check(head);
  const total = states.reduce((sum, state) => sum + (head.counts[state] ?? 0), 0);
  context.note(`${shortID(head.id)}: ${head.title}, ${total} of ${head.total} rows`);
  // A job that was killed after its last row has no rows left, but is still to be ended.
  if (total === 0 && head.state === 'ended') {
    context.note('There is nothing left to do.');
    return 0;
  }
  const size = await planSizeOf(jobs.rows(head.id, { states }));
  announceCounts(context, session, size.verbs);
  if (context.settings.dryRun) return 0;
  const isNew = !isConfirmed(head);
  const given = flags.onDrift === undefined ? {} : { onDrift: flags.onDrift };
  if (isNew) await confirm(context, size, { kind: head.kind, ...runSettings(head), ...given });
  const how: RunExtras = { ...given, ...(await secretsOfFiles(context, jobs, head)) };
  const summary = await withProgress(context, total, how, async (options) =>
    rollBack(session, jobs, await (isNew ? runJob : run)(session, jobs, head.id, options), options),
  );
  const { files } = await writeAllFailed(context, jobs, head);
  return printSummary(context, summary, files);
}

/** Throws `conflict` if the job belongs to another site. */
function checkSite({ me }: Session, { id, site }: JobHead): void {
  if (site === me.site) return;
  throw new ServiceError('conflict', `job ${shortID(id)} is about site ${site}, not about this one`, {
    hint: `Act there: --site ${site}`,
  });
}

export const report = (context: Context, job: string, { journal, out }: JobFlags): Promise<number> =>
  withJobs(context, journal, async (jobs) => {
    const head = jobNamed(await headsOf(context, jobs), job);
    const output = out === undefined ? undefined : outputOf(context, '--out', out);
    const { files, gone } = await writeAllFailed(context, jobs, head, output);
    for (const file of files) context.note(`${context.settings.dryRun ? 'Would write' : 'Written'}: ${file}`);
    if (gone.length > 0 || inputSources(head).length === 0) throw inputGone(context, head, gone);
    if (files.length === 0) context.note('All rows were done: there is nothing to report.');
    return 0;
  });

const inputGone = (context: Context, { id }: JobHead, gone: readonly string[]): ServiceError =>
  new ServiceError(
    'conflict',
    `${gone.join(', ') || 'the input'} of job ${shortID(id)} is not there any more as it was`,
    {
      hint: `${jobCommand(context, 'jobs show', id)} --rows --state failed shows what failed.`,
    },
  );

const DAY = 86_400_000;

/** Forgets the named jobs, or without names the old ones. */
export const prune = (context: Context, named: readonly string[], { journal, olderThan }: JobFlags): Promise<number> =>
  withJobs(context, journal, async (jobs) => {
    const isNamed = named.length > 0;
    const ids = isNamed ? await namedIDs(context, jobs, named) : await olderIDs(context, jobs, olderThan);
    if (!context.settings.dryRun && isNamed) for (const id of ids) await deleteJob(jobs, id);
    else if (!context.settings.dryRun) await jobs.delete(ids);
    const verb = context.settings.dryRun ? 'Would forget' : 'Forgot';
    context.note(`${verb} ${ids.length} ${ids.length === 1 ? 'job' : 'jobs'}.`);
    return 0;
  });

/** A whole ID is not looked up, so that a damaged job can be named. */
async function namedIDs(context: Context, jobs: JobStore, named: readonly string[]): Promise<readonly string[]> {
  const heads = await headsOf(context, jobs, () => undefined);
  return named.map((name) => (isGuid(name) ? name.toLowerCase() : jobNamed(heads, name).id));
}

async function olderIDs(context: Context, jobs: JobStore, olderThan = '90d'): Promise<readonly string[]> {
  const [, days] = /^(\d{1,5})d?$/.exec(olderThan) ?? [];
  if (days === undefined)
    throw new ServiceError('usage', `--older-than is "${olderThan}"; it is a number of days, as in 90d`);
  const before = new Date(context.io.now().getTime() - Number(days) * DAY).toISOString();
  const isOver = ({ state, counts }: JobHead): boolean =>
    state !== 'running' && (counts.intent ?? 0) + (counts.unknown ?? 0) === 0;
  const heads = await headsOf(context, jobs, () => undefined);
  return heads.filter((head) => head.created < before && isOver(head)).map(({ id }) => id);
}
