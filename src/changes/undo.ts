// Undoes a job: its reverse plan is a job itself, and can be undone too.
import type { Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import type { JobHead, JobRow, JobStore, NewJob, PlannedRow } from '../contract/jobs.ts';
import { thisProcess } from '../files/processes.ts';
import { collect } from '../text/batches.ts';
import { defined } from '../text/defined.ts';
import { deleteUnrunUndos, headsAround, jobHead, withLock } from './jobs/access.ts';
import { checkOutcomeKnown, checkUndoable, confirmed, rowsDone, unfinishedUndo } from './jobs/state.ts';
import { reverseOf } from './plan/reverse-row.ts';
import type { Summary } from './run/counts.ts';
import { isRollingBack, planJob, runJob } from './run/job.ts';
import { joinMarks } from './run/marks.ts';
import { type RunOptions, runSettings } from './run/options.ts';
import { asApplied, loadIdMap } from './run/remote/id-map.ts';

/**
 * The newest job that is no undo of another one and of which something can be taken back; `passedOver`: newer ones of which nothing
 * can. `heads`: the newest first. Throws `busy` while a newer one is running.
 */
export async function newestToUndo(jobs: JobStore, heads: readonly JobHead[]) {
  const passedOver: JobHead[] = [];
  for (const job of heads) {
    if (job.undoes !== undefined) continue;
    const isOpen = unfinishedUndo(heads, job) !== undefined || rowsDone(job) > 0;
    if (isOpen || job.state === 'running') await checkFree(jobs, job);
    if (!isOpen) continue;
    if (unfinishedUndo(heads, job) || (await isReversible(jobs, job.id))) return { job, passedOver };
    passedOver.push(job);
  }
  return { job: undefined, passedOver };
}

/** Can any row of the job be taken back? Mostly the last row tells. */
export async function isReversible(jobs: JobStore, job: string): Promise<boolean> {
  for await (const row of jobs.rows(job, NOT_UNDONE)) if (reverseOf(row)) return true;
  return false;
}

/** How many of the rows that stand can be taken back. */
export async function countReversible(jobs: JobStore, job: string): Promise<number> {
  let count = 0;
  for await (const row of jobs.rows(job, NOT_UNDONE)) if (reverseOf(row)) count++;
  return count;
}

/** The rows that stand, the last one first. */
const NOT_UNDONE = { states: ['done', 'altered'], backwards: true } as const;

async function checkFree(jobs: JobStore, { id, title }: JobHead): Promise<void> {
  try {
    await withLock(jobs, id, {}, async () => undefined);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'busy') throw error;
    throw new ServiceError('busy', `the newest job, ${title}, is running: ${error.message}`, {
      hint: 'Wait until it ends, or name another one.',
      next: { do: 'list-jobs' },
    });
  }
}

