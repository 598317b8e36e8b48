// The journal of jobs as a port: the plan of each job, and the outcome of each row. The embedded engine stores it in its own
// file, in the transaction of the change; for a remote service it has a file of its own.
import type { Advice, ErrorCode, ServiceError } from './errors.ts';
import type { Row } from './resource.ts';

/**
 * `intent` is on disk before the request is sent; `altered` was done, but the answer is not what was wanted; `unknown` was
 * sent without an answer; `skipped` was not run; `drifted`: the record had changed since it was planned, and was not
 * changed; `undone` was done, and an undo has taken it back.
 */
export type RowState =
  | 'pending'
  | 'intent'
  | 'done'
  | 'altered'
  | 'failed'
  | 'unknown'
  | 'skipped'
  | 'drifted'
  | 'undone';

/** One change of a plan, as plain data that another process can read. */
export interface PlannedRow {
  /** From 1 on, in the order in which the rows are to run. */
  readonly number: number;
  /** In an undo: the number of the row that this one takes back. */
  readonly undoes?: number;
  /** The number of the input file, where the job has several; in an undo, that of the job it undoes. */
  readonly source?: number;
  /** The first line of the row in the input file. */
  readonly line?: number;
  readonly resource: string;
  /** The operation's name under its resource. */
  readonly operation: string;
  /** The route and its parameters, where the ID alone is not enough. */
  readonly by?: string;
  readonly params?: Readonly<Record<string, string>>;
  /**
   * The ID of the record. The plan makes the ID of a new record, so that a repeated request makes no second one. Where the
   * service gives a number instead, other rows of the plan name the record by this ID.
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
  /** The values of the changed members at the time of the plan. */
  readonly was?: Row;
  /** In an undo: updates of the other records that the row changed. They are done with the row, or none of it is. */
  readonly also?: readonly FurtherUpdate[];
  /** Members by whose values a new record was looked for, and not found: a later run looks once more. */
  readonly key?: readonly string[];
  /** A hash of the record at the time of the plan: writable members, `Deleted`, `DeletedByRef`. */
  readonly seen?: string;
  /** Secret members, such as a password, with the line and the SHA-256 of the input file that holds them. */
  readonly secret?: { readonly members: readonly string[]; readonly line: number; readonly sha256: string };
}

/** The update of another record than the row's. */
export type FurtherUpdate = Pick<PlannedRow, 'resource' | 'operation' | 'id' | 'place' | 'patch' | 'was'>;

/** Another record that a row changed: the members that changed, before and after. */
export interface SideEffect extends Pick<PlannedRow, 'resource' | 'place'> {
  readonly id: string;
  readonly before: Row;
  readonly after: Row;
}

/** Why a row failed. */
export interface RowError extends Advice {
  readonly code: ErrorCode;
  readonly message: string;
}

export interface RowResult {
  /** The ID that the service gave; of a record that the engine deleted for good its own, under which it comes back. */
  readonly id?: string;
  /** The members that changed, as they were; of a final deletion the whole record. */
  readonly before?: Row;
  /** Members that changed and are otherwise than they were sent, as they are now. */
  readonly after?: Row;
  /** What the row changed besides, as far as the caller may read it. With an intent, what it may change, as it was. */
  readonly effects?: readonly SideEffect[];
  readonly error?: RowError;
  /** The IDs below the owner before the request, where the service gives the ID of the new record. */
  readonly existing?: readonly string[];
  /** With the intent of an update: the whole record as it was read, with which the record is compared that is found later. */
  readonly now?: Row;
  /** When the request was sent, in ISO 8601, where its repetition could make a second record. */
  readonly sent?: string;
  /** The user name of the caller who said what became of a row of unknown outcome. */
  readonly settledBy?: string;
}

export interface JobRow extends PlannedRow {
  readonly state: RowState;
  readonly result?: RowResult;
}

