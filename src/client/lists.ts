// Reads the lists that can contain certain records, and caches them until something is changed.
import type { Calls, Input } from '../contract/call.ts';
import { EXIT, orNone, ServiceError } from '../contract/errors.ts';
import { contract, resourceNamed } from '../contract/index.ts';
import { sameID } from '../contract/kinds.ts';
import type { Operation } from '../contract/operation.ts';
import { type Filled, listAddresses, listsAll, type RecordAddress, takesDeleted } from '../contract/record-address.ts';
import type { Resource, Row } from '../contract/resource.ts';
import { childTypesOn } from '../contract/rights.ts';
import { ahead } from '../text/ahead.ts';
import { collect } from '../text/batches.ts';

type Deleted = 0 | 1 | 2;

/** A list that was read, or several that together contain every record with some members. */
export interface ReadList {
  readonly address: RecordAddress;
  readonly rows: readonly Row[];
}

/** One list: its address, and the members that fill it. */
type ListPart = readonly [address: RecordAddress, members: Row];

export type Lists = ReturnType<typeof listsOn>;

export function listsOn(calls: Calls) {
  const cache = new Map<string, Promise<readonly Row[]>>();
  const { readsAtOnce = 1 } = calls;
  const { site } = calls.me;
  const stream = (resource: Resource, part: ListPart, deleted: Deleted): AsyncIterable<Row> =>
    calls.list(resource.operations.list as Operation, inputAt(part, site, deleted));
  const load = (resource: Resource, part: ListPart, deleted: Deleted): Promise<readonly Row[]> => {
    const key = keyOf(resource, inputAt(part, site, deleted));
    const rows = cache.get(key) ?? collect(stream(resource, part, deleted));
    cache.set(key, rows);
    // A failure is not cached.
    rows.catch(() => cache.delete(key));
    return rows;
  };
  const parts = async (resource: Resource, address: RecordAddress, members: Row): Promise<readonly ListPart[]> => {
    if (!isOfOnePeriod(address, members)) return [[address, members], ...childParts(resource, address, members)];
    const [periods] = listAddresses(contract.period, 0);
    const rows = periods && (await orNone(load(contract.period, [periods, {}], 0), ['unsupported']));
    // Without a list of periods, the records of the current one can still be found.
    if (!rows) return [[address, members]];
    return rows.map(({ ID = null }): ListPart => [address, { ...members, PeriodID: ID }]);
  };
  const loadAt = async (part: ListPart, resource: Resource, deleted: Deleted, whole: boolean) => {
    const wanted = whole ? await parts(resource, ...part) : [part];
    const lists = await collect(ahead(wanted, readsAtOnce, (one) => load(resource, one, deleted)));
    const [only, ...more] = lists;
    return only && more.length === 0 ? only : lists.flat();
  };
  return {
    site,
    readsAtOnce,
    /**
     * The first list that answers; null if every list says that the owner does not exist, undefined if no list can contain
     * the records. `whole`: reads one list for each period and child type that the members leave open.
     */
    async read(
      resource: Resource,
      deleted: Deleted,
      members: Row,
      whole: boolean,
    ): Promise<ReadList | null | undefined> {
      const addresses = addressesFor(resource, deleted, members, site);
      for (const address of addresses) {
        const rows = await loadAt([address, members], resource, deleted, whole).catch(ignoreNotFound);
        if (rows) return { address, rows };
      }
      return addresses.length > 0 ? null : undefined;
    },
    /** The list of all live records, if it is cached. */
    cached(resource: Resource): Promise<readonly Row[]> | undefined {
      const open = listAddresses(resource, 0).find(listsAll);
      return open && cache.get(keyOf(resource, inputAt([open, {}], site, 0)));
    },
    /** The cached lists with deleted records. */
    cachedWithDeleted: ({ name }: Resource): readonly Promise<readonly Row[]>[] =>
      [...cache]
        .filter(([key]) => key.startsWith(`["${name}",`) && key.includes('"deleted":'))
        // One that is still being read may fail: its own request says why.
        .map(([, rows]) => rows.catch(() => [])),
    /** The list at an address, for each period and type of children that the members leave open. */
    parts,
    /** Reads a list without caching it. */
    stream,
    forget: (): void => cache.clear(),
  };
}

/** The list of all records, else those of the given owners, the one with the most owners first. */
function addressesFor(resource: Resource, deleted: Deleted, members: Row, site: string): readonly RecordAddress[] {
  const all = listAddresses(resource, deleted);
  const open = all.find(listsAll);
  if (open) return [open];
  const filled = all.filter((address) => address.filled.every((one) => isFilled(one, members, site)));
  return filled.sort((one, other) => other.filled.length - one.filled.length);
}

