// The port of the store: what the engine asks of it. Only this folder knows which database is behind it.
import type { Durability, JobStore } from '../../contract/jobs.ts';
import type { Line, Moment } from '../../contract/lines.ts';
import type { Row, Value } from '../../contract/resource.ts';
import type { Query } from './query-port.ts';
import type { CountedSet, GradedMetric, MetricSet, PeriodQuery, Rollup, RollupQuery } from './roll-up-port.ts';

export type * from './query-port.ts';
export type * from './roll-up-port.ts';

/** Stored values by the contract's names, and a few hidden ones: see `schema/tables.ts`. */
export type Stored = Row;

/** A permission row of an individual or of one of its groups, and the kind of record that it is on. */
export interface Grant extends Row {
  readonly ID: string;
  readonly RowID: string;
  readonly PrincipalID: string;
  readonly ChildType: number | null;
  readonly DeletedByRef: boolean;
  readonly Kind: string;
}

/** The methods of `M`, each of which answers a promise. */
export type Promised<M> = {
  readonly [Name in keyof M]: M[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Answer>
    : never;
};

/** Reading, as one connection does it. */
export interface Reads {
  get(resource: string, site: string, id: string): Stored | undefined;
  /** The first of these resources that has a record of this ID, deleted or not. */
  kindOf(resources: readonly string[], site: string, id: string): string | undefined;
  /** Is the ID that of a record of one of these, or the UserID of an individual? */
  isTaken(resources: readonly string[], site: string, id: string): boolean;
  /** Those of the IDs for which `isTaken` would say so. */
  takenAmong(resources: readonly string[], site: string, ids: readonly string[]): readonly string[];
  find(query: Query): readonly Stored[];
  /** Those of the IDs to which anything belongs directly, deleted or not; not for individuals and groups. */
  owning(resource: string, site: string, ids: readonly string[]): readonly string[];
  /** The permission rows of an individual and of its live groups; none of a deleted individual. */
  grants(site: string, individual: string): readonly Grant[];
  members(site: string, group: string): readonly string[];
  /** Counts what belongs to a period. */
  totals(query: PeriodQuery): Totals;
  /** The sums of dashboards, by the ID of each scope of the query (D30). */
  rollup(query: RollupQuery): ReadonlyMap<string, Rollup>;
  /** The IDs of the records that such sums count, in any order (D36). */
  countedRecords(query: RollupQuery, set: CountedSet): readonly string[];
  /** The metrics that such sums count, in any order (D36). */
  gradedMetrics(query: RollupQuery, set: MetricSet): readonly GradedMetric[];
  /** By each of these IDs, the first record in order that names it by the field and is not deleted itself. */
  firstOf(resource: string, site: string, field: string, ids: readonly string[]): ReadonlyMap<string, Stored>;
  /** The number of live records by their owner. */
  count(resource: string, site: string, ownerField: string): ReadonlyMap<string, number>;
  /** The lines of one record, oldest first, as they are stored; of a security group with its memberships. Throws `storage` for a damaged one. */
  lines(site: string, resource: string, id: string): readonly StoredLine[];
  /** Oldest first, of any site: the lines of these rows of a job, and all later ones of the same records. Throws as `lines`. */
  jobLines(job: string, from: number, to: number): readonly SiteLine[];
  /**
   * The lines of a site, newest first: at most `limit`. Where `since` is given, in milliseconds, those from the first line of
   * that time on, in the order of their sequence.
   */
  siteLines(site: string, since: number | undefined, limit: number): readonly StoredLine[];
  /** The jobs that changed records of a job later, or records of those jobs; the newest first. */
  laterJobs(job: string): readonly string[];
  /** The lines of a site from before the first one of `before` or later, in milliseconds; undefined if it has none. */
  oldLines(site: string, before: number): OldLines | undefined;
  passwordHash(site: string, individual: string): string | undefined;
  /** The user name of a live individual that has a password: any of them. */
  userWithPassword(site: string): string | undefined;
  /** Who has this user name, which is unique in the whole database (D14): a live individual, with what its login needs. */
  login(userName: string): Login | undefined;
  token(site: string, hash: string): StoredToken | undefined;
  tokens(site: string, individual?: string): readonly StoredToken[];
}

export interface Login {
  readonly individual: Stored;
  readonly passwordHash: string | undefined;
  readonly site: Stored | undefined;
}

export interface Reader extends Promised<Reads> {
  /** Each read is a round trip to a server: reads that are made side by side are worth being gathered. */
  readonly isFar?: true;
  /** Where many changes are made together: is it known without a statement that this record is there, and not deleted? */
  readonly isLive?: (resource: string, site: string, id: string) => boolean;
  /** Row by row, without holding the list. */
  iterate(query: Query): AsyncIterable<Stored>;
}

export type TokenKind = 'site' | 'user' | 'session';

/** A token without its hash, which finds it and is never read back (D21). */
export interface StoredToken extends Row {
  readonly ID: string;
  readonly Kind: TokenKind;
  /** Null for a token of the site. */
  readonly IndividualID: string | null;
  readonly Created: string;
  readonly LastUsed: string | null;
  readonly Expires: string | null;
}

export interface Totals {
  readonly commitments: number;
  readonly projects: number;
}

/** A line as it is stored: its time is in milliseconds. */
export interface StoredLine extends Omit<Line, 'at'> {
  readonly at: number;
}

export interface SiteLine extends StoredLine {
  readonly site: string;
}

/** A part of the history, by the sequence of its lines; both are included. */
export interface OldLines {
  readonly from: number;
  readonly to: number;
  /** The lines in it that can be deleted: nothing else is known by them alone. */
  readonly count: number;
  /** The jobs of which an undo needs them. */
  readonly jobs: number;
}

/** Another record has the ID, or a value that must be unique. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
  /** The members that clash: `ID`, `UserName`, or the members of the resource's identity. */
  readonly fields: readonly string[];

  constructor(resource: string, fields: readonly string[]) {
    super(`${resource}: ${fields.join(', ')} taken`);
    this.fields = fields;
  }
}