/** The job whose ID begins with `prefix`. Throws `not_found`, `ambiguous`. */
export function jobNamed(heads: readonly JobHead[], prefix: string): JobHead {
  const wanted = prefix.trim().toLowerCase();
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

interface RowsToUndo {
  isChosen?(row: JobRow): Promise<boolean>;
  /** Called with each chosen row that cannot be taken back. */
  onLeft?(row: JobRow): void;
}

/** The rows that undo a job, or its chosen rows, in reverse order. */
export async function* reverseRows(
  jobs: JobStore,
  job: string,
  { isChosen, onLeft }: RowsToUndo = {},
): AsyncGenerator<PlannedRow> {
  const idMap = await loadIdMap(new Map(), jobs, job);
  const newest = await newestIDs(jobs, job);
  let number = 0;
  for await (const row of jobs.rows(job, NOT_UNDONE)) {
    const id = newest.get(row.number);
    const now = id === undefined ? row : { ...row, result: { ...row.result, id } };
    if (isChosen && !(await isChosen(row))) continue;
    const reverse = reverseOf(asApplied(now, idMap));
    if (!reverse) onLeft?.(row);
    else yield defined({ number: ++number, undoes: row.number, source: row.source, ...reverse });
  }
}

/** The IDs that the records of a redo have by now, by its rows: later redos may have made them again. The first job knows. */
async function newestIDs(jobs: JobStore, redo: string): Promise<ReadonlyMap<number, string>> {
  const undo = await jobs.head((await jobs.head(redo))?.undoes ?? '');
  const made = await jobs.head(undo?.undoes ?? '');
  if (!undo || !made) return new Map();
  const above = await newestIDs(jobs, made.id);
  const ids = new Map<number, string>();
  for await (const { number, result } of jobs.rows(made.id, { idsAlone: true })) {
    const id = above.get(number) ?? result?.id;
    if (id !== undefined) ids.set(number, id);
  }
  const first = await rowsUndone(jobs, undo.id);
  const found = new Map<number, string>();
  for (const [number, undone] of await rowsUndone(jobs, redo)) {
    const id = ids.get(first.get(undone) ?? 0);
    if (id !== undefined) found.set(number, id);
  }
  return found;
}

/** Which row each row of an undo takes back, by their numbers. */
async function rowsUndone(jobs: JobStore, undo: string): Promise<ReadonlyMap<number, number>> {
  const undone = new Map<number, number>();
  for await (const { number, undoes } of jobs.rows(undo, { idsAlone: true }))
    if (undoes !== undefined) undone.set(number, undoes);
  return undone;
}

/**
 * Undoes a job without a confirmation of its own. Only values that are still as the job left them are restored: other rows
 * are marked `drifted`, and the exit code is 3. Throws as `checkUndoable`, `checkOutcomeKnown` and `runJob`.
 */
export function undoJob(
  session: Session,
  jobs: JobStore,
  id: string,
  undo: Omit<NewJob, 'kind' | 'undoes'>,
  options: RunOptions,
): Promise<Summary> {
  return withLock(jobs, id, options, async (head) => {
    const heads = await headsAround(jobs, head);
    checkUndoable(heads, head);
    checkOutcomeKnown(head);
    await deleteUnrunUndos(jobs, heads, head);
    const job = confirmed({ ...undo, kind: 'undo' as const, undoes: id });
    await planJob(jobs, job, reverseRows(jobs, id), options.owner ?? thisProcess());
    return runJob(session, jobs, undo.id, options);
  });
}

/** Runs a planned job as `runJob`, and then `rollBack`. Throws as `runJob`. */
export const runOrRollBack = async (
  session: Session,
  jobs: JobStore,
  id: string,
  options: RunOptions,
): Promise<Summary> => rollBack(session, jobs, await runJob(session, jobs, id, options), options);

/**
 * On a remote service, where a row of a job with `rollback` failed or was altered, another job undoes all that was done:
 * `rolledBack`. Rows that were changed again since have drifted. Rows that were not run are skipped. Throws as `runJob`.
 */
export async function rollBack(
  session: Session,
  jobs: JobStore,
  summary: Summary,
  options: RunOptions,
): Promise<Summary> {
  // Unknown outcomes must be resolved before an undo.
  if ((summary.counts.unknown ?? 0) > 0 || !(await isRollingBack(session, jobs, summary.job, options))) return summary;
  // Before the undo, which may find that others have changed every record.
  const { job, ...rest } = await withPendingSkipped(jobs, summary);
  if (rowsDone(job) === 0) return { ...rest, job };
  const { signal, onDone, onFailed, ...kept } = { ...runSettings(job), ...options };
  const { id, profile, site, caller, title } = job;
  const how = { ...kept, onError: 'continue' as const };
  const undo = {
    id: options.newID(),
    profile,
    site,
    caller,
    title,
    created: options.clock().toISOString(),
    settings: { ...runSettings({ settings: how }), ...defined<JobHead['settings']>({ url: job.settings.url }) },
  };
  return { ...rest, job, rolledBack: await undoJob(session, jobs, id, undo, how) };
}

async function withPendingSkipped(jobs: JobStore, summary: Summary): Promise<Summary> {
  const { id } = summary.job;
  const waiting = await collect(jobs.rows(id, { states: ['pending'] }));
  if (waiting.length === 0) return summary;
  await jobs.mark(id, joinMarks(waiting.map((row) => ({ row, state: 'skipped' }))));
  const job = await jobHead(jobs, id);
  return { ...summary, job, counts: job.counts };
}
