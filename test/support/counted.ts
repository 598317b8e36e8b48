// Counts the calls of a store by method: each is at least one round trip where the database is on a network.
import type { JobStore } from '../../src/contract/jobs.ts';
import type { Reader, Store, Writer } from '../../src/engine/store/port.ts';
import type { SqliteOptions } from '../../src/engine/store/sqlite/store.ts';

export interface Counted {
  readonly store: Store;
  /** The calls since the last look, by method; those of the journal begin with `jobs.`. */
  calls(): Readonly<Record<string, number>>;
}

export function counted(store: Store): Counted {
  let calls: Record<string, number> = {};
  const counting =
    <A extends readonly unknown[], T>(name: string, method: (...args: A) => T) =>
    (...args: A): T => {
      calls[name] = (calls[name] ?? 0) + 1;
      return method(...args);
    };
  /** The same methods by the same names. */
  const counts = <M extends object>(methods: M, prefix = ''): M =>
    Object.fromEntries(
      Object.entries(methods).map(([name, one]) => [
        name,
        typeof one === 'function' ? counting(`${prefix}${name}`, one as () => unknown) : one,
      ]),
    ) as M;
  const countedJobs = (jobs: JobStore): JobStore => counts(jobs, 'jobs.');
  const { transaction, snapshot, version, past, close, jobs, ...reads } = store;
  const writers = new WeakMap<Writer, Writer>();
  const writerOf = (writer: Writer): Writer => {
    const { asStored, savepoint, ...methods } = writer;
    const made = writers.get(writer) ?? {
      ...counts(methods),
      asStored,
      savepoint: counting('savepoint', savepoint) as Writer['savepoint'],
      jobs: countedJobs(writer.jobs),
    };
    writers.set(writer, made);
    return made;
  };
  return {
    store: {
      ...counts<Reader>(reads),
      ...{ version, past, close },
      jobs: countedJobs(jobs),
      transaction: (work, runs) => transaction((writer) => work(writerOf(writer)), runs),
      snapshot: (work) => snapshot((reader) => work(counts(reader))),
    },
    calls() {
      const seen = calls;
      calls = {};
      return seen;
    },
  };
}

const stores: Counted[] = [];

/** In the place of the module that opens SQLite: every store that is opened is counted. */
export const countedSqlite = async (
  original: () => Promise<typeof import('../../src/engine/store/sqlite/store.ts')>,
) => {
  const { openSqlite } = await original();
  return {
    async openSqlite(options: SqliteOptions): Promise<Store> {
      const one = counted(await openSqlite(options));
      stores.push(one);
      return one.store;
    },
  };
};

/** The calls of all stores that `countedSqlite` has opened, since the last look. */
export const callsOfAll = (): number =>
  stores.flatMap((one) => Object.values(one.calls())).reduce((sum, count) => sum + count, 0);
