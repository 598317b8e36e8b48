// The state of a job: what was done of it, and which actions it allows.
import { ServiceError } from '../../contract/errors.ts';
import type { JobHead, NewJob } from '../../contract/jobs.ts';
import type { Next } from '../../contract/next.ts';

/** The error of an action that the state of a job does not allow, with the one that leads on. */
export const conflict = (message: string, next: Next): ServiceError => new ServiceError('conflict', message, { next });

/** Is the job confirmed? One that has begun is. */
export const isConfirmed = ({ state, settings }: JobHead): boolean =>
  state !== 'planning' && (state !== 'planned' || settings.agreed === true);

/** The job, with its confirmation in the settings. */
export const confirmed = <T extends Pick<NewJob, 'settings'>>(job: T): T => ({
  ...job,
  settings: { ...job.settings, agreed: true },
});

/** The rows that were made and stand. */
export const rowsDone = ({ counts: { done = 0, altered = 0 } }: Pick<JobHead, 'counts'>): number => done + altered;

export const rowsUnknown = ({ counts: { intent = 0, unknown = 0 } }: Pick<JobHead, 'counts'>): number =>
  intent + unknown;

/** Is all of the job that was done taken back? */
export const isUndone = (head: Pick<JobHead, 'counts'>): boolean =>
  (head.counts.undone ?? 0) > 0 && rowsDone(head) === 0;

export const unfinishedUndo = (heads: readonly JobHead[], { id }: JobHead): JobHead | undefined =>
  heads.find((head) => head.undoes === id && isConfirmed(head) && isUnfinished(head));

const isUnfinished = (head: JobHead): boolean => (head.counts.pending ?? 0) + rowsUnknown(head) > 0;

/**
 * Throws `conflict` where a row of the job is taken back, or an undo of it is not finished: then it is neither resumed nor
 * retried.
 */
export function checkStands(heads: readonly JobHead[], head: JobHead): void {
  checkNoUndoUnfinished(heads, head);
  if (!head.counts.undone) return;
  if (isUndone(head)) throw undoneAlready(head);
  throw conflict(`job ${head.id} is undone in part: ${outcomeOf(head)}`, { do: 'undo-job', job: head.id });
}

/** Throws `conflict` where nothing is left to take back, or it is not the turn of this job. */
export function checkUndoable(heads: readonly JobHead[], head: JobHead): void {
  checkConfirmed(head);
  checkNoUndoUnfinished(heads, head);
  if (isUndone(head)) throw undoneAlready(head);
  if (rowsDone(head) === 0 && rowsUnknown(head) === 0)
    throw conflict(
      `job ${head.id} changed nothing: ${outcomeOf(head) || 'it has no rows'}`,
      isUnfinished(head) ? { do: 'resume-job', job: head.id } : { do: 'list-jobs' },
    );
  const younger = youngerUndo(heads, head);
  if (younger)
    throw conflict(`the later job ${younger.id} has undone job ${head.id}`, { do: 'redo-job', job: younger.id });
}

/** Throws `conflict` where an undo of the job is not finished. */
export function checkNoUndoUnfinished(heads: readonly JobHead[], head: JobHead): void {
  const undo = unfinishedUndo(heads, head);
  if (!undo) return;
  throw conflict(`job ${undo.id} is undoing job ${head.id}: ${outcomeOf(undo)}`, { do: 'resume-job', job: undo.id });
}

const undoneAlready = ({ id, undoneBy }: JobHead): ServiceError =>
  new ServiceError('conflict', `job ${id} is undone already${undoneBy === undefined ? '' : `, by job ${undoneBy}`}`, {
    next: undoneBy === undefined ? { do: 'list-jobs' } : { do: 'redo-job', job: undoneBy },
  });

/**
 * An undo that is younger than this one and undoes the same job, or one further up: it has to be taken back first. `heads`:
 * the newest first.
 */
export function youngerUndo(heads: readonly JobHead[], head: JobHead): JobHead | undefined {
  const at = heads.findIndex(({ id }) => id === head.id);
  const younger = heads.slice(0, Math.max(0, at));
  for (let undone = head.undoes; undone !== undefined; undone = heads.find(({ id }) => id === undone)?.undoes) {
    const found = younger.find(
      ({ id, undoes, counts }) => undoes === undone && id !== head.id && rowsDone({ counts }) > 0,
    );
    if (found) return found;
  }
  return undefined;
}

/** Throws `conflict` where the plan is not complete. */
export function checkPlanned({ id, state }: JobHead): void {
  if (state === 'planning')
    throw new ServiceError('conflict', `job ${id} ended before its plan was complete, so it changed nothing`, {
      hint: 'Run the command again.',
    });
}

/** Throws `conflict` where the plan is not complete, or not confirmed. */
export function checkConfirmed(head: JobHead): void {
  checkPlanned(head);
  if (isConfirmed(head)) return;
  throw conflict(`job ${head.id} is not confirmed yet, so it changed nothing`, { do: 'agree-to-job', job: head.id });
}

/** Throws `unknown_outcome` where outcomes of the job are unknown. */
export function checkOutcomeKnown(head: JobHead): void {
  const unknown = rowsUnknown(head);
  if (unknown === 0) return;
  const rows = unknown === 1 ? '1 row' : `${unknown} rows`;
  throw new ServiceError('unknown_outcome', `pm does not know what became of ${rows} of job ${head.id}`, {
    next: { do: 'settle-job', job: head.id },
  });
}

/** Throws `conflict` with the outcome where the job has begun. */
export function checkNew(head: JobHead): void {
  checkPlanned(head);
  if (head.state === 'planned') return;
  if (head.state === 'ended')
    throw conflict(`job ${head.id} has run: ${outcomeOf(head)}`, { do: 'show-job', job: head.id });
  throw conflict(`job ${head.id} has begun and is not finished: ${outcomeOf(head)}`, {
    do: 'resume-job',
    job: head.id,
  });
}

/** The row counts by state, in words. */
export const outcomeOf = ({ counts }: JobHead): string =>
  Object.entries(counts)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