export interface RecordChange {
  readonly id: string;
  readonly changes: Stored;
}

export interface DeletionChange extends RecordChange {
  /** Is it hidden by the deletion of another record? Then everything below it is hidden, too, and stays so. */
  readonly isHidden: boolean;
}

/** Writing, as the write connection does it inside a transaction. */
export interface Writes {
  /** Answers the row as it will be read. Throws `UniqueViolation`. */
  insert(resource: string, row: Stored): Stored;
  /** Inserts records of one site. Throws `UniqueViolation` of any of them. */
  insertMany(resource: string, rows: readonly Stored[]): void;
  /** Changes these members of one record. Throws `UniqueViolation`. */
  update(resource: string, site: string, id: string, changes: Stored): void;
  /** Changes members of several records. Throws `UniqueViolation` of any of them. */
  updateMany(resource: string, site: string, changes: readonly RecordChange[]): void;
  /** Removes records for good. */
  remove(resource: string, site: string, ids: readonly string[]): void;
  /**
   * Deletes or undeletes records (D7): changes their members, and then `DeletedByRef` of everything below those that are
   * not hidden themselves (D6). `gone` says whether they are deleted now. `onMarked` is called for each that is hidden or
   * comes back, and is not deleted itself; without it most statements answer nothing.
   */
  setDeleted(
    resource: string,
    site: string,
    changes: readonly DeletionChange[],
    gone: boolean,
    onMarked?: (resource: string, id: string) => void,
  ): void;
  /** The next integer ID of a resource in a site (D12). */
  nextID(resource: string, site: string): number;
  /** Later IDs of a resource in a site are greater than this one. */
  reserveID(resource: string, site: string, id: number): void;
  /** Appends lines, in their order. */
  addLines(site: string, lines: readonly Omit<StoredLine, 'sequence'>[]): void;
  /** Deletes what can be deleted from one sequence to another. Answers the number of deleted lines. */
  deleteLines(site: string, from: number, to: number): number;
  /** Undefined deletes the password. */
  setPasswordHash(site: string, individual: string, hash: string | undefined): void;
  insertToken(site: string, token: StoredToken, hash: string): void;
  useToken(site: string, id: string, lastUsed: string, expires: string | null): void;
  deleteToken(site: string, id: string): void;
  /** Puts an individual into a security group, where it may be already. */
  addMember(site: string, group: string, individual: string): void;
  deleteMember(site: string, group: string, individual: string): void;
}

