// The site that a call of the store is about, which a transaction locks before.
import type { Reads, Writes } from '../port.ts';

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
  count: second,
  history: first,
  siteHistory: first,
  oldHistory: first,
  passwordHash: first,
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
