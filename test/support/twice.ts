// A store that runs each transaction twice and rolls the first run back, as a database may that finds a conflict.
import type { JobStore } from '../../src/contract/jobs.ts';
import type { Store, Writer } from '../../src/engine/store/port.ts';

const WRITES = ['begin', 'plan', 'seal', 'mark', 'set', 'start', 'lock', 'release', 'delete'] as const;

export function runningTwice(store: Store): Store {
  const twice = async <T>(work: (writer: Writer) => Promise<T>): Promise<T> => {
    await store
      .transaction(async (writer) => {
        await work(writer);
        throw new Error('run again');
      })
      .catch(() => undefined);
    return store.transaction(work);
  };
  const journal = Object.fromEntries(
    WRITES.map((name) => [
      name,
      (...args: never[]) => twice(({ jobs }) => (jobs[name] as (...all: never[]) => Promise<void>)(...args)),
    ]),
  );
  return {
    ...store,
    transaction: (work, runs) => (runs === 'once' ? store.transaction(work, runs) : twice(work)),
    // The same methods as those of the journal of a transaction.
    jobs: { ...store.jobs, ...journal } as JobStore,
  };
}
