// How calls reach the data: through the store, or through the writer of a transaction; and how a transaction is run.
import type { Durability, JobStore } from '../contract/jobs.ts';
import { valueAt } from '../text/once-per.ts';
import type { EngineParts } from './context.ts';
import type { Reader, Runs, Store, Writer } from './store/port.ts';

export type InTransaction = <T>(work: (writer: Writer) => T | Promise<T>, durability?: Durability) => Promise<T>;

/** How calls reach the data: through the store, or through the writer of a transaction. */
export interface DataAccess {
  /** For the rows of a list. */
  readonly rows: Reader;
  /** For several reads of one state; they may run again unless they run `once`. */
  read<T>(work: (reader: Reader) => Promise<T>, runs?: Runs): Promise<T>;
  readonly write: InTransaction;
  /** Whether a write is a transaction of its own, which can be run again. */
  readonly isOwn: boolean;
  /** Are the calls made over the interface? */
  readonly isRemote?: true;
  /** A part of a transaction that is rolled back alone where it throws; outside of one, a transaction. */
  readonly savepoint: InTransaction;
  /** The same for work that is never run again, since it reports while it runs. */
  readonly rehearsal: InTransaction;
  jobs(): JobStore;
  readonly marked?: Writer['marked'];
}

export const storeAccess = (store: Store): DataAccess => ({
  rows: store,
  read: (work, runs = 'again') => store.snapshot(work, runs),
  write: (work) => store.transaction(async (writer) => work(writer)),
  isOwn: true,
  savepoint: (work, durability) => store.transaction(async (writer) => work(writer), 'again', durability),
  rehearsal: (work) => store.transaction(async (writer) => work(writer), 'once'),
  jobs: () => store.jobs,
});

export function writerAccess(writer: Writer, write: InTransaction): DataAccess {
  const savepoint: InTransaction = (work) => writer.savepoint(async () => work(writer));
  return {
    rows: writer,
    read: (work) => work(writer),
    write,
    isOwn: false,
    savepoint,
    rehearsal: savepoint,
    jobs: () => writer.jobs,
    marked: writer.marked,
  };
}

/** A writer that keeps what the last deletion has hidden, or the last undeletion brought back. */
export function keepingMarked(writer: Writer): Writer {
  let [root, marked] = ['', new Map<string, string[]>()];
  return {
    ...writer,
    setDeleted(resource, site, changes, gone) {
      const ids = changes.map(({ id }) => id);
      [root, marked] = [`${resource} ${ids}`, new Map()];
      return writer.setDeleted(resource, site, changes, gone, (name, id) => {
        valueAt(marked, name, () => []).push(id);
      });
    },
    marked: async (resource, id) => (root === `${resource} ${id}` ? marked : new Map()),
  };
}

/** The parts for one run of a transaction; each run of it makes the same IDs. */
export function partsOfRuns(parts: EngineParts, { isOwn }: DataAccess): () => EngineParts {
  if (!isOwn) return () => parts;
  const ids = repeatedIDs(parts.newID);
  return () => ({ ...parts, newID: ids() });
}

/** IDs for work that may be run again: each run gets the same ones. To be called at the begin of each. */
export function repeatedIDs(newID: () => string): () => () => string {
  const made: string[] = [];
  return () => {
    let count = 0;
    return () => {
      const id = made[count] ?? newID();
      made[count++] = id;
      return id;
    };
  };
}

/** Rolls back where `isKept` refuses the answer, which is answered all the same. */
export async function rolledBackUnless<T>(
  isKept: ((answer: T) => boolean) | undefined,
  run: (checked: (answer: T) => T) => Promise<T>,
): Promise<T> {
  const notKept = new Error('not kept');
  let refused: { readonly answer: T } | undefined;
  try {
    return await run((answer) => {
      if (isKept === undefined || isKept(answer)) return answer;
      refused = { answer };
      throw notKept;
    });
  } catch (error) {
    if (error === notKept && refused) return refused.answer;
    throw error;
  }
}

/** Throws the first failure of a piece, even where `work` goes on after it: half of its writes may be in the store. */
export async function failIfPieceFailed<T>(writer: Writer, work: (write: InTransaction) => Promise<T>): Promise<T> {
  const failed: unknown[] = [];
  const answer = await work(async (piece) => {
    try {
      const answering = piece(writer);
      return answering instanceof Promise ? await answering : answering;
    } catch (error) {
      failed.push(error);
      throw error;
    }
  });
  if (failed.length > 0) throw failed[0];
  return answer;
}
