// A writer for many records: what they read was read ahead, and what they write is sent in a few calls. Each call is a round
// trip where the database is on a network.
import { ServiceError } from '../../contract/errors.ts';
import { UniqueViolation, type WorkOnIDs, type Writer } from '../store/port.ts';
import { type Batch, readsOf } from './batch-reads.ts';
import { writesOf } from './batch-writes.ts';
import { knownRecords } from './known-records.ts';
import { pendingWrites } from './pending-writes.ts';
import { type ReadAhead, readAhead } from './read-ahead.ts';

export interface BatchWriter {
  readonly writer: Writer;
  /** Reads ahead, each resource by one call. */
  readAhead(site: string, wanted: ReadAhead): Promise<void>;
  /** Sends what waits. Throws `conflict` where a value is taken; which of the records has it is not known then. */
  flush(): Promise<void>;
  /** Does what was left for the end, and sends all. Throws as `flush`. */
  end(): Promise<void>;
}

/** What is written waits until a read may see it, or until `flush`. After an error every later `flush` throws it again. */
export function batchWriterOn(writer: Writer): BatchWriter {
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
  return {
    flush,
    async end() {
      await left.run();
      await flush();
    },
    readAhead: (site, wanted) => readAhead(writer, known, site, wanted),
    writer: {
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
      const one = left.get(key) ?? { ids: new Set<string>(), work };
      left.set(key, one);
      one.ids.add(id);
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
  const counterOf = (resource: string, site: string): Counter => {
    const key = `${resource} ${site}`;
    const counter = counters.get(key) ?? { resource, site, last: 0, kept: 0, isAsked: false };
    counters.set(key, counter);
    return counter;
  };
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
  /** What the store knows. */
  kept: number;
  /** Has the store said which comes first? */
  isAsked: boolean;
}
