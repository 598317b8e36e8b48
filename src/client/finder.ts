// Finds records on a remote service: by their own address, else in the lists that can show them.
import type { Ask, Calls, Finder, Found, Locator, Session } from '../contract/call.ts';
import { EXIT, ServiceError } from '../contract/errors.ts';
import { resourceNamed } from '../contract/index.ts';
import { idKey, RULES, sameID } from '../contract/kinds.ts';
import { type RecordAddress, recordAddresses } from '../contract/record-address.ts';
import type { Resource, Row, Value } from '../contract/resource.ts';
import { textKey } from '../text/text-key.ts';
import { everyRecord, type Lists, listsOn, type ReadList } from './lists.ts';

/** A session of these calls. Lists that were read to find records are kept until something is changed. */
export function withFinder(calls: Calls): Session {
  const lists = listsOn(calls);
  return {
    me: calls.me,
    async call(operation, input) {
      try {
        return await calls.call(operation, input);
      } finally {
        if (operation.writes) lists.forget();
      }
    },
    list(operation, input, want) {
      const rows = calls.list(operation, input, want);
      return operation.writes ? forgettingAfter(lists, rows) : rows;
    },
    find: finderOn(calls, lists),
  };
}

async function* forgettingAfter(lists: Lists, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  try {
    yield* rows;
  } finally {
    lists.forget();
  }
}

function finderOn(calls: Calls, lists: Lists): Finder {
  return {
    async record(name, locator, ask) {
      const resource = resourceNamed(name);
      for (const look of STRATEGIES[ask ?? 'plain']) {
        const found = await look({ calls, lists, resource, locator });
        if (found) return found;
      }
      return { state: 'unseen' };
    },
    async named(name, field, text, { deleted = 0, within = {} } = {}) {
      const resource = resourceNamed(name);
      const shown = await lists.read(resource, deleted, within, false);
      const key = textKey(text);
      const isCalled = (row: Row): boolean => typeof row[field] === 'string' && textKey(row[field]) === key;
      if (!shown) return lists.hasList(resource, deleted, within) ? [] : undefined;
      return shown.rows.filter((row) => isCalled(row) && holds(resource, shown, within, row));
    },
    async beside(name, members) {
      const resource = resourceNamed(name);
      const shown = await lists.read(resource, 2, members, true);
      return shown?.rows.filter((row) => holds(resource, shown, members, row));
    },
    all: (name, deleted) => everyRecord(lists, calls.me.site, resourceNamed(name), deleted),
    forget: () => lists.forget(),
  };
}

interface Search {
  readonly calls: Calls;
  readonly lists: Lists;
  readonly resource: Resource;
  readonly locator: Locator;
}

/** One way to find a record; undefined where it says nothing of it. */
type Strategy = (search: Search) => Promise<Found | undefined>;

/** In the list of all that was read already. */
const inCachedList: Strategy = async ({ lists, resource, locator: { id } }) => {
  const rows = await lists.cached(resource);
  if (!rows || id === undefined) return undefined;
  const row = byID(rows, id);
  return row ? foundAs(row) : { state: 'absent' };
};

/** In a list with deleted records that was read already. */
const inCachedDeleted: Strategy = async ({ lists, resource, locator: { id } }) => {
  for (const kept of lists.cachedWithDeleted(resource)) {
    const row = id === undefined ? undefined : byID(await kept, id);
    if (row) return foundAs(row);
  }
  return undefined;
};

const byList: Strategy = async ({ lists, resource, locator: { id, place = {} } }) => {
  if (id === undefined && !hasIdentity(resource, place)) return undefined;
  const shown = await lists.read(resource, 2, place, true);
  if (!shown) return undefined;
  const isMeant = (row: Row): boolean =>
    resource.identity.every((name) => sameID(row[name] ?? null, place[name] ?? null));
  const row = id === undefined ? shown.rows.find(isMeant) : byID(shown.rows, id);
  return row ? foundAs(row) : { state: 'absent' };
};

/** By the address that its ID or its owners make; undefined where there is none, or another record stands there. */
const byAddress: Strategy = async ({ calls, resource, locator }) => {
  const { get } = resource.operations;
  const address = get && recordAddresses(resource, get).find((one) => isFilledBy(one, locator));
  if (!address) return undefined;
  try {
    const row = await calls.call(get, { by: address.by, params: paramsFor(address, locator, calls.me.site) });
    const isOther = locator.id !== undefined && address.own === undefined && !sameID(row.ID, locator.id);
    return isOther ? undefined : foundAs(row);
  } catch (error) {
    if (!(error instanceof ServiceError && error.exit === EXIT.notFound)) throw error;
    return { state: error.code === 'deleted' ? 'deleted' : 'absent', refusal: error };
  }
};

/** What a single read does not show is deleted or not there (D5): a list may show it. */
const liveByAddress: Strategy = async (search) => {
  const found = await byAddress(search);
  return found?.state === 'live' ? found : undefined;
};

const STRATEGIES: Readonly<Record<Ask | 'plain', readonly Strategy[]>> = {
  plain: [byAddress, byList],
  listed: [inCachedList, byAddress],
  many: [byList, byAddress],
  deleted: [liveByAddress, inCachedDeleted, byList],
};

const isGone = ({ Deleted, DeletedByRef }: Row): boolean => Deleted === true || DeletedByRef === true;

const foundAs = (row: Row): Found => ({ state: isGone(row) ? 'deleted' : 'live', row });

/** Do these members name a record without its ID? */
const hasIdentity = ({ identity }: Resource, place: Row): boolean =>
  identity.length > 0 && identity.every((name) => place[name] !== undefined);

const indexes = new WeakMap<readonly Row[], ReadonlyMap<string, Row>>();

function byID(rows: readonly Row[], id: string): Row | undefined {
  const table = indexes.get(rows) ?? new Map(rows.map((row) => [idKey(row.ID), row]));
  indexes.set(rows, table);
  return table.get(idKey(id));
}

/** A record with an ID of its own is read by that alone. */
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

/** Has the record these members? What the address of its list says need not stand in it. */
const holds = (resource: Resource, { address }: ReadList, members: Row, row: Row): boolean =>
  Object.entries(members).every(
    ([name, wanted]) =>
      address.filled.some(({ member }) => member === name) || isSame(resource, name, wanted, row[name] ?? null),
  );

function isSame({ fields }: Resource, name: string, wanted: Value, value: Value): boolean {
  const kind = fields[name]?.kind ?? 'text';
  if (typeof wanted === 'string' && typeof value === 'string' && kind === 'text')
    return textKey(wanted) === textKey(value);
  return RULES[kind].same(wanted, value);
}
