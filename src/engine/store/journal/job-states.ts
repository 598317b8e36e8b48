// Where the rows of a bucket stand, as a text with a letter to each, and how many of a job came to each state.
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
};
const STATES = new Map(Object.entries(LETTERS).map(([state, letter]) => [letter, state as RowState]));

/** The letters of so many rows that nothing was done with yet. */
export const allPending = (count: number): string => LETTERS.pending.repeat(count);

/** Throws on a letter that stands for nothing: only texts whose checksum is right are read. */
export function stateOf(letter: string | undefined): RowState {
  const state = STATES.get(letter ?? '');
  if (!state) throw new Error(`"${letter}" stands for no state`);
  return state;
}

/** Whether any of the rows is in one of these states; without any named, all fit. */
export const holdsAny = (letters: string, states: readonly RowState[] | undefined): boolean =>
  !states || states.some((state) => letters.includes(LETTERS[state]));

/** The runs of rows in this state, ends included; `first` is the number of the first row. */
export const runsOf = (letters: string, first: number, state: RowState): readonly Pick<Mark, 'from' | 'to'>[] =>
  [...letters.matchAll(new RegExp(`${LETTERS[state]}+`, 'g'))].map(({ 0: run, index }) => ({
    from: first + index,
    to: first + index + run.length - 1,
  }));

/** The letters after these marks, one after another; `first` is the number of the first row. */
export function marked(letters: string, first: number, marks: readonly Mark[]): string {
  let text = letters;
  for (const { from, to, state } of marks) {
    text = text.slice(0, from - first) + LETTERS[state].repeat(to - from + 1) + text.slice(to - first + 1);
  }
  return text;
}

/** The counts of a job after some of its rows went from the letters `before` to `after`; no state is counted with 0. */
export function recounted(counts: Counts, before: string, after: string): Counts {
  const sums: Partial<Record<RowState, number>> = { ...counts };
  for (const [text, by] of [[before, -1] as const, [after, 1] as const]) {
    for (const letter of text) sums[stateOf(letter)] = (sums[stateOf(letter)] ?? 0) + by;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, count]) => count !== 0));
}
