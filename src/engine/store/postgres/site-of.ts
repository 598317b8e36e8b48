// The site that a call of the store is about, which a transaction locks before; and the turns of the transactions of one site.
// Those that wait share the transaction before theirs, and its commit: a piece that fails is rolled back alone.
import type { Reads, Writes } from '../port.ts';
import type { Connection } from './connection.ts';
import type { Ground } from './statements.ts';
import { unsentRows } from './unsent.ts';

type Methods = Reads & Writes;
type SitesOf = { readonly [Name in keyof Methods]: (...args: Parameters<Methods[Name]>) => string | undefined };

const first = (site: string): string => site;
const second = (_: unknown, site: string): string => site;
const none = (): undefined => undefined;
const ofQuery = ({ site }: { readonly site: string | undefined }): string | undefined => site;

/** A query of all sites is about none of them. */
const SITES: SitesOf = {
  get: second,
  getMany: second,
  kindOf: second,
  isTaken: second,
  takenAmong: second,
  find: ofQuery,
  owned: first,
  owning: second,
  grants: first,
  members: first,
  totals: ofQuery,
  rollup: ofQuery,
  countedRecords: ofQuery,
  gradedMetrics: ofQuery,
  firstOf: second,
  count: second,
  history: first,
  siteHistory: first,
  oldHistory: first,
  passwordHash: first,
  userWithPassword: first,
  login: none,
  token: first,
  tokens: first,
  insert: (_, row) => String(row.SiteID),
  insertMany: (_, rows) => (rows[0] ? String(rows[0].SiteID) : undefined),
  update: second,
  updateMany: second,
  remove: second,
  setDeleted: second,
  nextID: second,
  reserveID: second,
  addHistory: first,
  deleteHistory: first,
  setPasswordHash: first,
  insertToken: first,
  useToken: first,
  deleteToken: first,
  addMember: first,
  deleteMember: first,
  moveSecrets: first,
};

export const siteOf = (name: keyof Methods, args: readonly unknown[]): string | undefined =>
  // The arguments are those of the method of that name.
  (SITES[name] as (...all: readonly unknown[]) => string | undefined)(...args);

/** Reads that look for one record alone, of the ID that comes third. */
const OF_ONE = ['get', 'kindOf', 'isTaken'] as const satisfies readonly (keyof Methods)[];

const QUICK: readonly string[] = [...OF_ONE, 'grants', 'login', 'token'] satisfies (keyof Methods)[];

/** Reads few rows by their keys. */
export const isQuick = (name: keyof Methods): boolean => QUICK.includes(name);

/** The ID where the call reads nothing but a record of it. */
export const soleIDOf = (name: keyof Methods, args: readonly unknown[]): string | undefined =>
  (OF_ONE as readonly string[]).includes(name) ? String(args[2]) : undefined;

/** One row for each site, which its writers lock and count up. */
export const SITE_TABLE = `CREATE TABLE site_writer (
  SiteID TEXT COLLATE "C" PRIMARY KEY,
  Turn BIGINT NOT NULL
)`;
export const LOCK = `INSERT INTO site_writer (SiteID, Turn) VALUES (?, 1)
  ON CONFLICT (SiteID) DO UPDATE SET Turn = site_writer.Turn + 1`;

/** A transaction that several pieces of work share, one after another. */
export interface Shared extends Ground {
  /** The site that it has locked; without one nothing else joins it. */
  readonly site: string | undefined;
  /** When it began, in milliseconds. */
  readonly began: number;
  /** How many pieces have begun in it. */
  pieces: number;
  hasChanged: boolean;
  /** Resolves when what was changed is durable; rejects where nothing of it is kept. */
  readonly ended: Promise<void>;
  end(): void;
  fail(error: unknown): void;
}

export function sharedOn(connection: Connection, site: string | undefined): Shared {
  let [end, fail] = [(): void => undefined, (_: unknown): void => undefined];
  const ended = new Promise<void>((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  // It may be that every piece has failed by itself.
  ended.catch(() => undefined);
  const unsent = unsentRows();
  return { connection, unsent, site, began: Date.now(), pieces: 1, hasChanged: false, ended, end, fail };
}

/** What waits for its turn holds no connection, which the work on other sites needs. */
export interface Turns {
  /** Waits for the turn; answers the transaction that is handed over with it. */
  take(site: string): Promise<Shared | undefined>;
  /** Does anything wait for this site? */
  isAwaited(site: string): boolean;
  /** Gives the turn to what waits longest, and the transaction where it goes on. */
  pass(site: string, shared?: Shared): void;
}

export function siteTurns(): Turns {
  /** What waits, by the sites whose turn is taken. */
  const waiting = new Map<string, ((shared: Shared | undefined) => void)[]>();
  return {
    take(site) {
      const line = waiting.get(site);
      if (line) return new Promise((resolve) => line.push(resolve));
      waiting.set(site, []);
      return Promise.resolve(undefined);
    },
    isAwaited: (site) => (waiting.get(site)?.length ?? 0) > 0,
    pass(site, shared) {
      const next = waiting.get(site)?.shift();
      if (next) next(shared);
      else waiting.delete(site);
    },
  };
}
