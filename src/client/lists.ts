// The lists of a service, read by the members of the records in them, and kept until something is changed.
import type { Calls, Input } from '../contract/call.ts';
import { EXIT, ServiceError } from '../contract/errors.ts';
import { contract, resourceNamed } from '../contract/index.ts';
import { sameID } from '../contract/kinds.ts';
import type { Operation } from '../contract/operation.ts';
import { type Filled, listAddresses, listsAll, type RecordAddress, takesDeleted } from '../contract/record-address.ts';
import type { Resource, Row } from '../contract/resource.ts';
import { childTypesOn } from '../contract/rights.ts';

type Deleted = 0 | 1 | 2;

/** A list that was read, or several that only together hold every record with some members. */
export interface ReadList {
  readonly address: RecordAddress;
  readonly rows: readonly Row[];
}

/** One list to be read: its address, and the members that fill it. */
type ListPart = readonly [address: RecordAddress, members: Row];

export interface Lists {
  /**
   * The first list that answers; undefined where none can show them, or each says that it has no such owner. `whole`:
   * what narrows the list and is not among the members is gone through.
   */
  read(resource: Resource, deleted: Deleted, members: Row, whole: boolean): Promise<ReadList | undefined>;
  /** Is there a list that these members name? */
  hasList(resource: Resource, deleted: Deleted, members: Row): boolean;
  /** The list of all live records, where it was read already. */
  cached(resource: Resource): Promise<readonly Row[]> | undefined;
  /** The lists with deleted records that were read already. */
  cachedWithDeleted(resource: Resource): readonly Promise<readonly Row[]>[];
  /** The list at an address, for each period and type of children that the members leave open. */
  parts(resource: Resource, address: RecordAddress, members: Row): Promise<readonly ListPart[]>;
  /** A list as it comes; nothing of it is kept. */
  stream(resource: Resource, piece: ListPart, deleted: Deleted): AsyncIterable<Row>;
  forget(): void;
}

export function listsOn(calls: Calls): Lists {
  const kept = new Map<string, Promise<readonly Row[]>>();
  const { site } = calls.me;
  const once = (resource: Resource, [address, members]: ListPart, deleted: Deleted): Promise<readonly Row[]> => {
    const input = inputAt(address, site, deleted, members);
    const key = keyOf(resource, input);
    const rows = kept.get(key) ?? collect(calls.list(resource.operations.list as Operation, input));
    kept.set(key, rows);
    // A list that is refused tells nothing of a record that is looked for elsewhere.
    rows.catch(() => kept.delete(key));
    return rows;
  };
  const parts: Lists['parts'] = async (resource, address, members) => {
    if (!isOfOnePeriod(address, members)) return [[address, members], ...childParts(resource, address, members)];
    const [periods] = listAddresses(contract.period, 0);
    const rows = periods ? await once(contract.period, [periods, {}], 0) : [];
    return rows.map(({ ID = null }): ListPart => [address, { ...members, PeriodID: ID }]);
  };
  const together = async (
    resource: Resource,
    wanted: readonly ListPart[],
    deleted: Deleted,
  ): Promise<readonly Row[]> => {
    const [only, ...more] = wanted;
    if (only && more.length === 0) return once(resource, only, deleted);
    const rows: Row[] = [];
    for (const piece of wanted) rows.push(...(await once(resource, piece, deleted)));
    return rows;
  };
  return {
    async read(resource, deleted, members, whole) {
      for (const address of addressesFor(resource, deleted, members, site)) {
        const rows = await unlessNotFound(async () =>
          together(resource, whole ? await parts(resource, address, members) : [[address, members]], deleted),
        );
        if (rows) return { address, rows };
      }
      return undefined;
    },
    hasList: (resource, deleted, members) => addressesFor(resource, deleted, members, site).length > 0,
    cached(resource) {
      const open = listAddresses(resource, 0).find(listsAll);
      return open && kept.get(keyOf(resource, inputAt(open, site, 0, {})));
    },
    cachedWithDeleted: ({ name }) =>
      [...kept].filter(([key]) => key.startsWith(`["${name}",`) && key.includes('"deleted":')).map(([, rows]) => rows),
    parts,
    stream: (resource, [address, members], deleted) =>
      calls.list(resource.operations.list as Operation, inputAt(address, site, deleted, members)),
    forget: () => kept.clear(),
  };
}

