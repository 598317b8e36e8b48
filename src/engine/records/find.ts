// Finds records in the store by address or by members, as far as the caller may read them.
import type { Finder, Locator } from '../../contract/call.ts';
import { resourceNamed, storedResources } from '../../contract/index.ts';
import { isGuid } from '../../contract/kinds.ts';
import { isGone, type Resource, type Row, type Value, valuesOf } from '../../contract/resource.ts';
import { isFound } from '../../contract/same-values.ts';
import type { Caller } from '../caller.ts';
import { type Context, contextOf, type EngineParts } from '../context.ts';
import { mayRead, visibleRows } from '../rights/check.ts';
import type { Reader, Stored } from '../store/port.ts';
import { answer } from './answer.ts';
import { computedFields } from './computed.ts';

/** Throws where the caller may not look for records of this resource. */
export type AccessCheck = (resource: Resource, context: Context) => Promise<void>;

/** Finds records of one site; global administrators find every site. */
export function finderOn(
  parts: EngineParts,
  caller: Caller,
  site: string,
  store: Reader,
  checkAccess?: AccessCheck,
): Finder {
  const siteOf = (resource: Resource): string | undefined =>
    resource.name === 'site' && caller.isGlobalAdmin ? undefined : site;
  const enter = async (name: string): Promise<{ resource: Resource; context: Context }> => {
    const resource = resourceNamed(name);
    const context = contextOf(parts, caller, site, store);
    await checkAccess?.(resource, context);
    return { resource, context };
  };
  const matching = async (resource: Resource, members: Row): Promise<readonly Stored[]> => {
    const { query, fits } = matchingIn(resource, members);
    const rows = await store.find({ resource: resource.name, site: siteOf(resource), ...query, deleted: 2 });
    return rows.filter(fits);
  };
  const located = async (resource: Resource, { id, place = {} }: Locator): Promise<Stored | undefined> => {
    // The history names tokens, too, which are no records.
    if (!storedResources.includes(resource)) return undefined;
    if (id !== undefined) return store.get(resource.name, siteOf(resource) ?? canonical(id), canonical(id));
    const ends = resource.identity.filter((name) => place[name] !== undefined);
    if (ends.length === 0 || ends.length < resource.identity.length) return undefined;
    return (await matching(resource, valuesOf(place, ends)))[0];
  };
  return {
    async record(name, locator) {
      const { resource, context } = await enter(name);
      const row = await located(resource, locator);
      if (!row || !(await mayRead(context, resource, row))) return { state: 'absent' };
      return { state: isGone(row) ? 'deleted' : 'live', row: await answer(context, resource, row) };
    },
    async byName(name, field, text, { deleted = 0, within = {} } = {}) {
      const { resource, context } = await enter(name);
      const { query, fits } = matchingIn(resource, within);
      const named = { ...query.named, [field]: text };
      const wanted = { resource: name, site: siteOf(resource), equals: query.equals ?? {}, named, deleted };
      return answerReadable(context, resource, (await store.find({ ...wanted, ordered: true })).filter(fits));
    },
    async byMembers(name, members) {
      const { resource, context } = await enter(name);
      return answerReadable(context, resource, await matching(resource, members));
    },
    async *all(name, deleted) {
      const { resource, context } = await enter(name);
      for await (const row of visibleRows(context, { resource: name, deleted })) yield answer(context, resource, row);
    },
    async *holding(name, { fields, text, deleted }) {
      const { resource, context } = await enter(name);
      const computed = computedFields[name] ?? [];
      const holding = { fields: fields.filter((field) => !computed.includes(field)), text };
      if (holding.fields.length === 0) return;
      const members = Object.keys(resource.fields).filter((field) => !computed.includes(field));
      for await (const row of visibleRows(context, { resource: name, deleted, holding })) yield valuesOf(row, members);
    },
    forget: () => undefined,
  };
}

/** The records that the caller may read. */
async function answerReadable(context: Context, resource: Resource, rows: readonly Stored[]): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (const row of rows) if (await mayRead(context, resource, row)) found.push(await answer(context, resource, row));
  return found;
}

/** As it is stored. */
const canonical = (id: string): string => (isGuid(id) ? id.toLowerCase() : id);

/** The query for these members; `fits` checks those that the store cannot compare. */
function matchingIn(resource: Resource, members: Row) {
  const equals: Record<string, Value> = {};
  const named: Record<string, string> = {};
  const others: [string, Value][] = [];
  for (const [name, value] of Object.entries(members)) {
    const kind = resource.fields[name]?.kind;
    if (typeof value === 'string' && kind === 'guid') equals[name] = value.toLowerCase();
    else if (value === null || kind === 'integer' || kind === 'boolean') equals[name] = value;
    else if (kind === 'text' && isKeyed(resource, name)) named[name] = String(value);
    else others.push([name, value]);
  }
  return {
    query: { equals, named },
    fits: (row: Row): boolean =>
      others.every(([name, value]) => isFound(resource.fields[name], value, row[name] ?? null)),
  };
}

/** The store has keys of the texts that name a record. */
const isKeyed = ({ names, fields }: Resource, name: string): boolean =>
  fields[name]?.unique === true || (names.includes(name) && fields[name]?.rule !== 'read-only');
