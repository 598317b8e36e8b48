// The states of rows as letters, one for each row of a bucket, and what is counted of them.
import type { JobHead, Mark, RowState } from '../../../contract/jobs.ts';

type Counts = JobHead['counts'];

const LETTERS: Readonly<Record<RowState, string>> = {
  pending: 'p',
  intent: 'i',
  done: 'd',
  failed: 'f',
  unknown: 'u',
  skipped: 's',
  drifted: 'x',
  altered: 'a',
  undone: 'z',
};
const STATES = new Map(Object.entries(LETTERS).map(([state, letter]) => [letter, state as RowState]));

export const letterOf = (state: RowState): string => LETTERS[state];

export const allPending = (count: number): string => LETTERS.pending.repeat(count);

/** Throws for an unknown letter, which a text with a right checksum does not have. */
export function stateOfLetter(letter: string | undefined): RowState {
  const state = STATES.get(letter ?? '');
  if (!state) throw new Error(`"${letter}" stands for no state`);
  return state;
}

/** Whether any of the rows is in one of these states, or in any where none are given. */
export const holdsAny = (letters: string, states: readonly RowState[] | undefined): boolean =>
  !states || states.some((state) => letters.includes(LETTERS[state]));

/** The runs of rows in this state, ends included; `first` is the number of the first row. */
export const runsOf = (letters: string, first: number, state: RowState): readonly Pick<Mark, 'from' | 'to'>[] =>
  [...letters.matchAll(new RegExp(`${LETTERS[state]}+`, 'g'))].map(({ 0: run, index }) => ({
    from: first + index,
    to: first + index + run.length - 1,
  }));

/** The letters after these marks, in their order; `first` is the number of the first row. */
export function lettersAfter(letters: string, first: number, marks: readonly Mark[]): string {
  let text = letters;
  for (const { from, to, state } of marks)
    text = text.slice(0, from - first) + LETTERS[state].repeat(to - from + 1) + text.slice(to - first + 1);
  return text;
}

/** The counts of a job after some letters changed from `before` to `after`; states without rows have no entry. */
export function recounted(counts: Counts, before: string, after: string): Counts {
  const sums: Partial<Record<RowState, number>> = { ...counts };
  for (const [text, by] of [[before, -1] as const, [after, 1] as const])
    for (const letter of text) sums[stateOfLetter(letter)] = (sums[stateOfLetter(letter)] ?? 0) + by;
  return Object.fromEntries(Object.entries(sums).filter(([, count]) => count !== 0));
}
