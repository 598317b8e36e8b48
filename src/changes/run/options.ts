// The options of a run, and what all its parts share.
import type { Found, Session } from '../../contract/call.ts';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobStore, LockOwner, PlannedRow } from '../../contract/jobs.ts';
import type { Row } from '../../contract/resource.ts';
import { defined } from '../../text/defined.ts';
import type { Consequence } from '../consequences/consequence.ts';
import { locate } from '../plan/current-record.ts';
import type { Secrets } from '../plan/planner.ts';
import { type AppliedRow, needsRecord, operationOfRow } from './apply-row.ts';
import type { Counter, Counts } from './counts.ts';
import type { IdMap } from './remote/id-map.ts';

export type OnError = 'continue' | 'stop' | 'rollback';
export type OnDrift = 'skip' | 'stop' | 'overwrite';

export interface RunOptions {
  /** The most rows in flight on a remote service; by default as many as writes may be (CONCURRENCY). */
  readonly concurrency?: number | undefined;
  /** Rows per commit on the embedded engine; 2,000 by default. */
  readonly rowsPerCommit?: number;
  readonly onError?: OnError;
  readonly onDrift?: OnDrift;
  /** Stops the run after the rows in flight. */
  readonly signal?: AbortSignal;
  /** Rows of this run by state, from time to time. */
  onProgress?(counts: Counts): void;
  /** The changes of other records by a row: `now` is its own record before it. Asked when the row was made. */
  consequencesOf?(session: Session, row: PlannedRow, now: Row | undefined): Promise<readonly Consequence[] | undefined>;
  onDone?(row: PlannedRow, applied: AppliedRow): void;
  /** Each row that failed, drifted, or has an unknown outcome. */
  onFailed?(row: PlannedRow, error: ServiceError): void;
  readonly clock: () => Date;
  readonly newID: () => string;
  /** The secret values of a row, which no plan holds. */
  secretOf?(row: PlannedRow): Secrets | undefined;
  /** Rows that would have changed nothing. */
  readonly unchanged?: number;
  /** The holder of the job's lock; this process by default. */
  readonly owner?: LockOwner;
  /** Take the lock from a holder on another machine. */
  readonly takeover?: boolean;
  /** How long a new record can still come from a request without an answer, in milliseconds; without it for ever. */
  readonly unknownFor?: number;
}

export interface Run {
  readonly session: Session;
  readonly jobs: JobStore;
  readonly head: JobHead;
  readonly options: RunOptions;
  readonly counter: Counter;
  /** New records that have other IDs than planned. */
  readonly idMap: IdMap;
  /** The plan may be out of date: new records are looked for by their keys before they are made. */
  readonly isLater: boolean;
}

/** The options that the job stores, for later runs. */
export function runSettings({ settings }: Pick<JobHead, 'settings'>): Pick<RunOptions, 'onError' | 'onDrift'> {
  // Written by pm, with a checksum.
  const { onError, onDrift } = settings as Pick<RunOptions, 'onError' | 'onDrift'>;
  return defined({ onError, onDrift });
}

/** Why a run ended early; undefined if all rows were run. */
export type StopReason = ServiceError | undefined;

/** The current record of a row; undefined if it is not needed. */
export function currentRecord(session: Session, row: PlannedRow): Promise<Found> | undefined {
  const { operation } = operationOfRow(row);
  if (!needsRecord(row, operation)) return undefined;
  return locate(session, row, operation.verb === 'create' ? 'new' : undefined);
}

/** The secret values of a row. Throws `usage` where they are missing. */
export function secretsFor(row: PlannedRow, { secretOf }: RunOptions): Secrets | undefined {
  if (!row.secret) return undefined;
  const secrets = secretOf?.(row);
  if (secrets) return secrets;
  const { members, line } = row.secret;
  throw new ServiceError('usage', `row ${row.number} needs ${members.join(', ')}, which pm does not store`, {
    hint:
      line > 0
        ? `It is in line ${line} of the input: put the same file there again, unchanged.`
        : 'Run the command again with the password.',
  });
}

export const interrupted = (): ServiceError => new ServiceError('interrupted', 'interrupted');

/** Why a run ends with this row. */
export const stoppedAt = ({ number }: PlannedRow, { code, message, hint, next }: ServiceError): ServiceError =>
  new ServiceError(code, `stopped at row ${number}: ${message}`, { hint, next });

/** Is it an error of the journal or the database? It concerns every row, and ends the run. */
export const isStorageError = (error: unknown): boolean => error instanceof ServiceError && error.exit === EXIT.storage;

/** Errors that other rows would get, too: the row was not done, and a later run can do it. */
const LASTING: readonly string[] = ['unreachable', 'unauthorized', 'too_many', 'bad_answer'];
export const isLasting = ({ code, next }: ServiceError): boolean =>
  LASTING.includes(code) || next?.do === 'drop-unknown';
