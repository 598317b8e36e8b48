// The lists of a service, read by the members of the records in them, and kept until something is changed.
import type { Calls, Input } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { EXIT } from '../contract/exit.ts';
import { contract } from '../contract/index.ts';
import { sameID } from '../contract/kinds.ts';
import type { Operation } from '../contract/operation.ts';
import { type Filled, listAddresses, listsAll, type RecordAddress, takesDeleted } from '../contract/record-address.ts';
import type { Resource, Row } from '../contract/resource.ts';

type Deleted = 0 | 1 | 2;

/** A list that was read, and whether it can hold every record with these members. */
export interface Shown {
  readonly address: RecordAddress;
  readonly rows: readonly Row[];
  readonly whole: boolean;
}

/** `periods`: where a list shows one period, and the members name none, it is read for each. */
export interface Lists {
  /** The first list that answers; undefined where none can show them, or each says that it has no such owner. */
  shown(resource: Resource, deleted: Deleted, members: Row, periods: 'each' | 'current'): Promise<Shown | undefined>;
  /** Is there a list that these members name? */
  canShow(resource: Resource, deleted: Deleted, members: Row): boolean;
  /** The list of all live records, where it was read already. */
  kept(resource: Resource): Promise<readonly Row[]> | undefined;
  /** The lists with deleted records that were read already. */
  keptDeleted(resource: Resource): readonly Promise<readonly Row[]>[];
  /** A list as it comes; nothing of it is kept. A list that shows one period is read for each. */
  stream(resource: Resource, address: RecordAddress, deleted: Deleted, members: Row): AsyncIterable<Row>;
  forget(): void;
}

export function listsOn(calls: Calls): Lists {
  const kept = new Map<string, Promise<readonly Row[]>>();
  const { site } = calls.me;
  const once = (resource: Resource, address: RecordAddress, deleted: Deleted, members: Row) => {
    const input = inputAt(address, site, deleted, members);
    const key = keyOf(resource, input);
    const rows = kept.get(key) ?? gathered(calls.list(resource.operations.list as Operation, input));
    kept.set(key, rows);
    return rows;
  };
  const periods = async (): Promise<readonly Row[]> => {
    const [address] = listAddresses(contract.period, 0);
    const rows = address ? await once(contract.period, address, 0, {}) : [];
    return rows.map(({ ID = null }) => ({ PeriodID: ID }));
  };
  const rowsOf = async (resource: Resource, address: RecordAddress, deleted: Deleted, members: Row, all: boolean) => {
    if (!all || !isOfOnePeriod(address, members)) return once(resource, address, deleted, members);
    const rows: Row[] = [];
    for (const period of await periods())
      rows.push(...(await once(resource, address, deleted, { ...members, ...period })));
    return rows;
  };
  return {
    async shown(resource, deleted, members, wanted) {
      for (const address of addressesFor(resource, deleted, members, site)) {
        const rows = await unlessGone(() => rowsOf(resource, address, deleted, members, wanted === 'each'));
        if (rows) return { address, rows, whole: isWhole(resource, address, members) };
      }
      return undefined;
    },
    canShow: (resource, deleted, members) => addressesFor(resource, deleted, members, site).length > 0,
    kept(resource) {
      const open = listAddresses(resource, 0).find(listsAll);
      return open && kept.get(keyOf(resource, inputAt(open, site, 0, {})));
    },
    keptDeleted: ({ name }) =>
      [...kept].filter(([key]) => key.startsWith(`["${name}",`) && key.includes('"deleted":')).map(([, rows]) => rows),
    async *stream(resource, address, deleted, members) {
      const list = resource.operations.list as Operation;
      const each = isOfOnePeriod(address, members) ? await periods() : [{}];
      for (const period of each) yield* calls.list(list, inputAt(address, site, deleted, { ...members, ...period }));
    },
    forget: () => kept.clear(),
  };
}

/** The list of all, else those of the owners that are named; what says more of the record comes first. */
function addressesFor(resource: Resource, deleted: Deleted, members: Row, site: string): readonly RecordAddress[] {
  const all = listAddresses(resource, deleted);
  const open = all.find(listsAll);
  if (open) return [open];
  const named = all.filter(({ filled }) => filled.every((one) => isNamed(one, members, site)));
  return named.sort((one, other) => other.filled.length - one.filled.length);
}

function isNamed({ member, kind }: Filled, members: Row, site: string): boolean {
  const value = members[member] ?? null;
  return value !== null && (kind !== 'site' || sameID(value, site));
}

/** A longer address may hold others of the same owner, where nothing says that the record is none of them. */
const isWhole = (resource: Resource, { filled }: RecordAddress, members: Row): boolean =>
  !listAddresses(resource, 0).some(
    (other) =>
      filled.length > 0 &&
      other.filled.length > filled.length &&
      filled.every(({ member, kind }) => other.filled.some((one) => one.member === member && one.kind === kind)) &&
      other.filled.some(({ member }) => members[member] === undefined),
  );

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
export async function unlessGone<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && error.exit === EXIT.notFound) return undefined;
    throw error;
  }
}

async function gathered(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
