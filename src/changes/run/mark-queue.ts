// Marks of rows in flight: those that come at the same time share one durable commit.
import type { JobStore, Mark } from '../../contract/jobs.ts';

export interface MarkQueue {
  /** Resolves when the mark is durable, and with it every one that was added before. */
  add(mark: Mark): Promise<void>;
}

/** In milliseconds. */
const MOMENT = 1;

interface Waiting {
  readonly mark: Mark;
  resolve(): void;
  reject(error: unknown): void;
}

export function markQueue(jobs: JobStore, job: string): MarkQueue {
  let waiting: Waiting[] = [];
  let draining = false;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      // A commit takes longer than answers are apart: the marks of those that come within a moment meet here.
      await new Promise((resolve) => setTimeout(resolve, MOMENT));
      const some = waiting;
      waiting = [];
      await keep(jobs, job, some);
    }
    draining = false;
  };
  return {
    add: (mark) =>
      new Promise((resolve, reject) => {
        waiting.push({ mark, resolve, reject });
        if (draining) return;
        draining = true;
        void drain();
      }),
  };
}

async function keep(jobs: JobStore, job: string, some: readonly Waiting[]): Promise<void> {
  try {
    await jobs.mark(
      job,
      some.map(({ mark }) => mark),
    );
  } catch (error) {
    for (const one of some) one.reject(error);
    return;
  }
  for (const one of some) one.resolve();
}
