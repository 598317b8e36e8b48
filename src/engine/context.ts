// The context of a call: the caller, the site, the time, and the store.
import type { ResourceName } from '../contract/index.ts';
import type { Cause } from '../contract/lines.ts';
import type { Value } from '../contract/resource.ts';
import type { Zone } from '../contract/zone.ts';
import { keepingLatest, valueAt } from '../text/once-per.ts';
import type { Caller } from './caller.ts';
import type { Grant, Query, Reader, Store, Stored, Writer } from './store/port.ts';

/** The engine depends on a store, a clock and a source of IDs. */
export interface EngineParts {
  readonly store: Store;
  readonly clock: () => Date;
  readonly newID: () => string;
  /** The fewest characters of a new password; 12 by default. */
  readonly minPassword?: number | undefined;
}

export interface Context {
  readonly store: Reader;
  readonly caller: Caller;
  /** The site the call acts in. */
  readonly site: string;
  /** The moment of the call, as stored dates are written. */
  readonly now: string;
  readonly newID: () => string;
  readonly minPassword: number;
  /** The zone of the `tz` parameter. */
  readonly zone: Zone | undefined;
  /** One record of this site, deleted or not; cached for the call. */
  readonly lookup: (resource: ResourceName, id: unknown) => Promise<Stored | undefined>;
  /** The first of these resources that has a record of this ID in the site; cached for the call. */
  readonly kindOf: (resources: readonly string[], id: string) => Promise<string | undefined>;
  /** For the call: owners and permission rows, see rights/walk.ts; hours of projects by their ID, see records/computed.ts. */
  readonly cache: { rights?: RightsRead; hours?: Map<string, Promise<Hours>> };
}

export type ContextOn<S extends Reader> = Context & { readonly store: S };

export interface Writing extends ContextOn<Writer> {
  /** The row of a job for which the call is made. */
  readonly cause?: Cause | undefined;
  /** The hash of a new password; by default it is derived inside the transaction. */
  readonly hashOf?: (password: string) => Promise<string>;
}

/** New passwords have at least so many characters (D21). */
const MIN_PASSWORD = 12;

export function contextOf<S extends Reader>(
  parts: Pick<EngineParts, 'clock' | 'newID' | 'minPassword'>,
  caller: Caller,
  site: string,
  store: S,
  { zone, cause }: { readonly zone?: Zone | undefined; readonly cause?: Cause | undefined } = {},
): ContextOn<S> & Pick<Writing, 'cause'> {
  return {
    store,
    caller,
    site,
    now: writeDate(parts.clock()),
    newID: parts.newID,
    minPassword: parts.minPassword ?? MIN_PASSWORD,
    zone,
    cause,
    ...lookupsIn(store, site),
  };
}

/** Dates that the engine writes: milliseconds and the offset of UTC. They have one length, so that they sort as text. */
export const writeDate = (date: Date): string => dateAt(date.getTime());

/** Many calls begin in one millisecond. */
const dateAt = keepingLatest((instant: number) => `${new Date(instant).toISOString().slice(0, -1)}+00:00`);

/** Reads single records and the kinds of IDs, and caches those that many rows name, such as a department. */
export function lookupsIn(store: Reader, site: string): Pick<Context, 'lookup' | 'kindOf' | 'cache'> {
  // Most calls look nothing up, and need no maps.
  let records: Map<string, Promise<Stored | undefined>> | undefined;
  let kinds: Map<string, Promise<string | undefined>> | undefined;
  return {
    cache: {},
    lookup(resource, id) {
      if (typeof id !== 'string' && typeof id !== 'number') return NOTHING;
      records ??= new Map();
      return valueAt(records, `${resource} ${id}`, () => store.get(resource, site, String(id)));
    },
    kindOf(resources, id) {
      kinds ??= new Map();
      return valueAt(kinds, `${resources.join()} ${id}`, () => store.kindOf(resources, site, id));
    },
  };
}
const NOTHING: Promise<undefined> = Promise.resolve(undefined);

export interface AnyRecord {
  readonly resource: ResourceName;
  readonly row: Stored;
}

/** A record above another one, and those above it. */
export interface Owner extends AnyRecord {
  readonly above: readonly Owner[];
}

export type Grants = ReadonlyMap<string, readonly Grant[]>;

export interface RightsRead {
  readonly grants: Promise<Grants>;
  /** Many records have the same owners. */
  readonly walks: Map<string, Promise<readonly Owner[]>>;
  /** Whether the caller is this individual or one of its managers. */
  readonly managed: Map<Value, boolean>;
}

export type Hours = Readonly<Record<'SumHoursActual' | 'SumHoursProjected', number | null>>;

/** The record of this site with this ID among those of several resources. */
export async function recordAmong(
  { kindOf, lookup }: Pick<Context, 'kindOf' | 'lookup'>,
  resources: readonly string[],
  id: Value,
): Promise<AnyRecord | undefined> {
  if (typeof id !== 'string') return undefined;
  const [first, ...more] = resources;
  const kind = more.length === 0 ? first : await kindOf(resources, id);
  const row = kind === undefined ? undefined : await lookup(kind as ResourceName, id);
  return row && { resource: kind as ResourceName, row };
}

/** Records of the context's site; live ones by default. */
export const findIn = (
  { store, site }: Pick<Context, 'store' | 'site'>,
  resource: string,
  query: Partial<Query>,
): Promise<readonly Stored[]> => store.find({ deleted: 0, ...query, resource, site });
