// What one run of a job is handed, and what its parts share.
import type { Found, Session } from '../../contract/call.ts';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobStore, Owner, PlannedRow } from '../../contract/jobs.ts';
import { locate } from '../plan/current-record.ts';
import type { Secrets } from '../plan/planner.ts';
import { type Made, needsRecord, operationOfRow } from './apply-row.ts';
import type { Counts, Tally } from './counts.ts';
import type { Renamed } from './id-map.ts';

export type OnError = 'continue' | 'stop' | 'rollback';
export type OnDrift = 'skip' | 'stop' | 'overwrite';

export interface RunOptions {
  /** Rows in flight at once, on a remote service; 4 unless told. */
  readonly concurrency?: number;
  /** The most rows in one commit, on the embedded engine; 20,000 unless told. */
  readonly rowsPerCommit?: number;
  readonly onError?: OnError;
  readonly onDrift?: OnDrift;
  /** What is in flight is finished; then the run stops. */
  readonly signal?: AbortSignal;
  /** How many rows came to each state in this run, now and then. */
  onProgress?(counts: Counts): void;
  /** Each row that was done, with the record as it is now. */
  onDone?(row: PlannedRow, made: Made): void;
  /** Each row that failed, had drifted, or is not known to be done. */
  onFailed?(row: PlannedRow, error: ServiceError): void;
  readonly clock: () => Date;
  readonly newID: () => string;
  /** The values that stand in no plan. */
  secretOf?(row: PlannedRow): Secrets | undefined;
  /** Rows that would have changed nothing. */
  readonly unchanged?: number;
  /** Who runs it; this process unless told. */
  readonly owner?: Owner;
  /** The job is taken from a holder on another machine. */
  readonly takeover?: boolean;
}

export interface Run {
  readonly session: Session;
  readonly jobs: JobStore;
  readonly head: JobHead;
  readonly options: RunOptions;
  readonly tally: Tally;
  /** What the run knows of new records by other IDs than the plan. */
  readonly renamed: Renamed;
}

/** How the job is run, as its command said: a later run goes on in the same way. */
export function keptIn({ settings }: Pick<JobHead, 'settings'>): Pick<RunOptions, 'onError' | 'onDrift'> {
  // Written by whoever plans a job, and kept with a checksum.
  const { onError, onDrift } = settings as Pick<RunOptions, 'onError' | 'onDrift'>;
  return { ...(onError === undefined ? {} : { onError }), ...(onDrift === undefined ? {} : { onDrift }) };
}

/** Why a run ended early; undefined where it came to its end. */
export type Stopped = ServiceError | undefined;

/** The record that a row is about; undefined where it is not needed. */
export async function recordFor(session: Session, row: PlannedRow): Promise<Found | undefined> {
  return needsRecord(row, operationOfRow(row).operation) ? locate(session, row) : undefined;
}

/** The values of a row that stand in no plan. Throws `usage` where they are not at hand. */
export function secretsFor(row: PlannedRow, { secretOf }: RunOptions): Secrets | undefined {
  if (!row.secret) return undefined;
  const secrets = secretOf?.(row);
  if (secrets) return secrets;
  const { members, line } = row.secret;
  throw new ServiceError('usage', `row ${row.number} needs ${members.join(', ')}, which no journal keeps`, {
    hint:
      line > 0
        ? `It stands in line ${line} of the input: the same file, unchanged, must be there again.`
        : 'Give the command once more with the password.',
  });
}

export const interrupted = (): ServiceError => new ServiceError('interrupted', 'interrupted');

/** An error of the journal or the database itself: no row's own, and no row can go on after it. */
export const isOfStorage = (error: unknown): boolean => error instanceof ServiceError && error.exit === EXIT.storage;

/** Errors after which no other row would fare better: nothing of the row was done, so that it can be run later. */
const LASTING: readonly string[] = ['unreachable', 'unauthorized', 'too_many', 'bad_answer'];
export const isLasting = (error: ServiceError): boolean => LASTING.includes(error.code);
