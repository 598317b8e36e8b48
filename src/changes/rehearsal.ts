// What a change would do: made by the embedded engine's own rules and taken back, or read off a remote service.
import type { Inside, Session } from '../contract/call.ts';
import type { NewJob, PlannedRow } from '../contract/jobs.ts';
import type { Row } from '../contract/resource.ts';
import { find } from './plan/change.ts';
import { unfound } from './plan/current-record.ts';
import { type Made, operationOfRow } from './run/apply-row.ts';
import type { Summary } from './run/counts.ts';
import { planJob, runJob } from './run/job.ts';
import { type RunOptions, recordFor } from './run/options.ts';

/** One row of a plan, and as much as is known of what it would do. */
export interface Rehearsed {
  readonly row: PlannedRow;
  /** What came of it on the embedded engine. */
  readonly made?: Made;
  /** The record of a remote service as it stands, where the plan does not say it. */
  readonly now?: Row;
}

interface Plan {
  readonly job: NewJob;
  readonly rows: AsyncGenerator<PlannedRow>;
}

export interface Onlookers {
  /** All rows are known. */
  planned(): Promise<void>;
  /** What is found, while it is found; every row is to be taken. */
  rehearsed(rows: AsyncIterable<Rehearsed>): Promise<void>;
}

/** A commit that is taken back need not be waited for, and what is held until then is the less. */
const ROWS_PER_COMMIT = 500;

/** Answers how the run would go; undefined of a remote service, whose refusals are not known before it is asked. */
export function rehearse(
  session: Session,
  plan: Plan,
  onlookers: Onlookers,
  options: RunOptions,
): Promise<Summary | undefined> {
  const { local } = session;
  return local
    ? local.rehearse((inside) => tried(inside, plan, onlookers, options))
    : foresee(session, plan.rows, onlookers);
}

async function tried(inside: Inside, { job, rows }: Plan, onlookers: Onlookers, options: RunOptions): Promise<Summary> {
  const { jobs } = inside.local;
  await planJob(jobs, job, rows);
  await onlookers.planned();
  const found = queue<Rehearsed>();
  const onDone = (row: PlannedRow, made: Made): void => found.add({ row: unmade(row), made });
  const how = { ...options, rowsPerCommit: ROWS_PER_COMMIT, onDone };
  const run = runJob(inside, jobs, job.id, how).finally(found.end);
  // Behind the end of the transaction a change would be kept: whoever cannot tell waits until the run is over.
  const [ran, told] = await Promise.allSettled([run, onlookers.rehearsed(found.all())]);
  if (ran.status === 'rejected') throw ran.reason;
  if (told.status === 'rejected') throw told.reason;
  return ran.value;
}

async function foresee(
  session: Session,
  rows: AsyncGenerator<PlannedRow>,
  { planned, rehearsed }: Onlookers,
): Promise<undefined> {
  const all: Rehearsed[] = [];
  for await (const row of rows) all.push(await standing(session, row));
  await planned();
  await rehearsed(inTurn(all));
}

/**
 * With the record as it stands. Throws `not_found`, `deleted`, `usage` where it is not there to be changed; of a deleted
 * one the service need not show that there is one.
 */
async function standing(session: Session, row: PlannedRow): Promise<Rehearsed> {
  const { resource, operation } = operationOfRow(row);
  if (row.was || operation.verb === 'create') return { row: unmade(row) };
  const found = await (row.id === undefined ? recordFor(session, row) : find(session, row));
  if (row.id !== undefined && operation.verb !== 'undelete' && found && !found.row)
    throw unfound(resource, row.id, found);
  return found?.row ? { row, now: found.row } : { row };
}

/** The ID of a new record is made anew when it is really made, unless it was asked for. */
function unmade(row: PlannedRow): PlannedRow {
  if (operationOfRow(row).operation.verb !== 'create' || row.body?.ID !== undefined) return row;
  const { id, ...rest } = row;
  return rest;
}

async function* inTurn<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all;
}

/** Hands on what is added while it comes. */
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
