// Finds records on a remote service: by their own address, else in the lists that can contain them.
import type { Calls, Finder, Found, Locator, LookupMode, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Field } from '../contract/field.ts';
import { resourceNamed } from '../contract/index.ts';
import { idKey, sameID } from '../contract/kinds.ts';
import { listAddresses, type RecordAddress, recordAddresses } from '../contract/record-address.ts';
import { isGone, type Resource, type Row, singular } from '../contract/resource.ts';
import { isFound } from '../contract/same-values.ts';
import { folded } from '../text/folded.ts';
import { oncePer } from '../text/once-per.ts';
import { textKey } from '../text/text-key.ts';
import { OTHER_RECORD } from './errors.ts';
import { everyRecord, isNotFound, type Lists, listsOn, type ReadList } from './lists.ts';

/** Adds a finder to these calls. It caches lists until something is changed. */
export function withFinder(calls: Calls): Session {
  const lists = listsOn(calls);
  return {
    ...calls,
    async call(operation, input) {
      try {
        return await calls.call(operation, input);
      } finally {
        if (operation.writes) lists.forget();
      }
    },
    async *list(operation, input, want) {
      try {
        yield* calls.list(operation, input, want);
      } finally {
        if (operation.writes) lists.forget();
      }
    },
    find: finderOn(calls, lists),
  };
}

function finderOn(calls: Calls, lists: Lists): Finder {
  const answering = new Set<string>();
  return {
    async record(name, locator, ask) {
      const resource = resourceNamed(name);
      let unseen: Found = { state: 'unseen' };
      for (const look of STRATEGIES[ask ?? 'plain']) {
        const found = await look({ calls, lists, resource, locator, answering });
        if (found && (found.state !== 'unseen' || ask === 'new')) return found;
        unseen = found ?? unseen;
      }
      return unseen;
    },
    async byName(name, field, text, { deleted = 0, within = {} } = {}) {
      const resource = resourceNamed(name);
      const list = await lists.read(resource, deleted, within, false);
      const key = textKey(text);
      const hasName = (row: Row): boolean => typeof row[field] === 'string' && textKey(row[field]) === key;
      if (!list) return list === null ? [] : undefined;
      return list.rows.filter((row) => hasName(row) && holds(resource, list, within, row));
    },
    async byMembers(name, members) {
      const resource = resourceNamed(name);
      const list = await lists.read(resource, 2, members, true);
      return list?.rows.filter((row) => holds(resource, list, members, row));
    },
    all: (name, deleted) => everyRecord(lists, resourceNamed(name), deleted),
    async *holding(name, { fields, text, deleted }) {
      const has = (row: Row): boolean =>
        fields.some((field) => typeof row[field] === 'string' && folded(row[field]).includes(text));
      for await (const row of everyRecord(lists, resourceNamed(name), deleted === 0 ? 0 : 2))
        if (has(row) && (deleted !== 1 || isGone(row))) yield row;
    },
    forget: () => lists.forget(),
  };
}

interface Search {
  readonly calls: Calls;
  readonly lists: Lists;
  readonly resource: Resource;
  readonly locator: Locator;
  /** The resources that have answered a single record at its own address. */
  readonly answering: Set<string>;
}

/** One way to find a record; undefined if it finds nothing out. */
type Strategy = (search: Search) => Promise<Found | undefined>;

const inCachedList: Strategy = async ({ lists, resource, locator: { id } }) => {
  const rows = await lists.cached(resource);
  if (!rows || id === undefined) return undefined;
  const row = byID(rows, id);
  return row ? foundAs(row) : { state: 'absent' };
};

const inCachedDeleted: Strategy = async ({ lists, resource, locator: { id } }) => {
  for (const rows of lists.cachedWithDeleted(resource)) {
    const row = id === undefined ? undefined : byID(await rows, id);
    if (row) return foundAs(row);
  }
  return undefined;
};

const byList: Strategy = (search) => inList(search, 2);

async function inList({ lists, resource, locator: { id, place = {} } }: Search, deleted: 0 | 2) {
  if (id === undefined && !hasIdentity(resource, place)) return undefined;
  const list = await lists.read(resource, deleted, place, true);
  if (!list) return undefined;
  const isSameRecord = (row: Row): boolean =>
    resource.identity.every((name) => sameID(row[name] ?? null, place[name] ?? null));
  const row = id === undefined ? list.rows.find(isSameRecord) : byID(list.rows, id);
  return row ? foundAs(row) : ABSENT;
}

const ABSENT: Found = { state: 'absent' };

/** Where no owner is named, the site may be the owner. Of a record that its list lacks nothing is known. */
const inSiteList: Strategy = async ({ lists, resource, locator: { id, place = {} } }) => {
  const member = siteMember(resource);
  if (id === undefined || member === undefined || place[member] !== undefined) return undefined;
  const list = await lists.read(resource, 2, { ...place, [member]: lists.site }, true);
  const row = list ? byID(list.rows, id) : undefined;
  return row && foundAs(row);
};

