// What the engine asks of a store. Nothing above this folder knows which store it is.
import type { JobStore } from '../../contract/jobs.ts';
import type { Row, Value } from '../../contract/resource.ts';
import type { CountedSet, GradedMetric, MetricSet, Rollup, RollupQuery } from './roll-up-port.ts';

export type {
  CountedSet,
  GradedMetric,
  MetricSet,
  ProjectSums,
  Rollup,
  RollupQuery,
  Sum,
  SumsByKind,
} from './roll-up-port.ts';

/** Stored values by the contract's names, and a few hidden ones: see `schema.ts`. */
export type Stored = Row;

/** `deleted` as in D4: 0 neither deleted nor deleted by reference, 1 either, 2 all. */
export type Deleted = 0 | 1 | 2;

/** Whose eyes a list is read with; the store leaves out what they may not see (D2, D19). */
export interface Viewer {
  readonly individual: string;
  readonly site: string;
  /** What permission rows tell them about reading this list; without it everything of the site is seen. */
  readonly filter?: ReadFilter;
}

/** A state that is set: 1 allows, 2 denies (D18). */
export type State = 1 | 2;

/** What the permission rows of one viewer say about reading records of one type. */
export interface ReadFilter {
  /** By the record they are on, but for the site: of that record itself, and of records of the type below it. */
  readonly records: readonly {
    readonly id: string;
    readonly own: State | undefined;
    readonly below: State | undefined;
  }[];
  /** On the site, about itself. */
  readonly site: State | undefined;
  /** On the site, about records of the type; of organizations that are no departments where these are listed. */
  readonly siteForType: State | undefined;
  readonly siteForOrganizations: State | undefined;
}

/** A permission row that concerns somebody, and the kind of record that it is on. */
export interface Grant extends Row {
  readonly ID: string;
  readonly RowID: string;
  readonly PrincipalID: string;
  readonly ChildType: number | null;
  readonly DeletedByRef: boolean;
  readonly Kind: string;
}

/** Records among which the wanted one must be named: `ID in (select <pick> from <resource> where <equals>)`. */
export interface Among extends Source {
  /** The wanted record's own field. */
  readonly field: string;
  /** More records that may name it instead. */
  readonly or?: readonly Source[];
}

export interface Source {
  readonly resource: string;
  /** The other record's field that must hold it. */
  readonly pick: string;
  readonly equals: Readonly<Record<string, Value>>;
}

export interface Query {
  readonly resource: string;
  /** Undefined asks over all sites: user names are unique in the whole database (D14). */
  readonly site: string | undefined;
  /** A field of several IDs equals each of them. */
  readonly equals?: Readonly<Record<string, Value>>;
  /** Texts compared by their key (D16: NFKC, lower case). */
  readonly named?: Readonly<Record<string, string>>;
  readonly among?: Among;
  /** Date fields that must lie within, both ends included, compared as instants. */
  readonly between?: {
    readonly field: string;
    readonly from: string;
    readonly to: string;
  };
  /** Only the records of these IDs. */
  readonly ids?: readonly string[];
  readonly deleted: Deleted;
  /** In the resource's order (D16); otherwise in any. */
  readonly ordered?: boolean;
  readonly limit?: number;
}

export interface Reader {
  get(resource: string, site: string, id: string): Promise<Stored | undefined>;
  find(query: Query): Promise<readonly Stored[]>;
  /** Row by row, without holding the list. */
  iterate(query: Query): AsyncIterable<Stored>;
  /** Set operation: the records of a list that the viewer may see. */
  visible(query: Query, viewer: Viewer): AsyncIterable<Stored>;
  /** The permission rows of an individual and of its live groups; none of one that is deleted. */
  grants(site: string, individual: string): Promise<readonly Grant[]>;
  /** The IDs of a security group's members. */
  members(site: string, group: string): Promise<readonly string[]>;
  /** Set operation: what of a site falls into a time. */
  totals(site: string, from: string, to: string): Promise<Totals>;
  /** Set operation: the sums of dashboards, by the ID of each scope that is asked for (D30). */
  rollup(asked: RollupQuery): Promise<ReadonlyMap<string, Rollup>>;
  /** Set operation: the IDs of the records that such sums have counted, in any order (D36). */
  countedRecords(asked: RollupQuery, what: CountedSet): Promise<readonly string[]>;
  /** Set operation: the metrics that such sums have counted, in any order (D36). */
  gradedMetrics(asked: RollupQuery, kind: MetricSet): Promise<readonly GradedMetric[]>;
  /** How many records each owner has: `{ owner, count }`, the live ones only. */
  count(resource: string, site: string, ownerField: string): Promise<readonly { owner: string; count: number }[]>;
  /** The past of one record, oldest first. */
  history(site: string, resource: string, id: string): Promise<readonly HistoryEntry[]>;
  /** The past of a site, newest first: at most so many lines, those written at this moment or later where one is named. */
  siteHistory(site: string, since: string | undefined, limit: number): Promise<readonly HistoryEntry[]>;
  /** The password's hash of an individual. */
  passwordHash(site: string, individual: string): Promise<string | undefined>;
  /** The token that has this hash. */
  token(site: string, hash: string): Promise<StoredToken | undefined>;
  /** The tokens of a site, or of one individual in it. */
  tokens(site: string, individual?: string): Promise<readonly StoredToken[]>;
}

