// Takes a job back: the reverse plan of what it did, which is a job itself and can be taken back too.
import type { Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import type { JobHead, JobStore, NewJob, PlannedRow } from '../contract/jobs.ts';
import type { Summary } from './run/counts.ts';
import { forgetUndos, holdJob, thisProcess } from './run/holding.ts';
import { asSent, learnRenamed } from './run/id-map.ts';
import { planJob, runJob } from './run/job.ts';
import { agreedTo, checkNotUndone, checkSettled, isUndone, unfinishedUndo } from './run/job-state.ts';
import type { RunOptions } from './run/options.ts';
import { reverseOf } from './undo-row.ts';

/**
 * The newest job that is neither an undo nor undone. `heads`: the newest first. Throws `not_found`, and `busy` where that
 * one is running: what is done of it now is not all that it will do.
 */
export async function newestToUndo(jobs: JobStore, heads: readonly JobHead[]): Promise<JobHead> {
  for (const head of heads) {
    if (head.kind === 'undo' || isTakenBack(heads, head)) continue;
    if (hasDone(head) || head.state === 'running') await checkFree(jobs, head);
    if (hasDone(head)) return head;
  }
  throw new ServiceError('not_found', 'there is nothing to undo', { next: { do: 'list-jobs' } });
}

const hasDone = ({ counts }: JobHead): boolean => (counts.done ?? 0) > 0;

/** With an undo that is not at its end a job is still the one that is meant. */
const isTakenBack = (heads: readonly JobHead[], head: JobHead): boolean =>
  isUndone(heads, head) && !unfinishedUndo(heads, head);

async function checkFree(jobs: JobStore, { id, title }: JobHead): Promise<void> {
  try {
    await holdJob(jobs, id, {}, async () => undefined);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'busy') throw error;
    throw new ServiceError('busy', `the newest job, ${title}, is running: ${error.message}`, {
      hint: 'Wait until it ends, or name another one.',
      next: { do: 'list-jobs' },
    });
  }
}

/** Throws `conflict` where a job is undone, or is being undone, or it is not known what it did. */
export function checkUndoable(heads: readonly JobHead[], head: JobHead): void {
  checkNotUndone(heads, head);
  checkSettled(head);
}

/** The job whose ID begins so. Throws `not_found`, `ambiguous`. */
export function jobNamed(heads: readonly JobHead[], prefix: string): JobHead {
  const wanted = prefix.toLowerCase();
  const found = heads.filter(({ id }) => id.toLowerCase().startsWith(wanted));
  const [only, ...more] = found;
  if (!only || wanted === '')
    throw new ServiceError('not_found', `there is no job ${prefix}`, { next: { do: 'list-jobs' } });
  if (more.length === 0) return only;
  throw new ServiceError('ambiguous', `several jobs begin with ${prefix}`, {
    candidates: found.map(({ id, title, created }) => `${id}  ${created}  ${title}`),
    hint: 'Give more of the ID.',
  });
}

/** The rows that take a job back, the last one of it first. Rows that nothing takes back are left out. */
export async function* reverseRows(jobs: JobStore, job: string): AsyncGenerator<PlannedRow> {
  const renamed = await learnRenamed(new Map(), jobs, job);
  let number = 0;
  for await (const row of jobs.rows(job, { states: ['done'], backwards: true })) {
    const reverse = reverseOf(asSent(row, renamed));
    const source = row.source === undefined ? {} : { source: row.source };
    if (reverse) yield { number: ++number, ...source, ...reverse };
  }
}

/**
 * Takes a job back, which was agreed to with the job. Only what the job changed goes back, and only where it still is what
 * the job left: other rows are marked `drifted`, and the exit code is 3. Throws as `checkUndoable` and `runJob`.
 */
export function undoJob(
  session: Session,
  jobs: JobStore,
  id: string,
  undo: Omit<NewJob, 'kind' | 'undoes'>,
  options: RunOptions,
): Promise<Summary> {
  return holdJob(jobs, id, options, async (head) => {
    const heads = await jobs.heads(head.profile);
    checkUndoable(heads, head);
    await forgetUndos(jobs, heads, head);
    const job = agreedTo({ ...undo, kind: 'undo' as const, undoes: id });
    await planJob(jobs, job, reverseRows(jobs, id), options.owner ?? thisProcess());
    return runJob(session, jobs, undo.id, options);
  });
}