/** The member that names the site as an owner, where a list is addressed by it. */
const siteMember = (resource: Resource): string | undefined =>
  listAddresses(resource, 0).flatMap(({ filled: [owner] }) => (owner?.kind === 'site' ? [owner.member] : []))[0];

/**
 * Reads the address that the ID or the owners fill; undefined without one, or if it has another record. `unseen`: the service
 * does not have the address.
 */
const byAddress: Strategy = async (search) => {
  const { calls, resource, locator, answering } = search;
  const { get } = resource.operations;
  const address = get && recordAddresses(resource, get).find((one) => isFilledBy(one, locator));
  if (!address) return undefined;
  try {
    const row = await calls.call(get, { by: address.by, params: paramsFor(address, locator, calls.me.site) });
    answering.add(resource.name);
    const isOther = locator.id !== undefined && address.own === undefined && !sameID(row.ID, locator.id);
    return isOther ? undefined : withListed(search, row);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unsupported') return { state: 'unseen' };
    if (error instanceof ServiceError && error.cause === OTHER_RECORD) return { state: 'unseen', refusal: error };
    if (!isNotFound(error)) throw error;
    return { state: error.code === 'deleted' ? 'deleted' : 'absent', refusal: error };
  }
};

/** A record without a required member may be a part of it. A list may have the rest, which an update would empty. */
async function withListed(search: Search, row: Row): Promise<Found> {
  const { resource, locator } = search;
  const lacking = demandedMembers(resource).filter((name) => row[name] === undefined);
  if (lacking.length === 0 || locator.id === undefined) return foundAs(row);
  const listed = (await inList(search, 0)) ?? (await inSiteList(search));
  if (listed?.row) return foundAs({ ...listed.row, ...row });
  const why = `the service shows only a part of the ${singular(resource)} ${locator.id}, without ${lacking.join(', ')}`;
  return { ...foundAs(row), refusal: new ServiceError('bad_answer', why) };
}

const demandedMembers = oncePer(({ fields }: Resource): readonly string[] =>
  Object.keys(fields).filter((name) => {
    const { rule, nullOnly, writeOnly } = fields[name] as Field;
    return (rule === 'required' || rule === 'required on create') && !nullOnly && !writeOnly;
  }),
);

/** A single read does not distinguish deleted from absent records (D5); a list may contain it. */
const liveByAddress: Strategy = async (search) => {
  const found = await byAddress(search);
  return found?.state === 'live' ? found : undefined;
};

/** Some services have no address for single records: a record that is not found there may be in a list of live ones. */
const byAddressOrList: Strategy = async (search) => {
  const found = await byAddress(search);
  const isAnswered = found?.row !== undefined || search.answering.has(search.resource.name);
  if (!found || isAnswered || found.state === 'deleted') return found;
  const listed = (await inList(search, 0)) ?? (await inSiteList(search));
  return listed?.state === 'live' ? listed : found;
};

const STRATEGIES: Readonly<Record<LookupMode | 'plain', readonly Strategy[]>> = {
  plain: [byAddressOrList, byList, inSiteList],
  listed: [inCachedList, byAddress],
  cached: [inCachedDeleted, inCachedList],
  new: [byAddress, byList, inSiteList],
  many: [byList, byAddress, inSiteList],
  deleted: [liveByAddress, inCachedDeleted, byList, inSiteList],
};

const foundAs = (row: Row): Found => ({ state: isGone(row) ? 'deleted' : 'live', row });

/** Do these members identify a record without its ID? */
const hasIdentity = ({ identity }: Resource, place: Row): boolean =>
  identity.length > 0 && identity.every((name) => place[name] !== undefined);

const indexOf = oncePer((rows: readonly Row[]) => new Map(rows.map((row) => [idKey(row.ID), row])));

const byID = (rows: readonly Row[], id: string): Row | undefined => indexOf(rows).get(idKey(id));

/** A record with its own ID is read by that alone. */
const isFilledBy = ({ own, filled }: RecordAddress, { id, place = {} }: Locator): boolean =>
  own === undefined
    ? filled.length > 0 && filled.every(({ member }) => (place[member] ?? null) !== null)
    : id !== undefined && filled.length === 0;

const paramsFor = ({ own, site, filled }: RecordAddress, { id = '', place = {} }: Locator, here: string) =>
  Object.fromEntries([
    ...(own === undefined ? [] : [[own, id]]),
    ...site.map((name) => [name, here]),
    ...filled.map(({ param, member }) => [param, String(place[member])]),
  ]);

/** Has the record these members? Those that the address of its list fills may be missing in it. */
const holds = (resource: Resource, { address }: ReadList, members: Row, row: Row): boolean =>
  Object.entries(members).every(
    ([name, wanted]) =>
      address.filled.some(({ member }) => member === name) || isFound(resource.fields[name], wanted, row[name] ?? null),
  );
