// Undoes a job: the reverse plan of what it did, which is a job itself and can be undone too.
import type { Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { resourceNamed } from '../contract/index.ts';
import type { JobHead, JobRow, JobStore, NewJob, PlannedRow } from '../contract/jobs.ts';
import { placeIn } from '../contract/record-address.ts';
import { isSoft, type Resource, type Row, type Value } from '../contract/resource.ts';
import { defined, nonEmpty } from '../text/defined.ts';
import { writableBody } from './plan/change.ts';
import { takesID } from './plan/planner.ts';
import type { Summary } from './run/counts.ts';
import { asApplied, loadIdMap } from './run/id-map.ts';
import { planJob, runJob } from './run/job.ts';
import {
  checkNotUndone,
  checkOutcomeKnown,
  confirmed,
  deleteUnrunUndos,
  isUndone,
  thisProcess,
  unfinishedUndo,
  withLock,
} from './run/job-state.ts';
import { type RunOptions, runSettings } from './run/options.ts';

/**
 * The newest job that is neither an undo nor undone. `heads`: the newest first. Throws `not_found`, and `busy` while that
 * job is running.
 */
export async function newestToUndo(jobs: JobStore, heads: readonly JobHead[]): Promise<JobHead> {
  for (const head of heads) {
    if (head.kind === 'undo' || isFullyUndone(heads, head)) continue;
    if (hasDone(head) || head.state === 'running') await checkFree(jobs, head);
    if (hasDone(head)) return head;
  }
  throw new ServiceError('not_found', 'there is nothing to undo', { next: { do: 'list-jobs' } });
}

const hasDone = ({ counts }: JobHead): boolean => (counts.done ?? 0) > 0;

/** A job whose undo is not finished can still be undone. */
const isFullyUndone = (heads: readonly JobHead[], head: JobHead): boolean =>
  isUndone(heads, head) && !unfinishedUndo(heads, head);

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

/** Throws `conflict` where a job is undone or is being undone, or some of its outcomes are unknown. */
export function checkUndoable(heads: readonly JobHead[], head: JobHead): void {
  checkNotUndone(heads, head);
  checkOutcomeKnown(head);
}

/** The job whose ID begins with `prefix`. Throws `not_found`, `ambiguous`. */
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

/** The rows that undo a job, in reverse order. Rows that cannot be undone are left out. */
export async function* reverseRows(jobs: JobStore, job: string): AsyncGenerator<PlannedRow> {
  const idMap = await loadIdMap(new Map(), jobs, job);
  let number = 0;
  for await (const row of jobs.rows(job, { states: ['done'], backwards: true })) {
    const reverse = reverseOf(asApplied(row, idMap));
    if (reverse) yield defined({ number: ++number, source: row.source, ...reverse });
  }
}

/**
 * Undoes a job without a confirmation of its own. Only values that are still as the job left them are restored: other rows
 * are marked `drifted`, and the exit code is 3. Throws as `checkUndoable` and `runJob`.
 */
export function undoJob(
  session: Session,
  jobs: JobStore,
  id: string,
  undo: Omit<NewJob, 'kind' | 'undoes'>,
  options: RunOptions,
): Promise<Summary> {
  return withLock(jobs, id, options, async (head) => {
    const heads = await jobs.heads(head.profile);
    checkUndoable(heads, head);
    await deleteUnrunUndos(jobs, heads, head);
    const job = confirmed({ ...undo, kind: 'undo' as const, undoes: id });
    await planJob(jobs, job, reverseRows(jobs, id), options.owner ?? thisProcess());
    return runJob(session, jobs, undo.id, options);
  });
}

type Reverse = Omit<PlannedRow, 'number'>;

/**
 * The row that undoes this one; undefined where it changed nothing, or cannot be undone. `was` holds what the row left: the
 * reverse runs only while the record is still so.
 */
export function reverseOf(row: JobRow): Reverse | undefined {
  const resource = resourceNamed(row.resource);
  const verb = resource.operations[row.operation]?.verb;
  switch (verb) {
    case 'create':
      return ofCreate(resource, row);
    case 'delete':
      return isSoft(resource) ? ofDeletionMark(resource, row, 'undelete') : ofFinalDelete(resource, row);
    case 'undelete':
      return ofDeletionMark(resource, row, 'delete');
    case 'update':
    case 'special':
      return ofUpdate(resource, row);
    case 'local':
      return ofLocal(resource, row);
    default:
      return undefined;
  }
}

/** A record that existed already (D12) was not made by the row. */
function ofCreate(resource: Resource, row: JobRow): Reverse | undefined {
  const id = row.result?.id ?? row.id;
  if (id === undefined || row.result?.before || !('delete' in resource.operations)) return undefined;
  return reverseRow(resource, row, { operation: 'delete', id, was: expectedState(resource, row.body) });
}

function ofDeletionMark(resource: Resource, row: JobRow, operation: 'delete' | 'undelete'): Reverse | undefined {
  const changed = row.result?.before && 'Deleted' in row.result.before;
  if (!changed || row.id === undefined || !(operation in resource.operations)) return undefined;
  return reverseRow(resource, row, { operation, id: row.id, was: { Deleted: operation === 'undelete' } });
}

/** D8: the record is created again from its last image, with the same ID where the service takes one. */
function ofFinalDelete(resource: Resource, row: JobRow): Reverse | undefined {
  const image = nonEmpty(row.result?.before ?? {});
  if (!image) return undefined;
  const { ID, ...body } = writableBody(resource, image);
  const id = takesID(resource) && typeof ID === 'string' ? ID : undefined;
  return defined({ resource: row.resource, operation: 'create', id, body });
}

/** The changed members as they were, at the same address. */
function ofUpdate(resource: Resource, row: JobRow): Reverse | undefined {
  const { operation, by, params, id } = row;
  const before = nonEmpty(row.result?.before ?? {});
  if (!before || (id === undefined && params === undefined)) return undefined;
  const sent = Object.entries(row.patch ?? row.body ?? {});
  const changed = Object.fromEntries(sent.filter(([name]) => Object.hasOwn(before, name)));
  return reverseRow(resource, row, { operation, by, params, id, patch: before, was: expectedState(resource, changed) });
}

/** The opposite operation, where there is one. */
function ofLocal({ operations }: Resource, { resource, operation, id, body }: JobRow): Reverse | undefined {
  const reverse = operations[operation]?.reverse;
  return reverse === undefined ? undefined : defined({ resource, operation: reverse, id, body });
}

interface ReverseParts extends Pick<Reverse, 'operation' | 'was'> {
  readonly by?: string | undefined;
  readonly params?: JobRow['params'] | undefined;
  readonly id: string | undefined;
  readonly patch?: Row;
}

/** With the place where the row left the record. */
function reverseRow(resource: Resource, row: JobRow, { operation, by, params, id, patch, was }: ReverseParts): Reverse {
  const place = nonEmpty(placeIn(resource, row.was, row.place, row.body, row.patch));
  return defined({ resource: resource.name, operation, by, params, id, patch, place, was });
}

/** The values that a row left, of the members that can be read. */
function expectedState(resource: Resource, sent: Readonly<Record<string, unknown>> = {}): Row {
  const members: Record<string, Value> = 'Deleted' in resource.fields ? { Deleted: false } : {};
  for (const [name, value] of Object.entries(sent)) {
    const field = resource.fields[name];
    const hidden = field ? field.writeOnly || field.rule === 'read-only' || name === 'ID' : !resource.open;
    // The contract lets bodies hold the values of a record only.
    if (!hidden) members[name] = (value ?? null) as Value;
  }
  return members;
}

/** Runs a planned job as `runJob`, and then `rollBack`. Throws as `runJob`. */
export const runOrRollBack = async (
  session: Session,
  jobs: JobStore,
  id: string,
  options: RunOptions,
): Promise<Summary> => rollBack(session, jobs, await runJob(session, jobs, id, options), options);

/**
 * On a remote service, where a row of a job with `rollback` failed, another job undoes the rows before it: `rolledBack`. Rows
 * that were changed again since have drifted. Throws as `runJob`.
 */
export async function rollBack(
  session: Session,
  jobs: JobStore,
  summary: Summary,
  options: RunOptions,
): Promise<Summary> {
  const { done = 0, unknown = 0 } = summary.counts;
  const { signal, onDone, onFailed, ...rest } = { ...runSettings(summary.job), ...options };
  const isWanted = rest.onError === 'rollback' && summary.stopped && summary.stopped.code !== 'interrupted';
  // Unknown outcomes must be resolved before an undo.
  if (session.local || !isWanted || done === 0 || unknown > 0) return summary;
  const { id, profile, site, caller, title } = summary.job;
  const how = { ...rest, onError: 'continue' as const };
  const undo = {
    ...{ id: options.newID(), profile, site, caller, title, created: options.clock().toISOString() },
    settings: runSettings({ settings: how }),
  };
  return { ...summary, rolledBack: await undoJob(session, jobs, id, undo, how) };
}
