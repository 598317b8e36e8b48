// The outcome of a run: row counts and failures while it runs, the exit code at its end.
import {
  adviceIn,
  ERRORS,
  type ErrorCode,
  EXIT,
  exitOfMany,
  type ServiceError,
  withCandidates,
} from '../../contract/errors.ts';
import type { JobHead, JobRow, PlannedRow, RowError, RowResult, RowState } from '../../contract/jobs.ts';
import { type Cause, causeList } from '../causes.ts';

export type Counts = Readonly<Partial<Record<RowState, number>>>;

/** A row that was not done. */
export interface Failure {
  readonly row: PlannedRow;
  readonly state: RowState;
  readonly error: RowError;
}

/** Rows that were not done for one reason. */
export type FailureCause = Cause<Failure>;

export interface Summary {
  readonly job: JobHead;
  /** Rows of the whole job by state; those that this run left `unchanged` are not among the done ones. */
  readonly counts: Counts;
  /** Rows that changed nothing: they are no part of the job, or their records were as wanted when their turn came. */
  readonly unchanged: number;
  /** The first 20 of this run; the journal has all. */
  readonly failures: readonly Failure[];
  /** Each cause of failures once, those of the most rows first. */
  readonly causes: readonly FailureCause[];
  /** Why the run ended before its last row. */
  readonly stopped?: ServiceError;
  /** The job that undid the rows that were done, after `rollback` on a remote service. */
  readonly rolledBack?: Summary;
  /** The exit code of the command line. */
  readonly exit: number;
}

/** The result of a row whose record was as wanted when its turn came: an undo leaves it alone. */
export const AS_WANTED: RowResult = { before: {} };

export type Counter = ReturnType<typeof newCounter>;

const MOST_FAILURES = 20;

export function newCounter() {
  /** Rows of this run by state. */
  const counts: Partial<Record<RowState, number>> = {};
  let unchanged = 0;
  const failures: Failure[] = [];
  const causes = causeList<Failure>(
    // The message of what has drifted names it: each time it is another one.
    ({ row, state, error: { message, hint } }) => `${row.source ?? ''} ${state === 'drifted' ? hint : message}`,
    ({ row }) => row.number,
  );
  const codes = new Set<ErrorCode>();
  /** Counts rows that have no result. */
  const addRows = (state: RowState, rows: number): void => {
    if (rows > 0) counts[state] = (counts[state] ?? 0) + rows;
  };
  return {
    counts,
    failures,
    causes: causes.all,
    codes,
    addRows,
    /** Rows of this run whose records were as wanted already. */
    unchanged: () => unchanged,
    addRow(row: JobRow | PlannedRow, state: RowState, result?: RowResult): void {
      addRows(state, 1);
      if (result === AS_WANTED) unchanged++;
      if (!result?.error) return;
      codes.add(result.error.code);
      const failure = { row, state, error: result.error };
      if (failures.length < MOST_FAILURES) failures.push(failure);
      causes.add(failure);
    },
  };
}

/** The exit code of a run. `stopped` counts as the error of the rows that were not run. */
export function exitOfRun(counts: Counts, codes: ReadonlySet<ErrorCode>, stopped?: ServiceError): number {
  const { done = 0, altered = 0, failed = 0, drifted = 0, skipped = 0, unknown = 0, intent = 0 } = counts;
  const exits: number[] = [...codes].map((code) => ERRORS[code].exit);
  if (stopped) exits.push(stopped.exit);
  if (unknown + intent > 0) exits.push(EXIT.unknown);
  return exitOfMany({ exits, done: done + altered > 0, left: altered + failed + drifted + skipped > 0 });
}

/** An error as the journal stores it. */
export const errorResult = (error: ServiceError): RowError => ({
  code: error.code,
  message: withCandidates(error),
  ...adviceIn(error),
});
