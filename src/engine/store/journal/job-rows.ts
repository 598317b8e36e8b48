// The rows of a job: planned, marked, counted by state, and read in pages.
import type { JobRow, Mark, PlannedRow, RowResult, RowState } from '../../../contract/jobs.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { Steps } from '../sql/steps.ts';
import { type Bucket, type BucketState, type Buckets, bucketsIn, type MarksLine } from './job-buckets.ts';
import { allPending, lettersAfter, runsOf, stateOfLetter } from './job-letters.ts';
import { bucketOf, firstOf } from './job-tables.ts';

export type JobRows = ReturnType<typeof jobRowsIn>;

/** The rows of jobs; `place` names the database in errors. Reading throws as the buckets do. */
export function jobRowsIn(place: string, dialect: Dialect) {
  const buckets = bucketsIn(place, dialect);
  return {
    /** Appends rows, which follow the stored ones. */
    append: (job: string, rows: readonly PlannedRow[]): Steps<void> => append(buckets, job, rows),
    /** Answers the letters of each changed bucket before and after. */
    mark: (job: string, marks: readonly Mark[]): Steps<readonly Changed[]> => markRows(buckets, job, marks),
    /** The runs of rows in this state among the first `total` rows. */
    *runs(job: string, total: number, state: RowState): Steps<readonly Pick<Mark, 'from' | 'to'>[]> {
      const states = yield* buckets.states(job, bucketsTo(total));
      return [...states].flatMap(([bucket, { letters }]) => runsOf(letters, firstOf(bucket), state));
    },
    *planned(job: string, numbers: readonly number[]): Steps<readonly PlannedRow[]> {
      const stored = yield* buckets.planned(job, bucketsWith(numbers));
      return numbers.flatMap((number) => stored.get(bucketOf(number))?.[indexOf(number)] ?? []);
    },
    /** The results of the rows with these numbers, and the states of all of them. */
    *outcomes(job: string, numbers: readonly number[]): Steps<readonly Pick<JobRow, 'number' | 'state' | 'result'>[]> {
      const stored = yield* buckets.whole(job, bucketsWith(numbers));
      return numbers.map((number) => {
        const { letters = '', results } = stored.get(bucketOf(number)) ?? {};
        return { number, ...outcomeOf(letters[indexOf(number)], results?.get(number)) };
      });
    },
    /** Gives those of the rows that are in one of the states `from` the state `to`. Their results stay. */
    relabel: (
      job: string,
      numbers: readonly number[],
      from: readonly RowState[],
      to: RowState,
    ): Steps<readonly Relabelled[]> => relabel(buckets, job, numbers, (state) => (from.includes(state) ? to : state)),
    *page(job: string, wanted: readonly number[], states: readonly RowState[] | undefined): Steps<readonly JobRow[]> {
      const stored = yield* buckets.whole(job, wanted, states);
      const rows = [...stored.values()].flatMap(jobRows);
      return states ? rows.filter(({ state }) => states.includes(state)) : rows;
    },
  };
}

function* append(buckets: Buckets, job: string, rows: readonly PlannedRow[]): Steps<void> {
  const pieces = [...byBucket(rows, ({ number }) => number)];
  yield* buckets.addPlans(
    job,
    pieces.map(([, piece]) => piece),
  );
  const begun = pieces.filter(([bucket, [first]]) => first && first.number !== firstOf(bucket));
  const stored = yield* buckets.states(
    job,
    begun.map(([bucket]) => bucket),
  );
  yield* buckets.saveStates(
    job,
    pieces.map(([bucket, piece]) => {
      const { letters, marks } = stored.get(bucket) ?? { letters: '', marks: 0 };
      return [bucket, { letters: letters + allPending(piece.length), marks }];
    }),
  );
}

/** The letters of a bucket. */
export interface Changed {
  readonly before: string;
  readonly after: string;
}