function isFilled({ member, kind }: Filled, members: Row, site: string): boolean {
  const value = members[member] ?? null;
  return value !== null && (kind !== 'site' || sameID(value, site));
}

/** The lists of an owner's children, one for each type of children (D19) that the members leave open. */
function childParts(resource: Resource, { filled: [owner] }: RecordAddress, members: Row): readonly ListPart[] {
  if (!owner) return [];
  return listAddresses(resource, 0).flatMap((address): readonly ListPart[] => {
    const [first, child] = address.filled;
    if (!child || first?.member !== owner.member || first.kind !== owner.kind || child.kind !== undefined) return [];
    if (members[child.member] !== undefined) return [];
    return childTypesOn(owner.kind ?? '').map((type) => [address, { ...members, [child.member]: type }]);
  });
}

const isOfOnePeriod = ({ query }: RecordAddress, { PeriodID = null }: Row): boolean =>
  query.includes('period') && PeriodID === null;

function inputAt([address, members]: ListPart, site: string, deleted: Deleted): Input {
  const { by, query, filled } = address;
  const { PeriodID = null } = members;
  return {
    by,
    params: Object.fromEntries([
      ...address.site.map((name) => [name, site]),
      ...filled.map(({ param, member }) => [param, String(members[member])]),
    ]),
    query: {
      ...(deleted !== 0 && takesDeleted(address) ? { deleted } : {}),
      ...(query.includes('period') && PeriodID !== null ? { period: String(PeriodID) } : {}),
    },
  };
}

const keyOf = ({ name }: Resource, { by, params, query }: Input): string => JSON.stringify([name, by, params, query]);

export const isNotFound = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.exit === EXIT.notFound;

/** The owner may be of another type: its records are in another list. */
function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** Each record of the site once, in any order. */
export async function* everyRecord(lists: Lists, resource: Resource, deleted: 0 | 2): AsyncGenerator<Row> {
  const known = new Set<string>();
  for await (const row of rowsInLists(lists, resource, deleted)) {
    const key = identityOf(resource, row);
    if (known.has(key)) continue;
    known.add(key);
    yield row;
  }
}

const identityOf = ({ identity }: Resource, row: Row): string =>
  row.ID === undefined ? JSON.stringify(identity.map((name) => row[name])) : String(row.ID);

async function* rowsInLists(lists: Lists, resource: Resource, deleted: 0 | 2): AsyncGenerator<Row> {
  const addresses = listAddresses(resource, 0);
  const whole = addresses.find((one) => listsAll(one) && (deleted === 0 || takesDeleted(one)));
  if (whole) return yield* lists.stream(resource, [whole, {}], deleted);
  const owned = ownedLists(addresses);
  // Records of owners without a list are in a list of all live records.
  const open = addresses.find(listsAll);
  if (open && !coverAllOwners(resource, owned)) yield* lists.stream(resource, [open, {}], 0);
  for (const address of owned) {
    const owners = await collect(ownersAt(lists, address, deleted));
    for await (const rows of ahead(owners, lists.readsAtOnce, (members) =>
      rowsOfOwner(lists, resource, [address, members], deleted),
    ))
      yield* rows;
  }
}

/** The lists of one owner: a membership has two owners, and is in the lists of both. */
function ownedLists(addresses: readonly RecordAddress[]): readonly RecordAddress[] {
  const first = addresses.find((one) => !listsAll(one))?.filled[0]?.member;
  return addresses.filter(({ filled: [owner, ...more] }) => owner?.member === first && owner && more.length === 0);
}

function coverAllOwners({ fields }: Resource, owned: readonly RecordAddress[]): boolean {
  const kinds = fields[owned[0]?.filled[0]?.member ?? '']?.to ?? [];
  return owned.length > 0 && kinds.every((kind) => owned.some(({ filled }) => filled[0]?.kind === kind));
}

/** Every owner that can fill an address, as the member that fills it. */
async function* ownersAt(lists: Lists, { filled: [owner] }: RecordAddress, deleted: 0 | 2): AsyncGenerator<Row> {
  if (!owner?.kind) return;
  if (owner.kind === 'site') return yield { [owner.member]: lists.site };
  for await (const { ID = null } of everyRecord(lists, resourceNamed(owner.kind), deleted))
    yield { [owner.member]: ID };
}

/** The records at an address; none if the owner is of another type. */
async function rowsOfOwner(
  lists: Lists,
  resource: Resource,
  [address, members]: ListPart,
  deleted: 0 | 2,
): Promise<readonly Row[]> {
  const rows: Row[][] = [];
  for (const part of await lists.parts(resource, address, members))
    rows.push((await collect(lists.stream(resource, part, deleted)).catch(ignoreNotFound)) ?? []);
  return rows.flat();
}
