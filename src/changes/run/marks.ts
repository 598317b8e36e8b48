// What became of rows, as lines of the journal.
import type { JobRow, Mark, RowResult, RowState } from '../../contract/jobs.ts';

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