export type TokenKind = 'site' | 'user' | 'session';

/** What is known of a token; it is found by its hash, which is never read back (D21). */
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

export type HistoryAction = 'create' | 'update' | 'delete' | 'undelete';

/** One line of the past: who did what to which record, and the values before. */
export interface HistoryEntry {
  readonly sequence: number;
  readonly at: string;
  readonly caller: string;
  readonly resource: string;
  readonly id: string;
  readonly what: HistoryAction;
  /** Of an update the changed members, of a deletion the whole record, of a creation nothing. */
  readonly before: Row | undefined;
}

/** The ID, or a value that must be unique, is there already. */
export class UniqueViolation extends Error {
  override readonly name = 'Taken';
  /** The members that clash: `ID`, `UserName`, or the members of the resource's identity. */
  readonly fields: readonly string[];

  constructor(resource: string, fields: readonly string[]) {
    super(`${resource}: ${fields.join(', ')} taken`);
    this.fields = fields;
  }
}

export interface Writer extends Reader {
  /** The journal of jobs; what it is told is part of this transaction. */
  readonly jobs: JobStore;
  /**
   * Runs a piece of the transaction that is taken back alone where it throws; pieces run one after another. Where the
   * store has given the whole transaction up, everything after fails as the piece did.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /** Answers the row as it is stored. Throws `Taken` where the ID, or a text that must be unique, is there already. */
  insert(resource: string, row: Stored): Promise<Stored>;
  /** Changes these members of one record. */
  update(resource: string, site: string, id: string, changes: Stored): Promise<void>;
  remove(resource: string, site: string, id: string): Promise<void>;
  /**
   * Set operation: brings `DeletedByRef` of everything below one record in step with it, in one pass down (D6).
   * `gone` says whether the record itself is now deleted or deleted by reference. Answers how many records changed.
   */
  cascade(site: string, resource: string, id: string, gone: boolean): Promise<number>;
  /** The next integer ID of a resource in a site (D12). */
  nextID(resource: string, site: string): Promise<number>;
  addHistory(site: string, line: Omit<HistoryEntry, 'sequence'>): Promise<void>;
  /** The password's hash; undefined takes it away. */
  setPasswordHash(site: string, individual: string, hash: string | undefined): Promise<void>;
  insertToken(site: string, token: StoredToken, hash: string): Promise<void>;
  /** Notes that a token was used, and until when it is good now. */
  useToken(site: string, id: string, lastUsed: string, expires: string | null): Promise<void>;
  deleteToken(site: string, id: string): Promise<void>;
  /** Puts an individual into a security group, where it may be already. */
  addMember(site: string, group: string, individual: string): Promise<void>;
  deleteMember(site: string, group: string, individual: string): Promise<void>;
}

export interface Store extends Reader {
  /** The journal of jobs; each call is a transaction of its own. */
  readonly jobs: JobStore;
  /**
   * Runs `work` alone on the write connection, with the pieces that wait beside it in one durable commit. A piece that
   * throws is rolled back alone; nobody is answered before the commit, and if that fails all of them fail.
   */
  transaction<T>(work: (writer: Writer) => Promise<T>): Promise<T>;
  /** One view of the data for several reads: nothing changes in between. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** A text that is another one after every commit, by whomever: while it is the same, nothing has changed. */
  version(): string;
  close(): Promise<void>;
}
