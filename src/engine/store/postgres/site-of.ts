// The site that a call of the store is about, which a transaction locks before; and what a call reads at most.
import type { Reads, Writes } from '../port.ts';
import { DATABASE, newestOf } from '../schema/versions.ts';

type Methods = Reads & Writes;
type SitesOf = { readonly [Name in keyof Methods]: (...args: Parameters<Methods[Name]>) => string | undefined };

const first = (site: string): string => site;
const second = (_: unknown, site: string): string => site;
const none = (): undefined => undefined;
const ofQuery = ({ site }: { readonly site: string | undefined }): string | undefined => site;

/** A query of all sites is about none of them. */
const SITES: SitesOf = {
  get: second,
  kindOf: second,
  isTaken: second,
  takenAmong: second,
  find: ofQuery,
  owning: second,
  grants: first,
  members: first,
  totals: ofQuery,
  rollup: ofQuery,
  countedRecords: ofQuery,
  gradedMetrics: ofQuery,
  firstOf: second,
  count: second,
  lines: first,
  jobLines: none,
  siteLines: first,
  laterJobs: none,
  oldLines: first,
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
  addLines: first,
  deleteLines: first,
  setPasswordHash: first,
  insertToken: first,
  useToken: first,
  deleteToken: first,
  addMember: first,
  deleteMember: first,
};

export const siteOf = (name: keyof Methods, args: readonly unknown[]): string | undefined =>
  // The arguments are those of the method of that name.
  (SITES[name] as (...all: readonly unknown[]) => string | undefined)(...args);

/** Reads that look for one record alone, of the ID that comes third. */
const OF_ONE: readonly (keyof Methods)[] = ['get', 'kindOf', 'isTaken'];

const QUICK: readonly (keyof Methods)[] = [...OF_ONE, 'grants', 'login', 'token'];

/** Reads few rows by their keys. */
export const isQuick = (name: keyof Methods): boolean => QUICK.includes(name);

/** The ID where the call reads nothing but a record of it. */
export const soleIDOf = (name: keyof Methods, args: readonly unknown[]): string | undefined =>
  OF_ONE.includes(name) ? String(args[2]) : undefined;

/**
 * The column of a version by which its writers take their turn in a site. A pm of an older version, which may still run when the
 * tables are brought to this one, does not find its own any more, and so writes nothing.
 */
export const turnOf = (version: number): string => (version === 6 ? 'Turn' : `Turn${version}`);
export const TURN = turnOf(newestOf(DATABASE).number);

/** One row for each site, which its writers lock and count up. */
export const SITE_TABLE = `CREATE TABLE site_writer (
  SiteID TEXT COLLATE "C" PRIMARY KEY,
  ${TURN} BIGINT NOT NULL
)`;
export const LOCK = `INSERT INTO site_writer (SiteID, ${TURN}) VALUES (?, 1)
  ON CONFLICT (SiteID) DO UPDATE SET ${TURN} = site_writer.${TURN} + 1`;
