// A writer for many records: reads come from records that were read ahead, and writes go in a few calls. Each call is a round
// trip where the database is on a network.
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { isGuid } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';
import type { Value } from '../../contract/resource.ts';
import { valueAt } from '../../text/once-per.ts';
import { WITH_GUID } from '../records/bodies.ts';
import { type DeletionChange, type Stored, UniqueViolation, type WorkOnIDs, type Writer } from '../store/port.ts';
import { type Batch, isApart, readsOf } from './batch-reads.ts';
import { type KnownRecords, knownRecords } from './known-records.ts';
import { pendingWrites, reachOf } from './pending-writes.ts';

export type BatchWriter = ReturnType<typeof batchWriterOn>;

/** Writes wait until a read may see them, or until `flush`. After an error every later `flush` throws it again. */
export function batchWriterOn(writer: Writer) {
  const known = knownRecords();
  const pending = pendingWrites();
  const numbers = drawnNumbers(writer);
  let last: Promise<void> = Promise.resolve();
  const send = (): Promise<void> => {
    known.forgetOf(pending.hidden());
    return pending.send(writer);
  };
  const flush = (): Promise<void> => {
    last = last.then(() => orClash(send)).then(numbers.keep);
    return last;
  };
  const batch: Batch = { writer, known, pending, flush };
  const left = leftForTheEnd();
  const forget = (): void => {
    known.forget();
    numbers.forget();
  };
  const batched: Writer = {
    ...afterFlush(writer, flush),
    ...readsOf(batch),
    ...writesOf(batch),
    nextID: numbers.next,
    reserveID: numbers.reserve,
    atEnd: left.add,
    savepoint: (work) => savepoint(batch, forget, work),
    isFree: (site, id) => known.isTaken(site, id) === false,
    asStored: writer.asStored,
    jobs: writer.jobs,
  };
  return {
    writer: batched,
    /** Reads ahead, each resource by one call. */
    readAhead: (site: string, wanted: ReadAhead): Promise<void> => readAhead(writer, known, site, wanted),
    /** Sends all that waits. Throws `conflict` where a value is taken; which of the records has it is not known then. */
    flush,
    /** Does the work that was left for the end, and sends all. Throws as `flush`. */
    async end(): Promise<void> {
      await left.run();
      await flush();
    },
  };
}

async function orClash(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    throw new ServiceError('conflict', `${error.message}, by one of many records`, { cause: error });
  }
}

/** The methods that may see anything that waits, or write it. */
function afterFlush(writer: Writer, flush: () => Promise<void>): Writer {
  const methods = Object.entries(writer).map(([name, method]) => [
    name,
    async (...args: never[]) => {
      await flush();
      return (method as (...all: never[]) => unknown)(...args);
    },
  ]);
  // The same methods by the same names; those that are no such method are given anew.
  return Object.fromEntries(methods) as Writer;
}

async function savepoint<T>({ writer, pending, flush }: Batch, forget: () => void, work: () => Promise<T>): Promise<T> {
  await flush();
  try {
    return await writer.savepoint(async () => {
      const answer = await work();
      await flush();
      return answer;
    });
  } catch (error) {
    pending.clear();
    forget();
    throw error;
  }
}

/** Work that is done once for many IDs. */
function leftForTheEnd() {
  const left = new Map<string, { readonly ids: Set<string>; readonly work: WorkOnIDs }>();
  return {
    add(key: string, id: string, work: WorkOnIDs): void {
      valueAt(left, key, () => ({ ids: new Set<string>(), work })).ids.add(id);
    },
    async run(): Promise<void> {
      for (const { ids, work } of left.values()) await work(ids);
      left.clear();
    },
  };
}

/**
 * The integer IDs of new records (D12): the store is asked for the first, and gets to know the last, drawn or given. In
 * between its counter waits for the end of the transaction.
 */
function drawnNumbers(writer: Writer) {
  const counters = new Map<string, Counter>();
  const counterOf = (resource: string, site: string): Counter =>
    valueAt(counters, `${resource} ${site}`, () => ({ resource, site, last: 0, kept: 0, isAsked: false }));
  return {
    async next(resource: string, site: string): Promise<number> {
      const counter = counterOf(resource, site);
      if (!counter.isAsked) {
        counter.kept = await writer.nextID(resource, site);
        counter.last = Math.max(counter.last, counter.kept - 1);
        counter.isAsked = true;
      }
      return ++counter.last;
    },
    async reserve(resource: string, site: string, id: number): Promise<void> {
      const counter = counterOf(resource, site);
      counter.last = Math.max(counter.last, id);
    },
    async keep(): Promise<void> {
      for (const one of counters.values()) {
        if (one.last > one.kept) await writer.reserveID(one.resource, one.site, one.last);
        one.kept = Math.max(one.kept, one.last);
      }
    },
    forget: (): void => counters.clear(),
  };
}

interface Counter {
  readonly resource: string;
  readonly site: string;
  /** The last number that was drawn or given. */
  last: number;
  /** The last number that the store knows. */
  kept: number;
  /** Has the store said which comes first? */
  isAsked: boolean;
}

type Written = 'insert' | 'insertMany' | 'update' | 'updateMany' | 'addLines' | 'remove' | 'setDeleted';

