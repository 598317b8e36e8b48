// What became of rows, as lines of the journal: marks that come at the same time share one durable commit.
import type { JobRow, JobStore, Mark, RowResult, RowState } from '../../contract/jobs.ts';

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

export interface Outcome {
  readonly row: JobRow;
  readonly state: RowState;
  readonly result?: RowResult;
}

export const markOf = (number: number, state: RowState, result?: RowResult): Mark => ({
  from: number,
  to: number,
  state,
  ...(result ? { result } : {}),
});

/** Rows that follow one another and came to one state with nothing more to say are one line. */
export function joined(outcomes: readonly Outcome[]): readonly Mark[] {
  const marks: Mark[] = [];
  for (const { row, state, result } of outcomes) {
    const last = marks.at(-1);
    if (!result && last && !last.result && last.state === state && last.to === row.number - 1)
      marks[marks.length - 1] = { ...last, to: row.number };
    else marks.push(markOf(row.number, state, result));
  }
  return marks;
}
