// The interface between what calls a service (command line, endpoint) and what answers (engine, remote service).
import type { ServiceError } from './errors.ts';
import type { Durability, JobStore } from './jobs.ts';
import type { Cause, History, Moment } from './lines.ts';
import type { Operation } from './operation.ts';
import type { Row } from './resource.ts';
import type {
  KindRights,
  RightsHolder,
  RightsPairs,
  RightsPicture,
  RightsQuestion,
  RightsReason,
  RightsVerdict,
  RightsWish,
} from './rights.ts';

/** The input of an operation. Names of parameters, queries and members are spelled as in the contract. */
export interface Input {
  /** The name of the route; by default `plain`, or the only one. */
  readonly by?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** The site that `{siteId}` in a profile's own route means; by default the session's. */
  readonly site?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** Change the record only while its ETag is one of these; otherwise `drifted` (D10). */
  readonly match?: readonly string[];
  /** For the engine alone: the row of a job for which the call is made. */
  readonly cause?: Cause | undefined;
}

/** Hints for a list: a back end may use them, and the caller applies them again. */
export interface ListOptions {
  readonly limit?: number;
}

/** The caller of the embedded engine, where the owner of the file is trusted. */
export interface Caller {
  /** A user name; by default the owner's user in the file. */
  readonly user?: string;
  /** The ID or name of a site; by default the caller's own (D2: another one only for global administrators). */
  readonly site?: string;
}

/** The user and password parts of HTTP Basic authentication (D21). */
export interface Credential {
  /** A user name; `admin\user` is an administrator acting as a user. */
  readonly login: string;
  /** A password, or a token with its prefix in braces. */
  readonly password: string;
}

/**
 * The most characters of a credential's parts: a login is two user names of 255 at most, with a backslash between, and a
 * password has 1,024. Unicode normalization takes the square of a text's length, so what is longer is refused before it.
 */
export const CREDENTIAL_LIMITS = { login: 511, password: 1024 } as const;

/**
 * Runs the check of a password that may be a guess; it may throw instead (`too_many`). A check that throws `unauthorized`
 * was a wrong guess.
 */
export type PasswordGuard = <T>(check: () => Promise<T>) => Promise<T>;

export interface Backend {
  /**
   * Opens a session of one individual (D1). A credential is checked, and its session has no `local`. The engine runs in
   * `guard` what may be a guess: no token, and no password that was good a short time ago.
   * Throws `unauthorized` or `not_found`, and for a credential `feature_off` (D3).
   */
  open(who: Caller | Credential, guard?: PasswordGuard): Promise<Session>;
  /**
   * Exchanges a user name and its password for a session token (D21): `Site`, `Token` and `UserName`, as `POST /login`
   * answers them, without a login before it. Throws `unauthorized` unless the password fits, `feature_off`.
   */
  login(credential: Credential, guard?: PasswordGuard): Promise<Row>;
  close(): Promise<void>;
}

/** The calls that are made of a remote service at one time, where the user sets no number: at first, and at most. */
export const CONCURRENCY = { first: 4, writes: 8, reads: 16 } as const;

export interface Session {
  /** The caller, and the site every call without one in its path acts in. */
  readonly me: { readonly id: string; readonly userName: string; readonly site: string };
  /** One operation, one record (an empty object where the service answers none). */
  call(operation: Operation, input?: Input): Promise<Row>;
  /** One list, record by record in the service's order. */
  list(operation: Operation, input?: Input, want?: ListOptions): AsyncIterable<Row>;
  /** Finds records that the caller may read. */
  readonly find: Finder;
  /** How many reads may be made at one time. Without it one after the other is as fast, as on the embedded engine. */
  readonly readsAtOnce?: number;
  /** What only the embedded engine can do. */
  readonly local?: Local;
  /** Of a site as it was, the site as it is. */
  readonly now?: Session;
}

export type Calls = Pick<Session, 'me' | 'call' | 'list' | 'readsAtOnce'>;

/** Identifies a record. */
export interface Locator {
  /** Without it, the members of `place` alone name it, as the two ends name a membership. */
  readonly id?: string;
  /** Members by which a list shows it: its owners, and the period of a commitment. */
  readonly place?: Row;
}

/**
 * How a record is looked up. `listed`: a record from a list that was read already is enough. `many`: further lookups of this
 * resource follow, so a list is read instead of each record. `deleted`: a deleted record is answered, too. `new`: most often
 * there is none, so no list is read for what has an address of its own. `cached`: only in lists that were read already.
 */
export type LookupMode = 'listed' | 'many' | 'deleted' | 'new' | 'cached';

/**
 * The result of a lookup. `deleted` may come without the record: a service does not show single deleted records (D5).
 * `absent`: there is no such record. `unseen`: no address of the service can show it.
 */
export interface Found {
  readonly state: 'live' | 'deleted' | 'absent' | 'unseen';
  readonly row?: Row;
  /** The error of the service, where it shows no record, or only a part of it that no update can be based on. */
  readonly refusal?: ServiceError;
}

/** The options of a lookup by name. */
interface NameSearch {
  /** As in D4; 0 by default. */
  readonly deleted?: 0 | 1 | 2;
  /** Members that the records must have: their owners. */
  readonly within?: Row;
}

