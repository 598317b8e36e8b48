// Row outcomes as marks of the journal; marks that come within a millisecond share one commit.
import type { JobRow, JobStore, Mark, RowResult, RowState } from '../../contract/jobs.ts';
import { defined } from '../../text/defined.ts';

export type MarkQueue = ReturnType<typeof markQueue>;

/** In milliseconds. */
const MOMENT = 1;

interface Waiting {
  readonly mark: Mark;
  resolve(): void;
  reject(error: unknown): void;
}

export function markQueue(jobs: JobStore, job: string) {
  let waiting: Waiting[] = [];
  let draining = false;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      // A commit takes longer than the time between two answers: their marks are collected here.
      await new Promise((resolve) => setTimeout(resolve, MOMENT));
      const some = waiting;
      waiting = [];
      await writeMarks(jobs, job, some);
    }
    draining = false;
  };
  return {
    /** Resolves when the mark, and every mark before it, is durable. */
    add: (mark: Mark) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ mark, resolve, reject });
        if (draining) return;
        draining = true;
        void drain();
      }),
  };
}

async function writeMarks(jobs: JobStore, job: string, some: readonly Waiting[]): Promise<void> {
  const marks = some.map(({ mark }) => mark);
  try {
    await jobs.mark(job, marks);
  } catch (error) {
    for (const one of some) one.reject(error);
    return;
  }
  for (const one of some) one.resolve();
}

export interface Outcome {
  readonly row: JobRow;
  readonly state: RowState;
  readonly result?: RowResult | undefined;
}

export const markOf = (number: number, state: RowState, result?: RowResult): Mark =>
  defined({ from: number, to: number, state, result });

/** Marks, with one for consecutive rows that have the same state and no result. */
export function joinMarks(outcomes: readonly Outcome[]): readonly Mark[] {
  const marks: Mark[] = [];
  let run: { readonly from: number; to: number; readonly state: RowState } | undefined;
  for (const { row, state, result } of outcomes) {
    if (!result && run?.state === state && run.to === row.number - 1) run.to = row.number;
    else {
      run = result ? undefined : { from: row.number, to: row.number, state };
      marks.push(run ?? markOf(row.number, state, result));
    }
  }
  return marks;
}