export type WorkOnIDs = (ids: ReadonlySet<string>) => Promise<void>;

export interface Writer extends Reader, Omit<Promised<Writes>, 'insert' | 'addLines'> {
  /** At once where many changes are made together: a wait costs as much as all that is done for a record. */
  insert(...row: Parameters<Writes['insert']>): Stored | Promise<Stored>;
  addLines(...lines: Parameters<Writes['addLines']>): void | Promise<void>;
  /** The journal of jobs; what it writes is part of this transaction. */
  readonly jobs: JobStore;
  /**
   * Where many changes are made together: runs `work` before they end, once for all IDs that were named under the key. What
   * reads meanwhile does not see what it will write.
   */
  readonly atEnd?: (key: string, id: string, work: WorkOnIDs) => void;
  /** Where many changes are made together: is it known without a statement that no record of the site has this ID? */
  readonly isFree?: (site: string, id: string) => boolean;
  /** In a rehearsal: the IDs of what the last `setDeleted` has hidden or brought back, if it was of this record alone. */
  marked?(resource: string, id: string): Promise<ReadonlyMap<string, readonly string[]>>;
  /** A row as `insert` would answer it, without a statement. */
  asStored(resource: string, row: Stored): Stored;
  /**
   * Runs `work` in a savepoint, which is rolled back where `work` throws; savepoints run one after another. Where the
   * store has rolled back the whole transaction, all later work fails with the same error.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

/** `once`: work that reports while it runs, such as a rehearsal. It fails with `busy` where it would have to run again. */
export type Runs = 'again' | 'once';

export interface Store extends Reader {
  /** The journal of jobs; each call is a transaction of its own. */
  readonly jobs: JobStore;
  /**
   * Runs `work` as one transaction, durable by default. One that throws is rolled back alone, and none answers before its commit.
   * A store may roll `work` back and run it again: it draws from no iterator, and reports only how far it is.
   */
  transaction<T>(work: (writer: Writer) => Promise<T>, runs?: Runs, durability?: Durability): Promise<T>;
  /** Runs several reads on one state of the data. Where they may run `again`, a single one is cheaper. */
  snapshot<T>(work: (reader: Reader) => Promise<T>, runs?: Runs): Promise<T>;
  /**
   * Changes with every commit of this or another process: while it is the same, the data is the same. Undefined if the
   * store cannot tell without asking a server.
   */
  version(): string | undefined;
  /**
   * One site as it was: a copy that only this process has, without passwords, tokens and last numbers. Throws `not_found`
   * where the history does not reach so far, and for a job that changed nothing here; `storage` for a damaged line.
   */
  past(site: string, moment: Moment, treePlaceOf: TreePlaceOf): Promise<PastStore>;
  close(): Promise<void>;
}

/** The members by which a record of a tree has its place below its parent, or at the top. */
export type TreePlaceOf = (record: Row, parent: Row | undefined) => Readonly<Record<string, Value>>;

export interface LastLine {
  readonly sequence: number;
  /** The moment for which it is the last line, in milliseconds. */
  readonly at: number;
  /** The ID of the job that wrote the next line. */
  readonly before: string | undefined;
}

/** It refuses to write. */
export type PastStore = { readonly store: Store; readonly last: LastLine };