function writesOf(batch: Batch): Pick<Writer, Written | 'addMember' | 'deleteMember'> {
  const { writer, known, pending, flush } = batch;
  const { get } = readsOf(batch);
  /** Would deletions that wait see it? They must not yet. */
  const isSeen = (resource: string, isMark: boolean): boolean =>
    pending.hides(resource) || (isMark && pending.asks(resource));
  const insert = (resource: string, row: Stored): Stored | Promise<Stored> => {
    if (isSeen(resource, true)) return flush().then(() => insert(resource, row));
    const stored = writer.asStored(resource, row);
    known.add(resource, String(row.SiteID), stored);
    known.setOwner(String(row.SiteID), ownersIn(resource, row));
    pending.insert(resource, row);
    if (GIVES_GRANTS.includes(resource)) known.grants.clear();
    return stored;
  };
  const update: Writer['update'] = async (resource, site, id, changes) => {
    const isMark = MARKS.some((name) => name in changes);
    if (isSeen(resource, isMark)) await flush();
    const before = await get(resource, site, id);
    if (before) known.set(resource, site, id, writer.asStored(resource, { ...before, ...changes }));
    known.setOwner(site, ownersIn(resource, changes));
    pending.update(resource, site, id, changes);
    if (GIVES_GRANTS.includes(resource) || isMark) known.grants.clear();
  };
  const remove = async (resource: string, site: string, id: string): Promise<void> => {
    if (isSeen(resource, true) || pending.isBehind(resource)) await flush();
    await get(resource, site, id);
    known.remove(resource, site, id);
    known.grants.clear();
    pending.remove(resource, site, id);
  };
  const setDeleted = async (resource: string, site: string, change: DeletionChange, gone: boolean): Promise<void> => {
    const { id, changes, isHidden } = change;
    const { hides } = reachOf(resource);
    const isAlone = known.ownsNothing(resource, site, id) && !pending.hides(resource);
    if (isHidden || hides.size === 0 || isAlone) return update(resource, site, id, changes);
    if (pending.precedes(resource, gone, isApart(batch, resource, site, id))) await flush();
    const before = await get(resource, site, id);
    if (before) known.set(resource, site, id, writer.asStored(resource, { ...before, ...changes }));
    pending.setDeleted(resource, site, change, gone);
    known.grants.clear();
  };
  /** Members have the permission rows of their group. */
  const ofMembers =
    (method: Writer['addMember']): Writer['addMember'] =>
    async (...args) => {
      await flush();
      known.grants.clear();
      return method(...args);
    };
  return {
    insert,
    update,
    async insertMany(resource, rows) {
      for (const row of rows) await insert(resource, row);
    },
    async updateMany(resource, site, updates) {
      for (const { id, changes } of updates) await update(resource, site, id, changes);
    },
    addLines: pending.addLines,
    async remove(resource, site, ids) {
      for (const id of ids) await remove(resource, site, id);
    },
    async setDeleted(resource, site, changes, gone) {
      for (const change of changes) await setDeleted(resource, site, change, gone);
    },
    addMember: ofMembers(writer.addMember),
    deleteMember: ofMembers(writer.deleteMember),
  };
}

/** The IDs of the records that a record with these values belongs to. */
const ownersIn = (resource: string, values: Stored): readonly (Value | undefined)[] =>
  ownersOf(resourceNamed(resource)).map(({ field }) => values[field]);

const GIVES_GRANTS: readonly string[] = ['permission', 'securityGroup'];
/** Permission rows are those of live individuals and groups, by their UserID. */
const MARKS = ['Deleted', 'DeletedByRef', 'UserID'];

/** Records of one site that will be read. */
interface ReadAhead {
  /** IDs that records of these resources may have. */
  readonly records: ReadonlyMap<string, ReadonlySet<string>>;
  /** IDs of new records of these resources. */
  readonly made?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Records that are deleted or undeleted, by resource. */
  readonly deleted?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Lists of records that name one of these by a field. */
  readonly naming: readonly { readonly resource: string; readonly field: string; readonly ids: ReadonlySet<string> }[];
}

async function readAhead(
  writer: Writer,
  known: KnownRecords,
  site: string,
  { records, made = new Map(), deleted = new Map(), naming }: ReadAhead,
): Promise<void> {
  // No two records share a GUID, but a site and its settings: a record of one table is not asked for in the others.
  const found = new Set<string>();
  for (const [resource, all] of records) {
    const ids = [...all].filter((id) => !known.has(resource, site, id));
    const asked = ids.filter((id) => !found.has(id));
    const rows = new Map<string, Stored>();
    for (const row of asked.length === 0 ? [] : await writer.find({ resource, site, ids: asked, deleted: 2 })) {
      const id = String(row.ID);
      rows.set(id, row);
      if (isGuid(id) && id !== site) found.add(id);
    }
    for (const id of ids) known.set(resource, site, id, rows.get(id));
  }
  const ids = [...made.values()].flatMap((some) => [...some]);
  const taken = new Set(ids.length === 0 ? [] : await writer.takenAmong(WITH_GUID, site, ids));
  for (const [resource, some] of made) {
    for (const id of some) {
      known.setTaken(site, id, taken.has(id));
      if (!taken.has(id)) known.set(resource, site, id, undefined);
    }
  }
  for (const { resource, field, ids } of naming) {
    if (ids.size === 0) continue;
    const rows = await writer.find({ resource, site, naming: { field, ids: [...ids] }, deleted: 2 });
    known.setNaming({ resource, site, field }, ids, rows);
  }
  for (const [resource, ids] of deleted) {
    const owners = new Set(await writer.owning(resource, site, [...ids]));
    known.setOwnsNothing(
      resource,
      site,
      [...ids].filter((id) => !owners.has(id)),
    );
  }
}
