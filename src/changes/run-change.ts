// The one way of every change, of one record as of a million: planned, confirmed and run as one job, or rehearsed.
import type { Local, Session, TransactionSession } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import type { JobStore, NewJob, PlannedRow } from '../contract/jobs.ts';
import { thisProcess } from '../files/processes.ts';
import { seenBy } from '../text/batches.ts';
import type { KnownPlan } from './consequences/preview.ts';
import { jobHead } from './jobs/access.ts';
import { confirmed } from './jobs/state.ts';
import { openSizeMeter, type PlanSize, type SizeMeter } from './plan/plan-size.ts';
import { rehearse } from './rehearsal/rehearse.ts';
import type { RehearsalUi } from './rehearsal/rehearsed.ts';
import { isUnchanged } from './run/apply-row.ts';
import type { Summary } from './run/counts.ts';
import { newRun, pagesOf, planJob, planPages, runRows, SMALL_PLAN } from './run/job.ts';
import type { RunOptions } from './run/options.ts';
import { rollBack, runOrRollBack } from './undo.ts';

interface ChangeRequest {
  readonly job: NewJob;
  /** They are read once. Where they throw, nothing has happened. */
  readonly rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>;
  /** Nothing is to be changed. */
  readonly rehearse: boolean;
}

export interface Ui {
  /** All rows are known. Throws where the change is not confirmed; nothing has happened then. No plan is there of a rehearsal. */
  planned(size: PlanSize, plan?: KnownPlan): Promise<void>;
  /** The job is in the journal, and none of its rows is run. Throws where it must not be; nothing has happened then. */
  begun?(jobs: JobStore): Promise<void>;
  /** Shows what a rehearsal finds. */
  readonly rehearsed: RehearsalUi['rehearsed'];
  /** Reads what a rehearsal has made. */
  made?(session: Session): Promise<void>;
  /** Shows the progress of `work`. */
  watch(total: number, work: (options: RunOptions) => Promise<Summary>): Promise<Summary>;
}

/**
 * Carries out a request. Answers undefined if there is no row, or a remote service was only read. Throws what the rows
 * throw, what `planned` throws, `interrupted`, and as `runJob`: then no job is left, unless it has begun.
 */
export async function runChange(
  target: { readonly session: Session; jobs(): Promise<JobStore> },
  { job, rows: given, rehearse: isRehearsal }: ChangeRequest,
  ui: Ui,
  options: RunOptions,
): Promise<Summary | undefined> {
  const { session } = target;
  const meter = openSizeMeter();
  const planned = (plan?: KnownPlan): Promise<void> => ui.planned(meter.size, plan);
  if (isRehearsal)
    return rehearse(session, { job, rows: meter.through(given) }, { ...ui, planned: () => planned() }, options);
  const pages = pagesOf(given);
  const { value: some = [] } = await pages.next();
  meter.count(some);
  if (some.length <= SMALL_PLAN) {
    await planned({ job, rows: () => some, isKept: false });
    if (some.length === 0) return undefined;
    const jobs = await target.jobs();
    return ui.watch(some.length, async (watched) =>
      rollBack(session, jobs, await runSmallPlan(session, jobs, { job, rows: some, ui }, watched), watched),
    );
  }
  const jobs = await target.jobs();
  const plan = { jobs, id: job.id, signal: options.signal };
  await deleteIfStopped(plan, () => planPages(jobs, job, withRest(some, pages, meter), thisProcess()));
  const confirm = async (): Promise<void> => {
    await planned({ job, rows: () => jobs.rows(job.id), isKept: true });
    await ui.begun?.(jobs);
  };
  await deleteIfStopped(plan, () => deleteIfRefused(jobs, job.id, confirm));
  return ui.watch(meter.size.changes, (watched) => runOrRollBack(session, jobs, job.id, watched));
}

type Page = readonly PlannedRow[];

/** The first page, and the others, which are counted when they are read. */
async function* withRest(first: Page, rest: AsyncGenerator<Page>, meter: SizeMeter): AsyncGenerator<Page> {
  try {
    yield first;
    yield* seenBy(rest, meter.count);
  } finally {
    await rest.return(undefined);
  }
}

interface PlannedJob {
  readonly jobs: JobStore;
  readonly id: string;
  readonly signal: AbortSignal | undefined;
}

async function deleteIfRefused(jobs: JobStore, id: string, confirm: () => Promise<void>): Promise<void> {
  try {
    await confirm();
  } catch (error) {
    await jobs.delete([id]);
    throw error;
  }
}

