// A writer for many records: what they read was read ahead, and what they write is sent in a few calls. Each call is a round
// trip where the database is on a network.
import { ServiceError } from '../../contract/errors.ts';
import { type Query, type Reader, type Stored, UniqueViolation, type Writer } from '../store/port.ts';
import { type KnownRecords, knownRecords, UNKNOWN } from './known-records.ts';
import { type PendingWrites, pendingWrites } from './pending-writes.ts';
import { type ReadAhead, readAhead } from './read-ahead.ts';

export interface BatchWriter {
  readonly writer: Writer;
  /** Reads ahead, each resource by one call. */
  readAhead(site: string, wanted: ReadAhead): Promise<void>;
  /** Sends what waits. Throws `conflict` where a value is taken; which of the records has it is not known then. */
  flush(): Promise<void>;
}

/** What is written waits until a read may see it, or until `flush`. After an error every later `flush` throws it again. */
export function batchWriterOn(writer: Writer): BatchWriter {
  const known = knownRecords();
  const pending = pendingWrites();
  const numbers = drawnNumbers(writer);
  let last: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    last = last.then(() => orClash(() => pending.send(writer))).then(numbers.keep);
    return last;
  };
  const batch: Batch = { writer, known, pending, flush };
  const forget = (): void => {
    known.forget();
    numbers.forget();
  };
  return {
    flush,
    readAhead: (site, wanted) => readAhead(writer, known, site, wanted),
    writer: {
      ...afterFlush(writer, flush),
      ...readsOf(batch),
      ...writesOf(batch, forget),
      nextID: numbers.next,
      savepoint: (work) => savepoint(batch, forget, work),
      asStored: writer.asStored,
      jobs: writer.jobs,
    },
  };
}

interface Batch {
  readonly writer: Writer;
  readonly known: KnownRecords;
  readonly pending: PendingWrites;
  flush(): Promise<void>;
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

function readsOf({
  writer,
  known,
  pending,
  flush,
}: Batch): Pick<Reader, 'get' | 'kindOf' | 'isTaken' | 'takenAmong' | 'grants' | 'find' | 'iterate'> {
  const flushFor = async (query: Query): Promise<void> => {
    if (sees(query, pending)) await flush();
  };
  const isTaken = async (resources: readonly string[], site: string, id: string): Promise<boolean> =>
    known.isTaken(site, id) ?? writer.isTaken(resources, site, id);
  return {
    isTaken,
    async get(resource, site, id) {
      if (!known.has(resource, site, id)) known.set(resource, site, id, await writer.get(resource, site, id));
      return known.get(resource, site, id);
    },
    async kindOf(resources, site, id) {
      const kind = known.kindOf(resources, site, id);
      return kind === UNKNOWN ? writer.kindOf(resources, site, id) : kind;
    },
    async takenAmong(resources, site, ids) {
      const taken: string[] = [];
      for (const id of ids) if (await isTaken(resources, site, id)) taken.push(id);
      return taken;
    },
    async grants(site, individual) {
      const key = `${site} ${individual}`;
      const found = known.grants.get(key);
      if (found) return found;
      await flush();
      const grants = await writer.grants(site, individual);
      known.grants.set(key, grants);
      return grants;
    },
    async find(query) {
      const list = listedIn(known, query);
      if (list) return list;
      await flushFor(query);
      return writer.find(query);
    },
    async *iterate(query) {
      await flushFor(query);
      yield* writer.iterate(query);
    },
  };
}

/** The records of a query for all that name one record by one field, where they were read ahead. */
function listedIn(known: KnownRecords, query: Query): readonly Stored[] | undefined {
  const { resource, site, equals = {}, deleted, ...others } = query;
  const [named, more] = Object.entries(equals);
  if (site === undefined || !named || more || deleted === 1 || Object.values(others).some((one) => one !== undefined))
    return undefined;
  const [field, id] = named;
  const rows = typeof id === 'string' ? known.naming({ resource, site, field }, id) : undefined;
  return deleted === 2 ? rows : rows?.filter(({ Deleted, DeletedByRef }) => Deleted !== true && DeletedByRef !== true);
}

/** May a query see what waits? */
function sees({ resource, equals = {}, among, readFilter }: Query, pending: PendingWrites): boolean {
  if (readFilter) return true;
  return pending.mayMatch(resource, equals) || (among?.sources.some((one) => pending.touches(one.resource)) ?? false);
}

type Written = 'insert' | 'insertMany' | 'update' | 'updateMany' | 'addHistory' | 'remove' | 'cascade' | 'reserveID';

function writesOf(batch: Batch, forget: () => void): Pick<Writer, Written | 'addMember' | 'deleteMember'> {
  const { writer, known, pending, flush } = batch;
  const { get } = readsOf(batch);
  const insert: Writer['insert'] = async (resource, row) => {
    const stored = writer.asStored(resource, row);
    known.add(resource, String(row.SiteID), stored);
    pending.insert(resource, row);
    if (GIVES_GRANTS.includes(resource)) known.grants.clear();
    return stored;
  };
  const update: Writer['update'] = async (resource, site, id, changes) => {
    const before = await get(resource, site, id);
    if (before) known.set(resource, site, id, writer.asStored(resource, { ...before, ...changes }));
    pending.update(resource, site, id, changes);
    if (GIVES_GRANTS.includes(resource) || MARKS.some((name) => name in changes)) known.grants.clear();
  };
  /** What changes more than one record, or in another way. */
  const directly =
    <A extends readonly unknown[], T>(method: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await flush();
      forget();
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
    addHistory: async (site, entries) => pending.addHistory(site, entries),
    remove: directly(writer.remove),
    cascade: directly(writer.cascade),
    reserveID: directly(writer.reserveID),
    addMember: directly(writer.addMember),
    deleteMember: directly(writer.deleteMember),
  };
}

const GIVES_GRANTS: readonly string[] = ['permission', 'securityGroup'];
/** Permission rows are those of live individuals and groups, by their UserID. */
const MARKS = ['Deleted', 'DeletedByRef', 'UserID'];

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

/**
 * The integer IDs of new records (D12): the store is asked for the first, and gets to know the last. In between its counter
 * waits for the end of the transaction.
 */
function drawnNumbers(writer: Writer) {
  const drawn = new Map<string, { readonly resource: string; readonly site: string; last: number; kept: number }>();
  return {
    async next(resource: string, site: string): Promise<number> {
      const key = `${resource} ${site}`;
      const before = drawn.get(key);
      if (before) return ++before.last;
      const first = await writer.nextID(resource, site);
      drawn.set(key, { resource, site, last: first, kept: first });
      return first;
    },
    async keep(): Promise<void> {
      for (const one of drawn.values()) {
        if (one.last > one.kept) await writer.reserveID(one.resource, one.site, one.last);
        one.kept = one.last;
      }
    },
    forget: (): void => drawn.clear(),
  };
}