/** The list of all, else those of the owners that are named; what says more of the record comes first. */
function addressesFor(resource: Resource, deleted: Deleted, members: Row, site: string): readonly RecordAddress[] {
  const all = listAddresses(resource, deleted);
  const open = all.find(listsAll);
  if (open) return [open];
  const named = all.filter(({ filled }) => filled.every((one) => isFilled(one, members, site)));
  return named.sort((one, other) => other.filled.length - one.filled.length);
}

function isFilled({ member, kind }: Filled, members: Row, site: string): boolean {
  const value = members[member] ?? null;
  return value !== null && (kind !== 'site' || sameID(value, site));
}

/** The lists below that of an owner, for each type of children (D19), where the members do not say which. */
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

function inputAt(address: RecordAddress, site: string, deleted: Deleted, members: Row): Input {
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

/** The owner may be of another kind, and stand in the next list. */
async function unlessNotFound<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && error.exit === EXIT.notFound) return undefined;
    throw error;
  }
}

async function collect(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

type LiveOrAll = 0 | 2;

/** Each record once, in no order. */
export async function* everyRecord(
  lists: Lists,
  site: string,
  resource: Resource,
  deleted: LiveOrAll,
): AsyncGenerator<Row> {
  const seen = new Set<string>();
  for await (const row of rowsInLists(lists, site, resource, deleted)) {
    const key = identityOf(resource, row);
    if (seen.has(key)) continue;
    seen.add(key);
    yield row;
  }
}

const identityOf = ({ identity }: Resource, row: Row): string =>
  row.ID === undefined ? JSON.stringify(identity.map((name) => row[name])) : String(row.ID);

async function* rowsInLists(lists: Lists, site: string, resource: Resource, deleted: LiveOrAll): AsyncGenerator<Row> {
  const addresses = listAddresses(resource, 0);
  const whole = addresses.find((one) => listsAll(one) && (deleted === 0 || takesDeleted(one)));
  if (whole) return yield* lists.stream(resource, [whole, {}], deleted);
  const owned = ownedLists(addresses);
  // A list of all that tells no deleted ones still shows those whose owners have no list.
  const open = addresses.find(listsAll);
  if (open && !holdAll(resource, owned)) yield* lists.stream(resource, [open, {}], 0);
  for (const address of owned)
    for await (const members of ownersAt(lists, site, address, deleted))
      for (const piece of await lists.parts(resource, address, members))
        yield* ofOwner(lists, resource, piece, deleted);
}

/** One list for each kind of one owner is enough: a membership has two, and stands in the lists of both. */
function ownedLists(addresses: readonly RecordAddress[]): readonly RecordAddress[] {
  const first = addresses.find((one) => !listsAll(one))?.filled[0]?.member;
  return addresses.filter(({ filled: [owner, ...more] }) => owner?.member === first && owner && more.length === 0);
}

function holdAll({ fields }: Resource, owned: readonly RecordAddress[]): boolean {
  const kinds = fields[owned[0]?.filled[0]?.member ?? '']?.to ?? [];
  return owned.length > 0 && kinds.every((kind) => owned.some(({ filled }) => filled[0]?.kind === kind));
}

/** Every owner that an address may be filled with, as the member that fills it. */
async function* ownersAt(
  lists: Lists,
  site: string,
  { filled: [owner] }: RecordAddress,
  deleted: LiveOrAll,
): AsyncGenerator<Row> {
  if (!owner?.kind) return;
  if (owner.kind === 'site') return yield { [owner.member]: site };
  for await (const { ID = null } of everyRecord(lists, site, resourceNamed(owner.kind), deleted))
    yield { [owner.member]: ID };
}

/** Where an owner is of another kind than the list is for, it has none there. */
async function* ofOwner(lists: Lists, resource: Resource, piece: ListPart, deleted: LiveOrAll): AsyncGenerator<Row> {
  const rows = lists.stream(resource, piece, deleted)[Symbol.asyncIterator]();
  for (
    let next = await unlessNotFound(() => rows.next());
    next && !next.done;
    next = await unlessNotFound(() => rows.next())
  )
    yield next.value;
}
