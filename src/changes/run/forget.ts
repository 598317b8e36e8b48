// Forgets jobs: a job goes with its undos, and none that still has something to tell.
import { orNone } from '../../contract/errors.ts';
import type { JobHead, JobStore } from '../../contract/jobs.ts';
import { thisProcess } from '../../files/processes.ts';
import { checkOutcomeKnown, conflict, isConfirmed, rowsUnknown, unfinishedUndo } from '../jobs/state.ts';

/**
 * The jobs that were made before this moment, and those that never began. `heads`: the newest first. A clock that was set
 * back makes no job old: a job that came after one that is not old is not old either.
 */
export function oldJobs(heads: readonly JobHead[], before: string): readonly string[] {
  const oldestFirst = heads.toReversed();
  const firstYoung = oldestFirst.findIndex(({ created }) => created >= before);
  const old = new Set(firstYoung < 0 ? oldestFirst : oldestFirst.slice(0, firstYoung));
  const isForgotten = (head: JobHead): boolean =>
    head.state === 'planning' || head.state === 'planned' || (old.has(head) && head.state === 'ended');
  const free = heads.filter((head) => isForgotten(head) && !unfinishedUndo(heads, head));
  // An undo is kept as long as its job, which it explains; one that never began explains nothing.
  const isFirst = ({ undoes }: JobHead): boolean => !heads.some(({ id }) => id === undoes);
  const ids = free.filter((head) => isFirst(head) || !isConfirmed(head)).map(({ id }) => id);
  return withUndos(heads, ids);
}

/** These jobs with their undos, and the undos of those. */
export function withUndos(heads: readonly JobHead[], jobs: readonly string[]): readonly string[] {
  const all = new Set(jobs);
  // An undo comes after its job.
  for (const { id, undoes } of heads.toReversed()) if (undoes !== undefined && all.has(undoes)) all.add(id);
  return [...all];
}

/**
 * Throws `unknown_outcome` where outcomes are unknown, `conflict` where the job or its undo is being taken back, and for an
 * undo whose job stays; never for one that did not begin.
 */
export function checkForgettable(heads: readonly JobHead[], head: JobHead, isNamed: (id: string) => boolean): void {
  if (!isConfirmed(head)) return;
  if (rowsUnknown(head) > 0) checkOutcomeKnown(head);
  const isUnfinished = head.undoes !== undefined && (head.counts.pending ?? 0) > 0;
  const undo = isUnfinished ? head : unfinishedUndo(heads, head);
  if (undo) throw conflict(`job ${undo.id} is undoing job ${undo.undoes ?? ''}`, { do: 'resume-job', job: undo.id });
  const undone = heads.find(({ id }) => id === head.undoes);
  if (undone && !isNamed(undone.id))
    throw conflict(`job ${head.id} is an undo: it is forgotten with its job ${undone.id}`, {
      do: 'prune-job',
      job: undone.id,
    });
}

/**
 * Locks jobs, damaged or not, during a work that may delete them: nothing changes after the check. Throws `not_found`, and `busy`
 * while another process has one of them.
 */
export async function withLocks<T>(jobs: JobStore, ids: readonly string[], work: () => Promise<T>): Promise<T> {
  const locked: string[] = [];
  try {
    for (const id of ids) {
      await lockUnlessDamaged(jobs, id);
      locked.push(id);
    }
    return await work();
  } finally {
    for (const id of locked) await releaseIfThere(jobs, id);
  }
}

/** Deletes those of the jobs that no other process has, each with its undos. Answers how many were deleted. */
export async function deleteFreeJobs(
  jobs: JobStore,
  heads: readonly JobHead[],
  ids: readonly string[],
): Promise<number> {
  const taken = new Set<string>();
  for (const id of ids) if (!(await isFree(jobs, id))) taken.add(id);
  const isKept = (id: string): boolean => withUndos(heads, [firstOf(heads, id)]).some((one) => taken.has(one));
  const free = taken.size === 0 ? ids : ids.filter((id) => !isKept(id));
  await jobs.delete(free);
  for (const id of ids) if (!taken.has(id) && !free.includes(id)) await jobs.release(id, thisProcess());
  return free.length;
}

/** The job at the top of a chain of undos. */
function firstOf(heads: readonly JobHead[], id: string): string {
  const undone = heads.find((head) => head.id === id)?.undoes;
  return undone !== undefined && heads.some((head) => head.id === undone) ? firstOf(heads, undone) : id;
}

const isFree = async (jobs: JobStore, id: string): Promise<boolean> =>
  (await orNone(
    lockUnlessDamaged(jobs, id).then(() => true),
    ['busy'],
  )) === true;

/** A damaged head has no lock, and a job that is gone neither. */
const releaseIfThere = (jobs: JobStore, id: string): Promise<void> =>
  orNone(jobs.release(id, thisProcess()), ['storage', 'not_found']);

/** A damaged head names no holder. */
const lockUnlessDamaged = (jobs: JobStore, id: string): Promise<void> =>
  orNone(jobs.lock(id, thisProcess()), ['storage']);