function* markRows(buckets: Buckets, job: string, marks: readonly Mark[]): Steps<readonly Changed[]> {
  const pieces = marksByBucket(marks);
  const stored = yield* buckets.states(job, [...pieces.keys()]);
  const lines: MarksLine[] = [];
  const saved = new Map<number, BucketState>();
  for (const [bucket, state] of stored) {
    const some = pieces.get(bucket) ?? [];
    const sequence = state.marks + 1;
    lines.push({ bucket, sequence, marks: some });
    saved.set(bucket, { letters: lettersAfter(state.letters, firstOf(bucket), some), marks: sequence });
  }
  yield* buckets.addMarks(job, lines);
  yield* buckets.saveStates(job, saved);
  return changesOf(stored, saved);
}

const changesOf = (
  before: ReadonlyMap<number, BucketState>,
  after: ReadonlyMap<number, BucketState>,
): readonly Changed[] =>
  [...after].map(([bucket, { letters }]) => ({ before: before.get(bucket)?.letters ?? '', after: letters }));

interface Relabelled extends Changed {
  readonly rows: readonly number[];
}

function* relabel(
  buckets: Buckets,
  job: string,
  numbers: readonly number[],
  to: (state: RowState) => RowState,
): Steps<readonly Relabelled[]> {
  const groups = byBucket(numbers, (number) => number);
  const stored = yield* buckets.states(job, [...groups.keys()]);
  const changed = new Map<number, BucketState & { readonly rows: readonly number[] }>();
  for (const [bucket, state] of stored) {
    const first = firstOf(bucket);
    const marks = (groups.get(bucket) ?? []).flatMap((row): readonly Mark[] => {
      const was = stateOfLetter(state.letters[row - first]);
      return to(was) === was ? [] : [{ from: row, to: row, state: to(was) }];
    });
    const rows = marks.map(({ from }) => from);
    if (rows.length > 0) changed.set(bucket, { ...state, letters: lettersAfter(state.letters, first, marks), rows });
  }
  yield* buckets.saveStates(job, changed);
  return [...changed].map(([bucket, { letters, rows }]) => ({
    ...{ before: stored.get(bucket)?.letters ?? '', after: letters, rows },
  }));
}

const indexOf = (row: number): number => row - firstOf(bucketOf(row));

/** The buckets of the first `total` rows. */
export const bucketsTo = (total: number): readonly number[] =>
  Array.from({ length: total === 0 ? 0 : bucketOf(total) + 1 }, (_, bucket) => bucket);

const bucketsWith = (numbers: readonly number[]): readonly number[] => [...new Set(numbers.map(bucketOf))];

function byBucket<T>(all: readonly T[], numberOf: (one: T) => number): ReadonlyMap<number, readonly T[]> {
  const groups = new Map<number, T[]>();
  for (const one of all) {
    const bucket = bucketOf(numberOf(one));
    const group = groups.get(bucket);
    if (group) group.push(one);
    else groups.set(bucket, [one]);
  }
  return groups;
}

/** The marks of each bucket, in their order; a run over several buckets is split. */
function marksByBucket(marks: readonly Mark[]): ReadonlyMap<number, readonly Mark[]> {
  const split = marks.flatMap((mark) => {
    const [first, last] = [bucketOf(mark.from), bucketOf(mark.to)];
    return Array.from({ length: last - first + 1 }, (_, i) => ({
      ...mark,
      from: Math.max(mark.from, firstOf(first + i)),
      to: Math.min(mark.to, firstOf(first + i + 1) - 1),
    }));
  });
  return byBucket(split, ({ from }) => from);
}

/** The rows, which were parsed for this alone, get their outcomes themselves: copies cost as much as the parsing. */
const jobRows = ({ rows, letters, results }: Bucket): readonly JobRow[] =>
  rows.map((row, i) => Object.assign(row, outcomeOf(letters[i], results.get(row.number))));

const outcomeOf = (letter: string | undefined, result: RowResult | undefined): Pick<JobRow, 'state' | 'result'> =>
  result === undefined ? { state: stateOfLetter(letter) } : { state: stateOfLetter(letter), result };
