// Rehearsal: the embedded engine makes the changes and rolls them back; of a remote service the records are only read.
import type { Session, TransactionSession } from '../contract/call.ts';
import type { NewJob, PlannedRow } from '../contract/jobs.ts';
import type { Row } from '../contract/resource.ts';
import { defined } from '../text/defined.ts';
import type { Consequence } from './consequences/consequence.ts';
import { consequenceLimit, firstConsequences } from './consequences/first.ts';
import { findRecord } from './plan/change.ts';
import { notFoundError } from './plan/current-record.ts';
import { type AppliedRow, operationOfRow } from './run/apply-row.ts';
import type { Summary } from './run/counts.ts';
import { newRun, planJob, runRows } from './run/job.ts';
import { jobHead } from './run/job-state.ts';
import { currentRecord, type RunOptions } from './run/options.ts';

/** One row of a plan, and what is known of its effect. */
export interface Rehearsed {
  readonly row: PlannedRow;
  /** The outcome on the embedded engine. */
  readonly applied?: AppliedRow;
  /** The current record of a remote service, where the plan does not hold it. */
  readonly current?: Row;
  /** The planned ID of a new record, by which other rows refer to it. */
  readonly newID?: string;
  /** What it does to other records; undefined where that was not looked at. */
  readonly consequences?: readonly Consequence[];
}

interface Plan {
  readonly job: NewJob;
  /** Undefined where the journal of the embedded engine holds them already. */
  readonly rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow> | undefined;
}

export interface RehearsalUi {
  /** All rows are known. */
  planned(): Promise<void>;
  /** Shows the rows while they are found; it must read all of them. */
  rehearsed(rows: AsyncIterable<Rehearsed> | Iterable<Rehearsed>): Promise<void>;
  /** Reads what the changes have made, before they are rolled back (embedded engine only). */
  made?(session: Session): Promise<void>;
}

/** Nothing waits for a commit here: small batches need less memory. */
const ROWS_PER_COMMIT = 500;

/** The summary of the rehearsed run; undefined for a remote service, whose refusals are not known. */
export function rehearse(
  session: Session,
  plan: Plan,
  ui: RehearsalUi,
  options: RunOptions,
): Promise<Summary | undefined> {
  const { local } = session;
  return local
    ? local.rehearse((inner) => rehearseLocally(inner, plan, ui, options))
    : rehearseRemotely(session, plan.rows ?? [], ui);
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
  const found = queue<Rehearsed>();
  const onDone = (row: PlannedRow, applied: AppliedRow): void =>
    found.add(defined({ ...withoutNewID(row), applied, consequences: applied.consequences }));
  const { consequencesOf = firstConsequences(consequenceLimit(session)) } = options;
  const rehearsing = { ...options, rowsPerCommit: ROWS_PER_COMMIT, consequencesOf, onDone };
  const run = runRows(newRun(session, jobs, await jobHead(jobs, job.id), rehearsing)).finally(found.end);
  // The transaction must not end before the run: a change made after it would be kept.
  const [ran, shown] = await Promise.allSettled([run, ui.rehearsed(found.all())]);
  if (ran.status === 'rejected') throw ran.reason;
  if (shown.status === 'rejected') throw shown.reason;
  await ui.made?.(session);
  return ran.value;
}

async function rehearseRemotely(
  session: Session,
  rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>,
  ui: RehearsalUi,
): Promise<undefined> {
  const all: Rehearsed[] = [];
  const consequencesOf = firstConsequences(consequenceLimit(session));
  for await (const row of rows) {
    const one = await withCurrentRecord(session, row);
    all.push(defined({ ...one, consequences: await consequencesOf(session, row, one.current) }));
  }
  await ui.planned();
  await ui.rehearsed(all);
}

/**
 * With the current record. Throws `not_found`, `deleted`, `usage` where it cannot be changed; an undelete goes on, since
 * the service need not show a deleted record.
 */
async function withCurrentRecord(session: Session, row: PlannedRow): Promise<Rehearsed> {
  const { resource, operation } = operationOfRow(row);
  if (row.was || operation.verb === 'create') return withoutNewID(row);
  const found = await (row.id === undefined || row.patch ? currentRecord(session, row) : findRecord(session, row));
  if (row.id !== undefined && operation.verb !== 'undelete' && found && !found.row)
    throw notFoundError(resource, row.id, found, row.patch);
  return defined({ row, current: found?.row });
}

/** The real run makes another ID for a new record, unless the change names one. */
function withoutNewID(row: PlannedRow): Rehearsed {
  if (operationOfRow(row).operation.verb !== 'create' || row.body?.ID !== undefined) return { row };
  const { id, ...rest } = row;
  return defined({ row: rest, newID: id });
}

/** An async iterable of what is added, until its end is called. */
function queue<T>() {
  let waiting: T[] = [];
  let isOver = false;
  let wake = (): void => undefined;
  return {
    add: (one: T): void => {
      waiting.push(one);
      wake();
    },
    end: (): void => {
      isOver = true;
      wake();
    },
    async *all(): AsyncGenerator<T> {
      for (;;) {
        const some = waiting;
        waiting = [];
        yield* some;
        if (waiting.length > 0) continue;
        if (isOver) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
