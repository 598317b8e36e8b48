// The waist: whoever asks (the command line, the endpoint) and whoever answers (the engine, a remote service) meet here.
import type { ServiceError } from './errors.ts';
import type { JobStore } from './jobs.ts';
import type { Operation } from './operation.ts';
import type { Action, Row, Value } from './resource.ts';

/** What an operation is handed. Names of parameters, queries and members are the contract's own spelling. */
export interface Input {
  /** The name of the route; without it `plain`, or the only one there is. */
  readonly by?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Change the record only while this is its ETag; otherwise `drifted` (D10). */
  readonly match?: string;
}

/** What an asker would like of a list; a back end may use it, and the asker applies it again. */
export interface Want {
  readonly limit?: number;
}

/** Who calls on the embedded engine, where the file's owner is trusted: a user name and the site to act in. */
export interface Caller {
  /** A user name; without it the user that the file names as its own. */
  readonly user?: string;
  /** A site's ID or name; without it the caller's own (D2: another one only for global administrators). */
  readonly site?: string;
}

/** Who calls from outside, and has to show it: HTTP Basic's user and password parts (D21). */
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

export interface Backend {
  /**
   * Begins to speak as one individual (D1). A credential is checked, and its session has no `local`.
   * Throws `unauthorized` or `not_found`, and for a credential `feature_off` (D3).
   */
  open(who: Caller | Credential): Promise<Session>;
  /**
   * Exchanges a user name and its password for a session token (D21): `Site`, `Token` and `UserName`, as `POST /login`
   * answers them. Nobody needs to be logged in. Throws `unauthorized` for anything but a password that fits, `feature_off`.
   */
  login(credential: Credential): Promise<Row>;
  close(): Promise<void>;
}

export interface Session {
  /** The caller, and the site every call without one in its path acts in. */
  readonly me: { readonly id: string; readonly userName: string; readonly site: string };
  /** One operation, one record (an empty object where the service answers none). */
  call(operation: Operation, input?: Input): Promise<Row>;
  /** One list, record by record in the service's order. */
  list(operation: Operation, input?: Input, want?: Want): AsyncIterable<Row>;
  /** Finds records that the caller may read. */
  readonly find: Finder;
  /** What only the embedded engine can do. */
  readonly local?: Local;
}

/** The calls of a session without its other doors. */
export type Calls = Pick<Session, 'me' | 'call' | 'list'>;

/** Which record is meant. */
export interface Locator {
  /** Without it, the members of `place` alone name it, as the two ends name a membership. */
  readonly id?: string;
  /** Members by which a list shows it: its owners, and the period of a commitment. */
  readonly place?: Row;
}

/**
 * What is asked of one record beyond that it is read: `listed`: what a list has shown already will do. `many`: others
 * of its kind are asked for too, so that a list is read rather than each record. `deleted`: of a deleted one the record too.
 */
export type Ask = 'listed' | 'many' | 'deleted';

/**
 * How a record stands. `deleted` may come without the record: a service shows no deleted one by itself (D5). `absent`:
 * it is not there. `unseen`: no address of the service can show it, so that nothing is known of it.
 */
export interface Found {
  readonly state: 'live' | 'deleted' | 'absent' | 'unseen';
  readonly row?: Row;
  /** What the service says where it shows none. */
  readonly refusal?: ServiceError;
}

/** How a name is looked up. */
export interface NameSearch {
  /** As in D4; 0 unless told. */
  readonly deleted?: 0 | 1 | 2;
  /** Members that the records must have: their owners. */
  readonly within?: Row;
}

/**
 * Finds records by what people know of them. The embedded engine asks its store, a client the lists of its service. IDs
 * are compared as GUIDs, texts as D16 says, dates as moments.
 */
export interface Finder {
  record(resource: string, locator: Locator, ask?: Ask): Promise<Found>;
  /** Records whose member has this text; undefined where no list can show them. */
  named(resource: string, field: string, text: string, search?: NameSearch): Promise<readonly Row[] | undefined>;
  /** Records that have all of these members, deleted ones too as far as they are shown; undefined where no list can show them. */
  beside(resource: string, members: Row): Promise<readonly Row[] | undefined>;
  /** All records of the site, each once, in any order. `deleted` as in D4. */
  all(resource: string, deleted: 0 | 2): AsyncIterable<Row>;
  /** Time has passed: lists that were kept are read anew. */
  forget(): void;
}

/** A session inside a transaction of the embedded engine. */
export type Inside = Session & { readonly local: Local };

/** Changes that are kept together, and only if `work` does not throw, and `isKept` does not say no to what it answers. */
type Whole = <T>(work: (inside: Inside) => Promise<T>, isKept?: (answer: T) => boolean) => Promise<T>;

/** The embedded engine's own doors, besides the service's. */
export interface Local {
  /** All calls of `work` are one change: it is kept whole or not at all. */
  readonly transaction: Whole;
  /** A piece of a transaction, or a whole one outside: it is taken back alone where it throws. */
  readonly attempt: Whole;
  /** Makes the changes by the engine's rules, and takes them all back; what `work` answers is what they would do. */
  rehearse<T>(work: (inside: Inside) => Promise<T>): Promise<T>;
  /** The calls of somebody else, by the user name, in their own site; inside a transaction, part of it. Throws `not_found`. */
  as(user: string): Promise<Session>;
  readonly history: History;
  /** The journal in the engine's own file: inside a transaction, part of it. */
  readonly jobs: JobStore;
  /** Whether somebody may do something, and why; nothing is tried (D19). Throws `admin_only`, `not_found`. */
  rights(question: Question): Promise<Verdict>;
}

/** The engine's record of the past: every write, whoever asked. */
export interface History {
  /** Of one record, the oldest first. */
  of(resource: string, id: string): Promise<readonly Past[]>;
  /** Of the site, the newest first. */
  since(at: string | undefined, limit: number): Promise<readonly Past[]>;
}

/** One line of the past. */
export interface Past {
  /** Orders the lines; clocks may jump. */
  readonly sequence: number;
  readonly at: string;
  /** The ID of the individual who did it. */
  readonly caller: string;
  readonly resource: string;
  readonly id: string;
  readonly what: 'create' | 'update' | 'delete' | 'undelete';
  /** Of an update the changed members as they were, of a deletion the whole record. */
  readonly before: Row | undefined;
}

/** Who would do what to which record, or to a new one in which owner. */
export interface Question {
  /** The ID of an individual. */
  readonly who: string;
  readonly action: Action;
  readonly resource: string;
  readonly id?: string;
  readonly in?: { readonly resource: string; readonly id: string };
}

export interface Verdict {
  readonly allowed: boolean;
  /**
   * What decided: a label of the operation, that it is kept to global administrators, that they cannot read it, a
   * permission row, or what holds without one.
   */
  readonly by: 'administrator' | 'label' | 'global' | 'unread' | 'row' | 'default';
  /** Members that they may not change all the same; none where nothing is allowed. */
  readonly except: readonly string[];
  readonly who: string;
  readonly object: string;
  /** From the object up to the site, each once; the first with a state decides. */
  readonly steps: readonly {
    readonly object: string;
    /** 0 nothing, 1 allowed, 2 denied. */
    readonly state: number;
    /** The permission rows that were looked at, in this order, and the IDs of those that set the state. */
    readonly rows: readonly Row[];
    readonly deciding: readonly string[];
  }[];
}

export type { Row, Value };