/** What is looked for in which texts of records. */
interface TextSearch {
  readonly fields: readonly string[];
  /** Folded, and not empty. */
  readonly text: string;
  /** As in D4. */
  readonly deleted: 0 | 1 | 2;
}

/**
 * Finds records by ID, name or members: in the store of the embedded engine, or in the lists of a remote service. IDs are
 * compared as GUIDs, texts as in D16, dates as instants.
 */
export interface Finder {
  record(resource: string, locator: Locator, ask?: LookupMode): Promise<Found>;
  /** Records whose member has this text; undefined if no list can show them. */
  byName(resource: string, field: string, text: string, search?: NameSearch): Promise<readonly Row[] | undefined>;
  /** Records that have all of these members, also deleted ones where they are shown; undefined if no list can show them. */
  byMembers(resource: string, members: Row): Promise<readonly Row[] | undefined>;
  /** All records of the site, each once, in any order. `deleted` as in D4. */
  all(resource: string, deleted: 0 | 2): AsyncIterable<Row>;
  /** Records with a text that holds a folded one (text/folded.ts), each once, in any order; on the engine as they are stored, without computed members. */
  holding(resource: string, search: TextSearch): AsyncIterable<Row>;
  /** Forgets lists that were read. */
  forget(): void;
}

/** A session inside a transaction of the embedded engine. */
export type TransactionSession = Session & { readonly local: Local };

type Inside<T> = (inside: TransactionSession) => Promise<T>;

/** The changes of `work` are kept together, unless it throws, or `isKept` is false for its answer. */
type Transactional = <T>(work: Inside<T>, isKept?: (answer: T) => boolean) => Promise<T>;

export type IDsByResource = ReadonlyMap<string, ReadonlySet<string>>;

/** What changes of many records read. */
export interface BatchReads {
  readonly changed: IDsByResource;
  /** Others that are deleted or undeleted. */
  readonly deleted: IDsByResource;
  /** New records, which most probably are not there. */
  readonly made: IDsByResource;
  /** Records that the changes name. An ID that may be of several kinds is under each of them; a UserID is a `principal`'s. */
  readonly named: IDsByResource;
}

/** Finds for many rows: what is looked up side by side is read in a few queries. */
export interface GatheredFinder {
  /** Its answers are kept until they are forgotten. */
  readonly find: Finder;
  /** Gathers what `work` looks up side by side. */
  together<T>(work: () => Promise<T>): Promise<T>;
}

/** A site as it was. */
export interface Past {
  /** It only reads; its clock stands at that moment. */
  readonly session: Session;
  readonly at: Date;
  /** The ID of the job that made the next change. */
  readonly before: string | undefined;
  close(): Promise<void>;
}

/** What only the embedded engine offers. */
export interface Local {
  readonly transaction: Transactional;
  /** A savepoint in a transaction, or a transaction outside of one. */
  readonly savepoint: Transactional;
  /**
   * The same for changes of many records. What they read is read ahead, as far as `reads` says it, and what they write is
   * written in a few statements. Where a value is taken it throws `conflict`, which does not say by which record.
   */
  batch<T>(reads: BatchReads, work: Inside<T>, durability?: Durability): Promise<T>;
  gatheredFinder(): GatheredFinder;
  /** Makes the changes and rolls them back; answers what `work` answers. */
  rehearse<T>(work: Inside<T>): Promise<T>;
  /** Reads of one state of the data, whatever others write meanwhile. */
  snapshot<T>(work: (inside: Session) => Promise<T>): Promise<T>;
  /** A session of another user in their own site; in a transaction, part of it. Throws `not_found`. */
  as(user: string): Promise<Session>;
  readonly history: History;
  /**
   * The site as it was, for administrators alone: records that were hidden then may be seen by others now, and the reverse.
   * Throws `admin_only`, and `not_found` where the history does not reach so far.
   */
  past(moment: Moment): Promise<Past>;
  /** The journal in the file of the engine; in a transaction, part of it. */
  readonly jobs: JobStore;
  /** Explains a right without using it (D19). Throws `admin_only`, `not_found`. */
  rights(question: RightsQuestion): Promise<RightsVerdict>;
  /** Live records that name one of these in a member, whether the caller may read them or not. */
  naming(resource: string, field: string, ids: readonly string[]): Promise<readonly Row[]>;
  /** In a rehearsal, after a deletion or undeletion: the IDs of what that has hidden (D6) or brought back, by resource. */
  marked(resource: string, id: string): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The live individuals of the site who may do it, in their order (D16). Throws `admin_only`, `not_found`. */
  whoMay(wish: RightsWish): Promise<readonly RightsHolder[]>;
  /** What an individual may do with the live records of these resources that the caller may read. Throws as `rights`. */
  whatMay(who: string, resources: readonly string[]): Promise<readonly KindRights[]>;
  /** What decides the rights of everybody, to be compared with another moment. Throws `admin_only`. */
  rightsPicture(): Promise<RightsPicture>;
  /** For each individual the reasons of all `wishesOn` its records, in their order; undefined if it is late before the end. */
  rightsReasons(
    pairs: RightsPairs,
    isLate: () => boolean,
  ): Promise<ReadonlyMap<string, readonly RightsReason[]> | undefined>;
}