/** Consecutive rows, ends included, that reached one state; a mark with a result has one row. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly state: RowState;
  readonly result?: RowResult;
}

export type JobKind = 'change' | 'import' | 'each' | 'apply' | 'undo';
/**
 * `planning` until the plan is complete, `planned` until it begins. Afterwards it follows from the rows and the lock:
 * `ended` with the last row, before it `running` while a process has the job, else `stopped`.
 */
export type JobState = 'planning' | 'planned' | 'running' | 'stopped' | 'ended';

export interface JobHead {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly profile: string;
  readonly site: string;
  /** The caller's user name. */
  readonly caller: string;
  /** The command, without secrets: `individuals import q4.csv`. */
  readonly title: string;
  readonly created: string;
  readonly ended?: string;
  readonly total: number;
  readonly counts: Readonly<Partial<Record<RowState, number>>>;
  readonly undoes?: string;
  /** The newest undo of this job of which rows are done. */
  readonly undoneBy?: string;
  /** The options of the run and the input files, as plain data of the command line. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export type NewJob = Omit<JobHead, 'state' | 'total' | 'counts' | 'ended' | 'undoneBy'>;

export interface LockOwner {
  readonly pid: number;
  /** The name of its host; after blanks, where the system tells, what no other process of that number has. */
  readonly host: string;
}

/** Called for a job whose head is damaged. */
export type OnDamaged = (job: string, error: ServiceError) => void;

export interface WantedHeads {
  /** Those with rows to run, of unknown outcome or still to be taken back (`rollback`), and those that never began. */
  readonly unfinished?: boolean;
  readonly site?: string;
  /** The job with this ID, and newer ones. */
  readonly from?: string;
  /** At most so many. */
  readonly limit?: number;
  readonly onDamaged?: OnDamaged;
}

export interface WantedRows {
  readonly states?: readonly RowState[];
  readonly backwards?: boolean;
  /** Of what the rows did the IDs that the service gave are enough. */
  readonly idsAlone?: boolean;
}

/** A `lazy` transaction may be lost with the machine, until a durable one follows. */
export type Durability = 'durable' | 'lazy';

export interface JobStore {
  /**
   * Makes a job in the state `planning`. `owner` locks it; it then replaces a job with its ID that never ran. Throws `busy`
   * while another process has that one, `conflict` where it has run.
   */
  begin(job: NewJob, owner?: LockOwner): Promise<void>;
  /** Appends rows to a plan that is not sealed, numbered without gaps. They are durable when it is. */
  plan(job: string, rows: readonly PlannedRow[]): Promise<void>;
  /** Completes the plan: the job is `planned`. */
  seal(job: string): Promise<void>;
  /**
   * Durable when it resolves; in a transaction of the engine, when that commits. A row of an undo and the row that it takes
   * back change together: the first is done when the second is undone. Rows of the undone job that are pending are skipped.
   */
  mark(job: string, marks: readonly Mark[]): Promise<void>;
  set(job: string, changes: Partial<Pick<JobHead, 'ended' | 'settings'>>): Promise<void>;
  /** The job has begun to run, with these settings. */
  start(job: string, settings: JobHead['settings']): Promise<void>;
  head(job: string): Promise<JobHead | undefined>;
  /**
   * The newest first, of all profiles or of one. Throws `storage` where a head's checksum is wrong; with `onDamaged` such
   * jobs are left out, and reported.
   */
  heads(profile?: string, want?: WantedHeads): Promise<readonly JobHead[]>;
  /** The rows in their order, or backwards, in all states or in these. Throws `storage` where a line's checksum is wrong. */
  rows(job: string, want?: WantedRows): AsyncIterable<JobRow>;
  /**
   * Locks the job for this process. Throws `busy`, which names the holder, while that process lives or is on another host;
   * with `takeover` the lock is taken from any holder.
   */
  lock(job: string, owner: LockOwner, want?: { readonly takeover?: boolean }): Promise<void>;
  release(job: string, owner: LockOwner): Promise<void>;
  /** Deletes jobs and their rows. */
  delete(jobs: readonly string[]): Promise<void>;
}
