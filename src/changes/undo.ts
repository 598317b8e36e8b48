// Takes a job back: the reverse plan of what it did, which is a job itself and can be taken back too.
import type { Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { EXIT } from '../contract/exit.ts';
import type { JobHead, JobStore, NewJob, PlannedRow } from '../contract/jobs.ts';
import { planJob, runJob } from './job.ts';
import type { RunOptions } from './run.ts';
import type { Summary } from './tally.ts';
import { reverseOf } from './undo-row.ts';

/**
 * The job that is meant: the newest that is neither an undo nor undone, or the one whose ID begins so, an undo too.
 * `heads`: the newest first. Throws `not_found`, `ambiguous`, `conflict` where it is taken back already.
 */
export function jobToUndo(heads: readonly JobHead[], prefix?: string): JobHead {
  if (prefix === undefined) {
    const newest = heads.find((head) => head.kind !== 'undo' && hasDone(head) && !isUndone(heads, head));
    if (newest) return newest;
    throw new ServiceError('not_found', 'there is nothing to undo', { hint: 'pm jobs list shows what was done.' });
  }
  const head = jobNamed(heads, prefix);
  if (isUndone(heads, head)) {
    throw new ServiceError('conflict', `job ${head.id} is undone already, by job ${head.undoneBy ?? ''}`, {
      hint: `To do it once more: pm undo ${head.undoneBy ?? ''}`,
    });
  }
  return head;
}

/** The job whose ID begins so. Throws `not_found`, `ambiguous`. */
export function jobNamed(heads: readonly JobHead[], prefix: string): JobHead {
  const wanted = prefix.toLowerCase();
  const found = heads.filter(({ id }) => id.toLowerCase().startsWith(wanted));
  const [only, ...more] = found;
  if (!only || wanted === '')
    throw new ServiceError('not_found', `there is no job ${prefix}`, { hint: 'pm jobs list shows what there is.' });
  if (more.length === 0) return only;
  throw new ServiceError('ambiguous', `several jobs begin with ${prefix}`, {
    candidates: found.map(({ id, title, created }) => `${id}  ${created}  ${title}`),
    hint: 'Give more of the ID.',
  });
}

const hasDone = ({ counts }: JobHead): boolean => (counts.done ?? 0) > 0;

/** Is it taken back, and that not taken back in turn? */
export function isUndone(heads: readonly JobHead[], { undoneBy }: JobHead): boolean {
  const undo = undoneBy === undefined ? undefined : heads.find(({ id }) => id === undoneBy);
  return undoneBy !== undefined && !(undo && isUndone(heads, undo));
}

/** The rows that take a job back, the last one of it first. Rows that nothing takes back are left out. */
export async function* reverseRows(jobs: JobStore, job: string): AsyncGenerator<PlannedRow> {
  let number = 0;
  for await (const row of jobs.rows(job, { states: ['done'], backwards: true })) {
    const reverse = reverseOf(row);
    if (reverse) yield { number: ++number, ...reverse };
  }
}

/**
 * Takes a job back. Only what the job changed goes back, and only where it still is what the job left: other rows are
 * marked `drifted`, and the exit code is 3. Throws `conflict` while it is unknown what became of some of its rows.
 */
export async function undoJob(
  session: Session,
  jobs: JobStore,
  head: JobHead,
  undo: Omit<NewJob, 'kind' | 'undoes'>,
  options: RunOptions,
): Promise<Summary> {
  checkSettled(head);
  await planJob(jobs, { ...undo, kind: 'undo', undoes: head.id }, reverseRows(jobs, head.id));
  return runUndo(session, jobs, head, undo.id, options);
}

/** Runs an undo that is planned. */
export async function runUndo(
  session: Session,
  jobs: JobStore,
  head: JobHead,
  undo: string,
  options: RunOptions,
): Promise<Summary> {
  const summary = await runJob(session, jobs, undo, options);
  const { done = 0, drifted = 0 } = summary.counts;
  if (done > 0 || summary.job.total === 0) await jobs.set(head.id, { undoneBy: undo });
  return drifted > 0 && summary.exit === EXIT.rejected ? { ...summary, exit: EXIT.partly } : summary;
}

/** Throws `conflict` where it is not known what the job did. */
export function checkSettled({ id, counts }: JobHead): void {
  const unsettled = (counts.intent ?? 0) + (counts.unknown ?? 0);
  if (unsettled === 0) return;
  throw new ServiceError('conflict', `it is not known what became of ${unsettled} rows of job ${id}`, {
    hint: `Settle them first: pm jobs resume ${id}`,
  });
}
