// The one way of every change, of one record as of a million: told, rehearsed or agreed to, run as one job.
import type { Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import type { JobStore, NewJob, PlannedRow } from '../contract/jobs.ts';
import { AT_ONCE, runAtOnce } from './at-once.ts';
import { type Extent, openGauge } from './plan/plan-size.ts';
import { type Onlookers, rehearse } from './rehearsal.ts';
import { runOrTakeBack, takeBack } from './rollback.ts';
import type { Summary } from './run/counts.ts';
import { thisProcess } from './run/holding.ts';
import { planJob } from './run/job.ts';
import type { RunOptions } from './run/options.ts';

export interface Order {
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
