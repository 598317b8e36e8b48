// What every part of the engine is handed: who calls, where, when, and the store to read from or write to.
import type { ResourceName } from '../contract/index.ts';
import type { Row } from '../contract/resource.ts';
import type { Zone } from '../contract/zone.ts';
import type { Reader, Store, Stored, Writer } from './store/port.ts';

/** What the engine is made of; everything that differs from run to run is handed in. */
export interface EngineParts {
  readonly store: Store;
  readonly clock: () => Date;
  readonly newID: () => string;
}

/** The individual who calls, as far as the rules ask. */
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
  /** One record of this site, deleted or not; remembered for the length of the call. */
  readonly lookup: Lookup;
}
export type Lookup = (resource: ResourceName, id: unknown) => Promise<Stored | undefined>;

/** A context that may write. */
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

/** What one call of a caller is handed, in that site, now. */
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

/** Dates of the engine: milliseconds and the offset of UTC, always of one length, so that they sort as text. */
export const writeDate = (instant: Date): string => instant.toISOString().replace('Z', '+00:00');

/** Remembers records that many rows name alike: a department's name, a commenter. */
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

export const isGone = (row: Row): boolean => row.Deleted === true || row.DeletedByRef === true;
