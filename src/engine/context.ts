// The context of a call: the caller, the site, the time, and the store.
import type { ResourceName } from '../contract/index.ts';
import type { Row } from '../contract/resource.ts';
import type { Zone } from '../contract/zone.ts';
import type { Query, Reader, Store, Stored, Writer } from './store/port.ts';

/** What the engine depends on: the store, the clock, and the source of IDs. */
export interface EngineParts {
  readonly store: Store;
  readonly clock: () => Date;
  readonly newID: () => string;
}

/** The calling individual. */
export interface Caller {
  readonly id: string;
  readonly userName: string;
  readonly site: string;
  readonly isAdmin: boolean;
  readonly isGlobalAdmin: boolean;
}

export interface Context {
  readonly store: Reader;
  readonly caller: Caller;
  /** The site the call acts in. */
  readonly site: string;
  /** The moment of the call, as stored dates are written. */
  readonly now: string;
  readonly newID: () => string;
  /** The zone of the `tz` parameter. */
  readonly zone: Zone | undefined;
  /** One record of this site, deleted or not; cached for the call. */
  readonly lookup: Lookup;
}
export type Lookup = (resource: ResourceName, id: unknown) => Promise<Stored | undefined>;

/** The context of a call that writes. */
export interface Change extends Context {
  readonly store: Writer;
}

export const callerOf = (row: Stored): Caller => ({
  id: String(row.ID),
  userName: String(row.UserName),
  site: String(row.SiteID),
  isAdmin: row.IsAdmin === true,
  isGlobalAdmin: row.IsGlobalAdmin === true,
});

export function contextOf(
  parts: Pick<EngineParts, 'clock' | 'newID'>,
  caller: Caller,
  site: string,
  store: Reader,
  zone: Zone | undefined,
): Context {
  return {
    store,
    caller,
    site,
    now: writeDate(parts.clock()),
    newID: parts.newID,
    zone,
    lookup: lookupIn(store, site),
  };
}

/** Dates that the engine writes: milliseconds and the offset of UTC. They have one length, so that they sort as text. */
export const writeDate = (instant: Date): string => instant.toISOString().replace('Z', '+00:00');

/** Reads single records, and caches those that many rows name: a department, a commenter. */
export function lookupIn(store: Reader, site: string): Lookup {
  const known = new Map<string, Promise<Stored | undefined>>();
  return (resource, id) => {
    if (typeof id !== 'string' && typeof id !== 'number') return NOTHING;
    const key = `${resource} ${id}`;
    const found = known.get(key) ?? store.get(resource, site, String(id));
    known.set(key, found);
    return found;
  };
}
const NOTHING: Promise<undefined> = Promise.resolve(undefined);

/** Records of the context's site; live ones by default. */
export const findIn = (
  { store, site }: Pick<Context, 'store' | 'site'>,
  resource: string,
  query: Partial<Query>,
): Promise<readonly Stored[]> => store.find({ deleted: 0, ...query, resource, site });

export const isGone = (row: Row): boolean => row.Deleted === true || row.DeletedByRef === true;
