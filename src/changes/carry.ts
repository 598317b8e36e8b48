// The one way of every change, of one record as of a million: told, rehearsed or agreed to, run as one job.
import type { Inside, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import type { JobStore, NewJob, PlannedRow } from '../contract/jobs.ts';
import { type Extent, openGauge } from './plan/plan-size.ts';
import { type Onlookers, rehearse } from './rehearsal.ts';
import { isUnchanged } from './run/apply-row.ts';
import type { Summary } from './run/counts.ts';
import { going, planJob, RUNNING } from './run/job.ts';
import { agreedTo, known, thisProcess } from './run/job-state.ts';
import type { RunOptions } from './run/options.ts';
import { runOrTakeBack, takeBack } from './undo.ts';

interface Order {
  readonly job: NewJob;
  /** They are read once. Where they throw, nothing has happened. */
  readonly rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>;
  /** Nothing is to be changed. */
  readonly rehearse: boolean;
}

export interface People {
  /** All rows are known. Throws where the change is not agreed to; nothing has happened then. */
  planned(extent: Extent): Promise<void>;
  /** What a rehearsal finds. */
  readonly rehearsed: Onlookers['rehearsed'];
  /** Runs `work` in front of them. */
  watch(total: number, work: (options: RunOptions) => Promise<Summary>): Promise<Summary>;
}

/**
 * Carries out an order. Answers how it went; undefined where there is no row, or a remote service was only read. Throws
 * what the rows throw, what `planned` throws, `interrupted`, and as `runJob`: then no job is left, unless it has begun.
 */
export async function carry(
  { session, ...doors }: { readonly session: Session; jobs(): Promise<JobStore> },
  order: Order,
  people: People,
  options: RunOptions,
): Promise<Summary | undefined> {
  const gauge = openGauge();
  const { job } = order;
  const rows = gauge.through(order.rows);
  const planned = (): Promise<void> => people.planned(gauge.extent);
  if (order.rehearse) return rehearse(session, { job, rows }, { planned, rehearsed: people.rehearsed }, options);
  const { some, isAll } = await first(rows, AT_ONCE);
  if (isAll) {
    await planned();
    if (some.length === 0) return undefined;
    const jobs = await doors.jobs();
    return people.watch(some.length, async (watched) =>
      takeBack(session, jobs, await runAtOnce(session, jobs, { job, rows: some }, watched), watched),
    );
  }
  const jobs = await doors.jobs();
  const left = { jobs, id: job.id, signal: options.signal };
  await unlessStopped(left, () => planJob(jobs, job, joined(some, rows), thisProcess()));
  await unlessStopped(left, () => orForgotten(left, planned));
  return people.watch(gauge.extent.changes, (watched) => runOrTakeBack(session, jobs, job.id, watched));
}

/** The first rows, and whether there are no more; more than `most` are the first of many. */
async function first<T>(rows: AsyncGenerator<T>, most: number): Promise<{ some: readonly T[]; isAll: boolean }> {
  const some: T[] = [];
  while (some.length <= most) {
    const next = await rows.next();
    if (next.done) return { some, isAll: true };
    some.push(next.value);
  }
  return { some, isAll: false };
}

async function* joined<T>(some: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* some;
  yield* rest;
}

interface Left {
  readonly jobs: JobStore;
  readonly id: string;
  readonly signal: AbortSignal | undefined;
}

/** Asks what may throw; then the plan is forgotten. */
async function orForgotten({ jobs, id }: Left, ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    await jobs.delete([id]);
    throw error;
  }
}

/** A signal that nobody listens to ends the process at once, with a plan left behind. */
async function unlessStopped({ jobs, id, signal }: Left, work: () => Promise<void>): Promise<void> {
  if (!signal) return work();
  const listening = new AbortController();
  const told = new Promise<'stopped'>((resolve) => {
    signal.addEventListener('abort', () => resolve('stopped'), { signal: listening.signal });
  });
  try {
    if ((await Promise.race([work(), told])) !== 'stopped') return;
    await jobs.delete([id]);
    throw new ServiceError('interrupted', 'interrupted; nothing of this was changed');
  } finally {
    listening.abort();
  }
}

/** So many rows are held in memory, and asked about before anything is written down. */
const AT_ONCE = 500;

interface Few {
  readonly job: NewJob;
  readonly rows: readonly PlannedRow[];
}

/**
 * On the embedded engine the plan, the changes and what became of them are one transaction. Rows of a
 * command that change nothing leave no job. A single one that fails there leaves none either: its error is thrown.
 */
async function runAtOnce(session: Session, jobs: JobStore, few: Few, options: RunOptions): Promise<Summary> {
  const agreed = { ...few, job: agreedTo(few.job) };
  const watched = watching(options);
  if (session.local) return session.local.transaction((inside) => insideOne(inside, agreed, watched), watched.isNeeded);
  const summary = await journaledFirst(session, jobs, agreed, watched.options);
  if (!watched.isNeeded(summary)) await jobs.delete([few.job.id]);
  return summary;
}

interface Watched {
  readonly options: RunOptions;
  /** Is there anything in the job that is to be known, gone on with or taken back? */
  isNeeded(summary: Summary): boolean;
  /** Why a row was refused, the last time. */
  refusal(): ServiceError | undefined;
}

function watching(options: RunOptions): Watched {
  let hasChanged = false;
  let refusal: ServiceError | undefined;
  return {
    options: {
      ...options,
      onDone: (row, made) => {
        hasChanged ||= !isUnchanged(row, made);
        options.onDone?.(row, made);
      },
      onFailed: (row, error) => {
        refusal = error;
        options.onFailed?.(row, error);
      },
    },
    isNeeded: ({ counts, job, stopped }) =>
      job.kind !== 'change' || hasChanged || stopped !== undefined || (counts.done ?? 0) < job.total,
    refusal: () => refusal,
  };
}

/** What a journal is asked at the same time shares one commit, in the order in which it is asked. */
async function journaledFirst(
  session: Session,
  jobs: JobStore,
  { job, rows }: Few,
  options: RunOptions,
): Promise<Summary> {
  const { id } = job;
  const { owner = thisProcess() } = options;
  await Promise.all([jobs.begin(job, owner), jobs.plan(id, rows), jobs.seal(id), jobs.set(id, RUNNING)]);
  try {
    return await going(session, jobs, await known(jobs, id), options, ['pending']);
  } finally {
    await jobs.release(id, owner);
  }
}

async function insideOne(
  inside: Inside,
  { job, rows }: Few,
  { options, refusal }: Pick<Watched, 'options' | 'refusal'>,
): Promise<Summary> {
  const { jobs } = inside.local;
  const { owner = thisProcess() } = options;
  await planJob(jobs, job, rows, owner);
  const summary = await going(inside, jobs, await known(jobs, job.id), options, ['pending']);
  const refused = refusal();
  if (refused && job.kind === 'change' && rows.length === 1) throw refused;
  await jobs.release(job.id, owner);
  return summary;
}
