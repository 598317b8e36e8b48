// The chains of owners from a record up to the site. Each call caches owners, permission rows and managers.
import { resourceNamed } from '../../contract/index.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { inheritanceOf } from '../../contract/rights.ts';
import { grouped } from '../../text/batches.ts';
import { oncePer, valueAt } from '../../text/once-per.ts';
import type { Caller } from '../caller.ts';
import { type AnyRecord, type Context, type Grants, type Owner, type RightsRead, recordAmong } from '../context.ts';
import type { Grant } from '../store/port.ts';

type Owners = Promise<readonly Owner[]>;

function readBy(context: Context): RightsRead {
  context.cache.rights ??= { grants: grantsOf(context), walks: new Map(), managed: new Map() };
  return context.cache.rights;
}

/**
 * The context of another caller with these permission rows. It shares the records and the owners that were read; who reports
 * to this caller it finds out itself.
 */
export function contextAs(context: Context, caller: Caller, grants: readonly Grant[]): Context {
  const { walks } = readBy(context);
  const rights = { grants: Promise.resolve(byRecord(grants)), walks, managed: new Map() };
  return { ...context, caller, cache: { rights } };
}

/** The permission rows of the caller, by the kind and the ID of the record that they are on: see `recordKey`. */
export const grantsTo = (context: Context): Promise<Grants> => readBy(context).grants;

const grantsOf = async ({ store, site, caller }: Context): Promise<Grants> =>
  byRecord(await store.grants(site, caller.id));

/** Calls of one transaction get the same list. */
const byRecord = oncePer(
  (grants: readonly Grant[]): Grants => grouped(grants, ({ Kind, RowID }) => recordKey(Kind, RowID)),
);

/** Permission rows name a record by its kind and its ID. */
export const recordKey = (kind: string, id: unknown): string => `${kind} ${String(id)}`;

/** The owners of a record, each with its own, up to the site: rights come along every one of these chains. */
export function ownersOf(context: Context, resource: Resource, row: Row): Owners {
  if (resource.name === 'site') return NO_OWNERS;
  const { walks } = readBy(context);
  const key = inheritanceOf(resource).reduce((ids, { field }) => `${ids} ${row[field] ?? ''}`, '');
  return valueAt(walks, key, () => ownersAt(context, resource, row));
}

const NO_OWNERS: Owners = Promise.resolve([]);

/** These owners and all above them, each once. */
export function allAbove(owners: readonly Owner[], above = new Map<Value, Owner>()): readonly Owner[] {
  for (const owner of owners) {
    if (above.has(owner.row.ID ?? null)) continue;
    above.set(owner.row.ID ?? null, owner);
    allAbove(owner.above, above);
  }
  return [...above.values()];
}

/** An owner that does not exist counts as the site. */
async function ownersAt(context: Context, resource: Resource, row: Row): Owners {
  const owners: Owner[] = [];
  for (const named of await ownersNamed(context, resource, row)) {
    const owner = named ?? (await siteRecord(context));
    if (owner) owners.push({ ...owner, above: await ownersOf(context, resourceNamed(owner.resource), owner.row) });
  }
  return owners;
}

/** The owner that each member of a record names, undefined if that does not exist; the site where none names one. */
export async function ownersNamed(
  context: Context,
  resource: Resource,
  row: Row,
): Promise<readonly (AnyRecord | undefined)[]> {
  const named = inheritanceOf(resource).filter(({ field }) => typeof row[field] === 'string');
  if (named.length === 0) return [await siteRecord(context)];
  return Promise.all(
    named.map(({ field, targets }) =>
      row[field] === context.site ? siteRecord(context) : recordAmong(context, targets, row[field] ?? null),
    ),
  );
}

async function siteRecord(context: Context): Promise<AnyRecord | undefined> {
  const row = await context.lookup('site', context.site);
  return row && { resource: 'site', row };
}

export async function isSelfOrManager(context: Context, individual: Row): Promise<boolean> {
  const { managed } = readBy(context);
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
