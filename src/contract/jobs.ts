// The journal of jobs as a port: what a change was planned to be, and what became of each of its rows. The embedded
// engine keeps it in its own file, in the transaction of the change itself; for a remote service it has a file of its own.
import type { Advice, ErrorCode, ServiceError } from './errors.ts';
import type { Row } from './resource.ts';

/**
 * `intent` is on disk before a request leaves; `unknown` was sent and never answered; `skipped` was not tried;
 * `drifted` was found otherwise than the plan saw it, and left alone.
 */
export type RowState = 'pending' | 'intent' | 'done' | 'failed' | 'unknown' | 'skipped' | 'drifted';

/** One change of a plan, as plain data: it can be written to a file and read again by another process. */
export interface PlannedRow {
  /** From 1 on, in the order in which the rows are to run. */
  readonly number: number;
  /** Which of the job's input files it is from, where there are several; in an undo, those of the job it takes back. */
  readonly source?: number;
  /** Where it begins in the input file. */
  readonly line?: number;
  readonly resource: string;
  /** The operation's name under its resource. */
  readonly operation: string;
  /** The address and its parameters, where they are not the operation's own with the ID alone. */
  readonly by?: string;
  readonly params?: Readonly<Record<string, string>>;
  /**
   * The record. That of a new one is made with the plan, so that a resend makes no second one; integers are the service's,
   * and other rows of the plan may name such a record by the ID that stands here.
   */
  readonly id?: string;
  /** The whole body of a new record, or of an operation that is not ordinary. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The members that an update changes. */
  readonly patch?: Readonly<Record<string, unknown>>;
  /** Members that name a new record by its planned ID, where the service knows it by a number or by a UserID. */
  readonly awaits?: readonly string[];
  /** The members by which a list shows the record, where no address shows it by its ID alone. */
  readonly place?: Row;
  /** The values before of what changes, as the plan saw them. */
  readonly was?: Row;
  /** A hash of all that the plan relied on: writable members, `Deleted`, `DeletedByRef`. */
  readonly seen?: string;
  /** Members whose values are kept nowhere but in the input: the line and the SHA-256 of its file (a password). */
  readonly secret?: { readonly members: readonly string[]; readonly line: number; readonly sha256: string };
}

/** Why a row failed. The hint of an older journal may name the command that `next` now stands for. */
export interface RowError extends Advice {
  readonly code: ErrorCode;
  readonly message: string;
}

export interface RowResult {
  /** The ID that the service gave. */
  readonly id?: string;
  /** The members that changed, as they were; of a final deletion the whole record. */
  readonly before?: Row;
  readonly error?: RowError;
  /** Integer IDs, or a service that gives its own: those that existed under the owner before the request left. */
  readonly existing?: readonly string[];
}

export interface JobRow extends PlannedRow {
  readonly state: RowState;
  readonly result?: RowResult;
}

/** A run of rows, ends included, that came to one state; a result belongs to one row alone. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly state: RowState;
  readonly result?: RowResult;
}

export type JobKind = 'change' | 'import' | 'each' | 'apply' | 'undo';
/** `planning` until the plan is whole: such a job never ran. */
export type JobState = 'planning' | 'planned' | 'running' | 'stopped' | 'ended';

export interface JobHead {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly profile: string;
  readonly site: string;
  /** The caller's user name. */
  readonly caller: string;
  /** What was asked for, in words without secrets: `individuals import q4.csv`. */
  readonly title: string;
  readonly created: string;
  readonly ended?: string;
  readonly total: number;
  /** How many rows came to each state. */
  readonly counts: Readonly<Partial<Record<RowState, number>>>;
  /** The job that this one takes back. */
  readonly undoes?: string;
  /** The job that took this one back. */
  readonly undoneBy?: string;
  /** How it runs, and where its rows came from; plain data of whoever runs it. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export type NewJob = Omit<JobHead, 'state' | 'total' | 'counts' | 'ended' | 'undoneBy'>;

export interface Owner {
  readonly pid: number;
  readonly host: string;
}

/** Told of a job whose head is not what was written. */
export type OnDamaged = (job: string, error: ServiceError) => void;

export interface JobStore {
  /**
   * Makes a job in the state `planning`, and takes it for the owner where one is named: then it takes the place of one
   * with its ID that never ran. Throws `busy` while another process has that one, `conflict` where it has run.
   */
  begin(job: NewJob, owner?: Owner): Promise<void>;
  /** Appends rows to a plan that is not sealed; their numbers go on without a gap. */
  plan(job: string, rows: readonly PlannedRow[]): Promise<void>;
  /** The plan is whole: the job is `planned`. */
  seal(job: string): Promise<void>;
  /**
   * Durable when it resolves; inside a transaction of the engine, when that commits. With the first row of an undo that
   * is done the job that it takes back is `undoneBy` it and has ended: its pending rows are skipped.
   */
  mark(job: string, marks: readonly Mark[]): Promise<void>;
  set(job: string, changes: Partial<Pick<JobHead, 'state' | 'ended' | 'undoneBy' | 'settings'>>): Promise<void>;
  head(job: string): Promise<JobHead | undefined>;
  /**
   * The newest first; those of one profile where it is named. Throws `storage` where a head's checksum is wrong, or hands
   * that error on for each such job and leaves the job out, where somebody listens.
   */
  heads(profile?: string, onDamaged?: OnDamaged): Promise<readonly JobHead[]>;
  /** The rows in their order, or backwards; of these states alone where some are named. Throws `storage` where a line's checksum is wrong. */
  rows(
    job: string,
    want?: { readonly states?: readonly RowState[]; readonly backwards?: boolean },
  ): AsyncIterable<JobRow>;
  /**
   * Takes the job for this process. Throws `busy`, which names the holder, while that one lives or cannot be seen from
   * this host; with `takeover` the job is taken whoever holds it.
   */
  lock(job: string, owner: Owner, want?: { readonly takeover?: boolean }): Promise<void>;
  release(job: string, owner: Owner): Promise<void>;
  /** Forgets jobs and their rows. */
  delete(jobs: readonly string[]): Promise<void>;
}
