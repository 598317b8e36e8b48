// Rehearsal: the embedded engine makes the changes and rolls them back; of a remote service the records are only read.
import { Readable } from 'node:stream';
import type { Session, TransactionSession } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { PlannedRow, RowState } from '../../contract/jobs.ts';
import { ahead } from '../../text/ahead.ts';
import { defined } from '../../text/defined.ts';
import { firstConsequences } from '../consequences/consequence.ts';
import { jobHead } from '../jobs/access.ts';
import { findRecord } from '../plan/change.ts';
import { notFoundError } from '../plan/current-record.ts';
import { type AppliedRow, operationOfRow } from '../run/apply-row.ts';
import { errorResult, newCounter, type Summary } from '../run/counts.ts';
import { exitOfJob, newRun, planJob, runRows } from '../run/job.ts';
import { currentRecord, isLasting, type RunOptions, runSettings } from '../run/options.ts';
import { driftOf, mayDrift } from '../run/row-drift.ts';
import { type Plan, type RehearsalUi, type Rehearsed, withoutNewID } from './rehearsed.ts';

/** Nothing waits for a commit here: small batches need less memory. */
const ROWS_PER_COMMIT = 500;

/** The summary of the rehearsed run; of a remote service see `rehearseRemotely`. */
export function rehearse(
  session: Session,
  plan: Plan,
  ui: RehearsalUi,
  options: RunOptions,
): Promise<Summary | undefined> {
  const { local } = session;
  return local
    ? local.rehearse((inner) => rehearseLocally(inner, plan, ui, options))
    : rehearseRemotely(session, plan, ui, options);
}

async function rehearseLocally(
  session: TransactionSession,
  { job, rows }: Plan,
  ui: RehearsalUi,
  options: RunOptions,
): Promise<Summary> {
  const { jobs } = session.local;
  if (rows) await planJob(jobs, job, rows);
  await ui.planned();
  const found = new Readable({ objectMode: true, read: () => undefined });
  const onDone = (row: PlannedRow, applied: AppliedRow): void =>
    void found.push(defined({ ...withoutNewID(row), applied, consequences: applied.consequences }));
  const { consequencesOf = firstConsequences(session) } = options;
  const rehearsing = { ...options, rowsPerCommit: ROWS_PER_COMMIT, consequencesOf, onDone };
  const run = runRows(newRun(session, jobs, await jobHead(jobs, job.id), rehearsing)).finally(() => found.push(null));
  // The transaction must not end before the run: a change made after it would be kept.
  const [ran, shown] = await Promise.allSettled([run, ui.rehearsed(found)]);
  if (ran.status === 'rejected') throw ran.reason;
  if (shown.status === 'rejected') throw shown.reason;
  await ui.made?.(session);
  return ran.value;
}

/**
 * Shows the rows. Those of an undo and of a plan that was made before are compared with their records, and left out where the
 * run would leave them alone. Answers a summary of these, which has why; undefined for rows that were planned just now, since
 * it is not known what the service would refuse.
 */
async function rehearseRemotely(
  session: Session,
  { job, rows = [] }: Plan,
  ui: RehearsalUi,
  options: RunOptions,
): Promise<Summary | undefined> {
  const isOlder = job.kind === 'apply' || job.kind === 'undo';
  const chosen = { ...runSettings(job), ...options };
  const look = isOlder ? olderRows(session, job.kind, chosen) : newRows(session);
  const consequencesOf = firstConsequences(session);
  const counter = newCounter();
  const shown: Rehearsed[] = [];
  for await (const { row, state, error, ...one } of ahead<PlannedRow, Looked>(rows, session.readsAtOnce ?? 1, look)) {
    counter.addRow(row, state ?? 'done', error && { error: errorResult(error) });
    if (state) continue;
    shown.push(defined({ row, ...one, consequences: await consequencesOf(session, row, one.current) }));
  }
  await ui.planned();
  await ui.rehearsed(shown);
  if (!isOlder) return undefined;
  const { counts, failures, codes } = counter;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    job: { ...job, state: 'planned', total, counts },
    counts,
    unchanged: 0,
    failures,
    causes: counter.causes(),
    exit: exitOfJob(job, counts, codes),
  };
}

/** A row that would not be done has a state. */
interface Looked extends Rehearsed {
  readonly state?: RowState;
  readonly error?: ServiceError;
}

/**
 * Looks at rows with their current records. Throws `not_found`, `deleted`, `usage` where one cannot be changed; an undelete
 * goes on, since the service need not show a deleted record, and what follows it is shown as it was planned.
 */
function newRows(session: Session) {
  const broughtBack = new Set<string>();
  return async (row: PlannedRow): Promise<Looked> => {
    const key = `${row.resource} ${row.id}`;
    if (operationOfRow(row).operation.verb === 'undelete') broughtBack.add(key);
    else if (broughtBack.has(key)) return { row };
    return withCurrentRecord(session, row);
  };
}

async function withCurrentRecord(session: Session, row: PlannedRow): Promise<Looked> {
  const { resource, operation } = operationOfRow(row);
  if (row.was || operation.verb === 'create') return withoutNewID(row);
  const found = await (row.id === undefined || row.patch ? currentRecord(session, row) : findRecord(session, row));
  if (row.id !== undefined && operation.verb !== 'undelete' && found && !found.row)
    throw notFoundError(resource, row.id, found, row.patch);
  return defined({ row, current: found?.row });
}

/** Looks at rows in their order. What an earlier row changes, or brings back, is not as the plan says before that row is done. */
function olderRows(session: Session, kind: Plan['job']['kind'], options: RunOptions) {
  const run = { options, isLater: kind === 'apply', head: { kind } };
  const changed = new Set<string>();
  let bringsBack = false;
  let hasAnswered = false;
  return async (row: PlannedRow): Promise<Looked> => {
    const { resource, operation } = operationOfRow(row);
    const key = `${resource.name} ${row.id}`;
    const [isChanged, mayBeAway] = [row.id !== undefined && changed.has(key), bringsBack];
    changed.add(key);
    bringsBack ||= operation.verb === 'create' || operation.verb === 'undelete';
    if (isChanged || !mayDrift(run, row)) return withoutNewID(row);
    try {
      const found = await currentRecord(session, row);
      hasAnswered = true;
      const drift = found && !found.row && mayBeAway ? undefined : await driftOf(run, session, row, found);
      if (drift === 'as wanted') return { row, state: 'done' };
      return drift ? { row, state: 'drifted', error: drift } : defined({ ...withoutNewID(row), current: found?.row });
    } catch (error) {
      // Without the service an undo shows what the journal knows.
      if (isUnreachable(error) && !hasAnswered) return withoutNewID(row);
      if (!(error instanceof ServiceError) || isLasting(error)) throw error;
      return { row, state: 'failed', error };
    }
  };
}

const isUnreachable = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unreachable';
