// The chain of owners from a record up to the site, and what one call caches of it: owners, permission rows, managers.
import { resourceNamed } from '../../contract/index.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { inheritsFrom } from '../../contract/rights.ts';
import { oncePer } from '../../text/once-per.ts';
import type { Caller } from '../caller.ts';
import { type Context, type Lookup, type Place, recordAmong } from '../context.ts';
import type { Grant } from '../store/port.ts';

type OwnerChain = Promise<readonly Place[]>;
export type Grants = ReadonlyMap<string, readonly Grant[]>;

interface RightsCache {
  readonly grants: Promise<Grants>;
  /** Many records have the same owners. */
  readonly walks: Map<string, OwnerChain>;
  /** Whether the caller is this individual or one of its managers. */
  readonly managed: Map<Value, boolean>;
}
const caches = new WeakMap<Lookup, RightsCache>();

/** The cache of one call; it lives as long as the call's `lookup`. */
function cacheOf(context: Context): RightsCache {
  const cached = caches.get(context.lookup);
  if (cached) return cached;
  const made = { grants: grantsOf(context), walks: new Map(), managed: new Map() };
  caches.set(context.lookup, made);
  return made;
}

/**
 * The context of another caller with these permission rows. It shares the records and the owners that were read; who reports
 * to this caller it finds out itself.
 */
export function contextAs(context: Context, caller: Caller, grants: readonly Grant[]): Context {
  const lookup: Lookup = (resource, id) => context.lookup(resource, id);
  const { walks } = cacheOf(context);
  caches.set(lookup, { grants: Promise.resolve(byRecord(grants)), walks, managed: new Map() });
  return { ...context, caller, lookup };
}

/** The permission rows of the caller, by the kind and the ID of the record that they are on: see `placeKey`. */
export const grantsTo = (context: Context): Promise<Grants> => cacheOf(context).grants;

const grantsOf = async ({ store, site, caller }: Context): Promise<Grants> =>
  byRecord(await store.grants(site, caller.id));

/** Calls of one transaction get the same list. */
const byRecord = oncePer((grants: readonly Grant[]): Grants => {
  const found = new Map<string, Grant[]>();
  for (const grant of grants) {
    const key = placeKey(grant.Kind, grant.RowID);
    const group = found.get(key);
    if (group) group.push(grant);
    else found.set(key, [grant]);
  }
  return found;
});

/** Permission rows name a record by its kind and its ID. */
export const placeKey = (kind: string, id: unknown): string => `${kind} ${String(id)}`;

/** The owners of a record that it inherits rights from: from the nearest up to the site. */
export function ownerChain(context: Context, resource: Resource, row: Row): OwnerChain {
  return chainFrom(context, cacheOf(context).walks, resource, row);
}

function chainFrom(context: Context, walks: RightsCache['walks'], resource: Resource, row: Row): OwnerChain {
  if (resource.name === 'site') return NO_OWNERS;
  const from = inheritsFrom(resource, row);
  const key = from && from.id !== context.site ? `${from.targets.join()} ${from.id}` : '';
  const walk =
    walks.get(key) ?? (from && key ? chainThrough(context, walks, from.targets, from.id) : siteOwner(context));
  walks.set(key, walk);
  return walk;
}

async function chainThrough(
  context: Context,
  walks: RightsCache['walks'],
  targets: readonly string[],
  id: string,
): OwnerChain {
  const owner = await recordAmong(context, targets, id);
  if (!owner) return siteOwner(context);
  return [owner, ...(await chainFrom(context, walks, resourceNamed(owner.resource), owner.row))];
}

const NO_OWNERS: OwnerChain = Promise.resolve([]);

async function siteOwner(context: Context): OwnerChain {
  const row = await context.lookup('site', context.site);
  return row ? [{ resource: 'site', row }] : [];
}

/** The record that this one inherits rights from; undefined where it does not exist. */
export async function nearestOwner(context: Context, resource: Resource, row: Row): Promise<Place | undefined> {
  const from = inheritsFrom(resource, row);
  if (!from || from.id === context.site) return (await siteOwner(context))[0];
  return recordAmong(context, from.targets, from.id);
}

/** Whether the caller is this individual or one of its managers. */
export async function isSelfOrManager(context: Context, individual: Row): Promise<boolean> {
  const { managed } = cacheOf(context);
  const passed: Value[] = [];
  let at: Row | undefined = individual;
  let is: boolean | undefined;
  while (is === undefined) {
    const id: Value = at?.ID ?? null;
    if (id === context.caller.id) is = true;
    else if (id === null || passed.includes(id)) is = false;
    else {
      is = managed.get(id);
      passed.push(id);
      if (is === undefined) at = await context.lookup('individual', at?.PrimaryReportsTo ?? null);
    }
  }
  for (const id of passed) managed.set(id, is);
  return is;
}
