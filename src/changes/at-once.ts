// Plans and runs a few rows at once, which somebody has agreed to.
import type { Inside, Session } from '../contract/call.ts';
import type { ServiceError } from '../contract/errors.ts';
import type { JobStore, NewJob, PlannedRow } from '../contract/jobs.ts';
import { isUnchanged } from './run/apply-row.ts';
import type { Summary } from './run/counts.ts';
import { known, thisProcess } from './run/holding.ts';
import { going, planJob, RUNNING } from './run/job.ts';
import { agreedTo } from './run/job-state.ts';
import type { RunOptions } from './run/options.ts';

/** So many rows are held in memory, and asked about before anything is written down. */
export const AT_ONCE = 500;

interface Few {
  readonly job: NewJob;
  readonly rows: readonly PlannedRow[];
}

/**
 * On the embedded engine the plan, the changes and what became of them are one transaction. Rows of a
 * command that change nothing leave no job. A single one that fails there leaves none either: its error is thrown.
 */
export async function runAtOnce(session: Session, jobs: JobStore, few: Few, options: RunOptions): Promise<Summary> {
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
