// How a run went: counted while it runs, and the exit code at its end.
import type { Found } from '../../contract/call.ts';
import { adviceIn, ERRORS, type ErrorCode, EXIT, exitOfMany, ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobRow, PlannedRow, RowError, RowResult, RowState } from '../../contract/jobs.ts';

export type Counts = Readonly<Partial<Record<RowState, number>>>;

/** A row that did not come to its end. */
export interface Failure {
  readonly row: PlannedRow;
  readonly state: RowState;
  readonly error: RowError;
}

export interface Summary {
  readonly job: JobHead;
  /** How many rows of the whole job came to each state. */
  readonly counts: Counts;
  /** Rows that would have changed nothing, and so are not part of the job. */
  readonly unchanged: number;
  /** The first of this run's; the journal has all. */
  readonly failures: readonly Failure[];
  /** Why the run ended before its last row. */
  readonly stopped?: ServiceError;
  /** The job that took back what was done, after `rollback` on a remote service. */
  readonly rolledBack?: Summary;
  /** The exit code of the command line. */
  readonly exit: number;
}

export interface Tally {
  /** Rows of which there is nothing more to say. */
  count(state: RowState, rows: number): void;
  note(row: JobRow | PlannedRow, state: RowState, result?: RowResult): void;
  /** Of this run alone. */
  readonly counts: Counts;
  readonly failures: readonly Failure[];
  /** The error codes of this run. */
  readonly codes: ReadonlySet<ErrorCode>;
}

const MOST_FAILURES = 20;

export function newTally(): Tally {
  const counts: Partial<Record<RowState, number>> = {};
  const failures: Failure[] = [];
  const codes = new Set<ErrorCode>();
  const count = (state: RowState, rows: number): void => {
    if (rows > 0) counts[state] = (counts[state] ?? 0) + rows;
  };
  return {
    counts,
    failures,
    codes,
    count,
    note(row, state, result) {
      count(state, 1);
      if (!result?.error) return;
      codes.add(result.error.code);
      if (failures.length < MOST_FAILURES) failures.push({ row, state, error: result.error });
    },
  };
}

/** The exit code of a run. An error that ended it counts as that of the rows it left. */
export function exitOf(counts: Counts, codes: ReadonlySet<ErrorCode>, stopped?: ServiceError): number {
  const { done = 0, failed = 0, drifted = 0, skipped = 0, unknown = 0, intent = 0 } = counts;
  const exits: number[] = [...codes].map((code) => ERRORS[code].exit);
  if (stopped) exits.push(stopped.exit);
  if (unknown + intent > 0) exits.push(EXIT.unknown);
  return exitOfMany({ exits, done: done > 0, left: failed + drifted + skipped > 0 });
}

/** An error as the journal keeps it. */
export const errorResult = (error: ServiceError): RowError => ({
  code: error.code,
  message: error.message,
  ...adviceIn(error),
});

/** The error of a row that is not as the plan saw it. */
export function driftError({ resource, id = '' }: PlannedRow, found: Found | undefined): ServiceError {
  const what = `the ${resource} ${id}`;
  if (found?.row)
    return new ServiceError('drifted', `${what} has changed since the plan was made`, {
      hint: 'Look at it, then plan the change anew.',
      next: { do: 'overwrite-drift' },
    });
  if (found?.state === 'unseen')
    return new ServiceError(
      'drifted',
      `it cannot be seen whether ${what} has changed: no list of the service shows it`,
      {
        hint: 'Look at it yourself.',
        next: { do: 'overwrite-drift' },
      },
    );
  return new ServiceError('drifted', `${what} is not there any more`);
}
