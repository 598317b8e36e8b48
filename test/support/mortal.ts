// A program that dies: after so many writes nothing that it begins is done any more, and its locks stay.
import { hostname } from 'node:os';
import type { Session } from '../../src/contract/call.ts';
import type { JobStore } from '../../src/contract/jobs.ts';

/** Thrown in the place of everything that a dead program would still do. */
export class Died extends Error {
  override readonly name = 'Died';
}

const WRITES = ['begin', 'plan', 'seal', 'mark', 'set', 'start', 'delete'] as const;

/** The number of a process that is not there. */
export const DEAD = { pid: 2 ** 22 - 1, host: hostname() };

/**
 * The same session and journal in a program that dies behind `writes` writes: some before they are done, some behind them. A
 * transaction of the engine is one write.
 */
export function mortal(session: Session, jobs: JobStore, writes: number): { session: Session; jobs: JobStore } {
  let left = writes;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (left-- <= 0) throw new Died();
    const answer = await work();
    if (left-- <= 0) throw new Died();
    return answer;
  };
  const journal = Object.fromEntries(
    WRITES.map((name) => [
      name,
      (...args: never[]) => step(() => (jobs[name] as (...all: never[]) => Promise<void>)(...args)),
    ]),
  );
  // Also a lock that is taken by default is one of the dead program.
  const owned: Pick<JobStore, 'lock' | 'release'> = {
    lock: (job, _owner, want) => step(() => jobs.lock(job, DEAD, want)),
    release: (job) => step(() => jobs.release(job, DEAD)),
  };
  const { local } = session;
  return {
    jobs: { ...jobs, ...journal, ...owned } as JobStore,
    session: {
      ...session,
      call: (operation, input) =>
        operation.writes ? step(() => session.call(operation, input)) : session.call(operation, input),
      ...(local && {
        local: {
          ...local,
          jobs: { ...jobs, ...journal, ...owned } as JobStore,
          transaction: (work, isKept) => step(() => local.transaction(work, isKept)),
          savepoint: (work, isKept) => step(() => local.savepoint(work, isKept)),
        },
      }),
    },
  };
}