/** Deletes the plan on a signal: without a listener the signal would end the process and leave the plan. */
async function deleteIfStopped({ jobs, id, signal }: PlannedJob, work: () => Promise<void>): Promise<void> {
  if (!signal) return work();
  const listener = new AbortController();
  const stopped = new Promise<'stopped'>((resolve) => {
    signal.addEventListener('abort', () => resolve('stopped'), { signal: listener.signal });
  });
  try {
    if ((await Promise.race([work(), stopped])) !== 'stopped') return;
    await jobs.delete([id]);
    throw new ServiceError('interrupted', 'interrupted; nothing of this was changed');
  } finally {
    listener.abort();
  }
}

interface SmallPlan {
  readonly job: NewJob;
  readonly rows: readonly PlannedRow[];
  readonly ui: Pick<Ui, 'begun'>;
}

/**
 * On the embedded engine the plan, the changes and their outcomes are one transaction. A job of one command that changes
 * nothing is not kept; nor is a single row that fails there: its error is thrown.
 */
async function runSmallPlan(
  session: Session,
  jobs: JobStore,
  { job, ...rest }: SmallPlan,
  options: RunOptions,
): Promise<Summary> {
  const plan = { job: confirmed(job), ...rest };
  if (session.local) return runSmallLocally(session.local, plan, options);
  const observed = observe(options);
  const summary = await runOnRemote(session, jobs, plan, observed.options);
  if (!observed.isNeeded(summary)) await jobs.delete([job.id]);
  return summary;
}

/** What is reported inside the transaction is passed on after it: it may be run again. */
async function runSmallLocally(local: Local, plan: SmallPlan, options: RunOptions): Promise<Summary> {
  const reports: (() => void)[] = [];
  let observed = observe(options);
  const work = (session: TransactionSession): Promise<Summary> => {
    reports.length = 0;
    observed = observe(options, (report) => void reports.push(report));
    return runInTransaction(session, plan, observed);
  };
  const summary = await local.transaction(work, (made) => observed.isNeeded(made));
  for (const report of reports) report();
  return summary;
}

type Observed = ReturnType<typeof observe>;

/** `pass` says when a report is passed on: at once by default. */
function observe(options: RunOptions, pass = (report: () => void): void => report()) {
  let hasChanged = false;
  let refusal: ServiceError | undefined;
  const observed: RunOptions = {
    ...options,
    onDone: (row, applied) => {
      hasChanged ||= !isUnchanged(row, applied);
      pass(() => options.onDone?.(row, applied));
    },
    onFailed: (row, error) => {
      refusal = error;
      pass(() => options.onFailed?.(row, error));
    },
    onProgress: (counts) => pass(() => options.onProgress?.(counts)),
  };
  return {
    options: observed,
    /** Must the job be kept, to be shown, resumed or undone? */
    isNeeded: ({ counts, job, stopped }: Summary): boolean =>
      job.kind !== 'change' || hasChanged || stopped !== undefined || (counts.done ?? 0) < job.total,
    /** The error of the last row that failed. */
    refusal: (): ServiceError | undefined => refusal,
  };
}

/** Writes to the journal that are called together share one commit, in their order. */
async function runOnRemote(
  session: Session,
  jobs: JobStore,
  { job, rows, ui }: SmallPlan,
  options: RunOptions,
): Promise<Summary> {
  const { id } = job;
  const { owner = thisProcess() } = options;
  await Promise.all([jobs.begin(job, owner), jobs.plan(id, rows), jobs.seal(id), jobs.start(id, job.settings)]);
  await deleteIfRefused(jobs, id, async () => ui.begun?.(jobs));
  try {
    return await runRows(newRun(session, jobs, await jobHead(jobs, id), options));
  } finally {
    await jobs.release(id, owner);
  }
}

async function runInTransaction(
  session: TransactionSession,
  { job, rows, ui }: SmallPlan,
  { options, refusal }: Pick<Observed, 'options' | 'refusal'>,
): Promise<Summary> {
  const { jobs } = session.local;
  const { owner = thisProcess() } = options;
  await planJob(jobs, job, rows, owner);
  await ui.begun?.(jobs);
  await jobs.start(job.id, job.settings);
  const summary = await runRows(newRun(session, jobs, await jobHead(jobs, job.id), options));
  const refused = refusal();
  if (refused && job.kind === 'change' && rows.length === 1) throw refused;
  await jobs.release(job.id, owner);
  return summary;
}
