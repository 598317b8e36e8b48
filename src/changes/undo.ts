// Takes a job back: the reverse plan of what it did, which is a job itself and can be taken back too.
import type { Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { resourceNamed } from '../contract/index.ts';
import type { JobHead, JobRow, JobStore, NewJob, PlannedRow } from '../contract/jobs.ts';
import { placeIn } from '../contract/record-address.ts';
import { isSoft, type Resource, type Row, type Value } from '../contract/resource.ts';
import { writableBody } from './plan/change.ts';
import { takesID } from './plan/planner.ts';
import type { Summary } from './run/counts.ts';
import { asSent, learnRenamed } from './run/id-map.ts';
import { planJob, runJob } from './run/job.ts';
import {
  agreedTo,
  checkNotUndone,
  checkSettled,
  forgetUndos,
  holdJob,
  isUndone,
  thisProcess,
  unfinishedUndo,
} from './run/job-state.ts';
import { keptIn, type RunOptions } from './run/options.ts';

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

type Reverse = Omit<PlannedRow, 'number'>;

/**
 * The row that takes this one back; undefined where it changed nothing, or cannot be taken back. `was` holds what the
 * row left: the reverse is only made while the record still says so.
 */
export function reverseOf(row: JobRow): Reverse | undefined {
  const resource = resourceNamed(row.resource);
  const verb = resource.operations[row.operation]?.verb;
  switch (verb) {
    case 'create':
      return ofCreate(resource, row);
    case 'delete':
      return isSoft(resource) ? ofTurn(resource, row, 'undelete', true) : ofFinalDelete(resource, row);
    case 'undelete':
      return ofTurn(resource, row, 'delete', false);
    case 'update':
    case 'special':
      return ofUpdate(resource, row);
    case 'local':
      return ofLocal(resource, row);
    default:
      return undefined;
  }
}

/** A record that was there already (D12) was not made by the row. */
function ofCreate(resource: Resource, row: JobRow): Reverse | undefined {
  const id = row.result?.id ?? row.id;
  if (id === undefined || row.result?.before || !('delete' in resource.operations)) return undefined;
  const { body = {} } = row;
  return {
    resource: row.resource,
    operation: 'delete',
    id,
    ...placed(resource, row),
    was: left(resource, body, false),
  };
}

function ofTurn(resource: Resource, row: JobRow, operation: 'delete' | 'undelete', now: boolean): Reverse | undefined {
  const changed = row.result?.before && 'Deleted' in row.result.before;
  if (!changed || row.id === undefined || !(operation in resource.operations)) return undefined;
  return { resource: row.resource, operation, id: row.id, ...placed(resource, row), was: { Deleted: now } };
}

/** D8: the last image makes a new record, with the same ID where the service takes one. */
function ofFinalDelete(resource: Resource, row: JobRow): Reverse | undefined {
  const image = row.result?.before;
  if (!image || Object.keys(image).length === 0) return undefined;
  const { ID, ...body } = writableBody(resource, image);
  const id = takesID(resource) && typeof ID === 'string' ? { id: ID } : {};
  return { resource: row.resource, operation: 'create', ...id, body };
}

/** The changed members as they were, by the address that the row took. */
function ofUpdate(resource: Resource, row: JobRow): Reverse | undefined {
  const { before = {} } = row.result ?? {};
  const isNamed = row.id !== undefined || row.params !== undefined;
  if (Object.keys(before).length === 0 || !isNamed) return undefined;
  const sent = row.patch ?? row.body ?? {};
  const changed = Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(before, name)));
  return {
    resource: row.resource,
    operation: row.operation,
    ...(row.by === undefined ? {} : { by: row.by }),
    ...(row.params ? { params: row.params } : {}),
    ...(row.id === undefined ? {} : { id: row.id }),
    patch: before,
    ...placed(resource, row),
    was: left(resource, changed, false),
  };
}

/** By the opposite operation, where there is one. */
function ofLocal({ operations }: Resource, { resource, operation, id, body }: JobRow): Reverse | undefined {
  const reverse = operations[operation]?.reverse;
  if (reverse === undefined) return undefined;
  return { resource, operation: reverse, ...(id === undefined ? {} : { id }), ...(body ? { body } : {}) };
}

/** Where the row left it. */
function placed(resource: Resource, { was, place, patch, body }: JobRow): Pick<PlannedRow, 'place'> {
  const known = placeIn(resource, was, place, body, patch);
  return Object.keys(known).length > 0 ? { place: known } : {};
}

/** What a row left behind, as far as it can be read again. */
function left(resource: Resource, sent: Readonly<Record<string, unknown>>, deleted: boolean): Row {
  const members: Record<string, Value> = 'Deleted' in resource.fields ? { Deleted: deleted } : {};
  for (const [name, value] of Object.entries(sent)) {
    const field = resource.fields[name];
    const hidden = field ? field.writeOnly || field.rule === 'read-only' || name === 'ID' : !resource.open;
    // Bodies hold what the contract lets them hold: the values of a record.
    if (!hidden) members[name] = (value ?? null) as Value;
  }
  return members;
}

/** Runs a planned job as `runJob` does, and takes it back as `takeBack` does. Throws as `runJob`. */
export const runOrTakeBack = async (
  session: Session,
  jobs: JobStore,
  id: string,
  options: RunOptions,
): Promise<Summary> => takeBack(session, jobs, await runJob(session, jobs, id, options), options);

/**
 * What was done of a job with `rollback` on a remote service before a row failed is undone by a job of its own,
 * `rolledBack`; rows that were changed again meanwhile are its conflicts. Throws as `runJob`.
 */
export async function takeBack(
  session: Session,
  jobs: JobStore,
  summary: Summary,
  options: RunOptions,
): Promise<Summary> {
  const { done = 0, unknown = 0 } = summary.counts;
  const { signal, onDone, onFailed, ...rest } = { ...keptIn(summary.job), ...options };
  const isWanted = rest.onError === 'rollback' && summary.stopped && summary.stopped.code !== 'interrupted';
  // What nobody knows cannot be taken back: it is to be settled first.
  if (session.local || !isWanted || done === 0 || unknown > 0) return summary;
  const { id, profile, site, caller, title } = summary.job;
  const how = { ...rest, onError: 'continue' as const };
  const undo = {
    ...{ id: options.newID(), profile, site, caller, title, created: options.clock().toISOString() },
    settings: keptIn({ settings: how }),
  };
  return { ...summary, rolledBack: await undoJob(session, jobs, id, undo, how) };
}
