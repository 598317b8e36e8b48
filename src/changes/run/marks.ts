// Row outcomes as marks of the journal; marks that come within a moment share one commit.
import type { JobRow, JobStore, Mark, RowResult, RowState } from '../../contract/jobs.ts';
import { defined } from '../../text/defined.ts';

/** How long marks wait for others, in milliseconds: intents, for which rows wait, and outcomes, for which nothing waits. */
const WAIT = { intent: 1, outcome: 20 } as const;

export function markQueue(jobs: JobStore, job: string) {
  let waiting: Mark[] = [];
  let last: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let hurry = (): void => undefined;
  const collected = (): Promise<void> =>
    new Promise((resolve) => {
      hurry = () => void setTimeout(resolve, WAIT.intent);
      if (waiting.some(isIntent)) hurry();
      else setTimeout(resolve, WAIT.outcome);
    });
  const write = async (): Promise<void> => {
    await last?.catch(() => undefined);
    await collected();
    const marks = waiting;
    waiting = [];
    last = next;
    next = undefined;
    await jobs.mark(job, marks);
  };
  return {
    /** Resolves when the marks, and every mark before them, are durable. */
    add(...marks: readonly Mark[]): Promise<void> {
      waiting.push(...marks);
      if (marks.some(isIntent)) hurry();
      next ??= write();
      return next;
    },
  };
}

const isIntent = ({ state }: Mark): boolean => state === 'intent';

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
