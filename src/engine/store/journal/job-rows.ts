// The rows of a job: planned, marked, counted by state, and read in pages; in buckets, each line of them with a checksum.

import type { JobRow, Mark, PlannedRow, RowResult, RowState } from '../../../contract/jobs.ts';
import { grouped } from '../../../text/batches.ts';
import { oncePer } from '../../../text/once-per.ts';
import type { Dialect, Typed } from '../sql/dialect.ts';
import { all, each, type Raw, type Steps } from '../sql/steps.ts';
import { allPending, holdsAny, letterOf, lettersAfter, runsOf, stateOfLetter } from './job-letters.ts';
import { BUCKET, bucketOf, checksum, damaged, firstOf } from './job-tables.ts';

/** The rows of jobs; `place` names the database in errors. Reading throws as the buckets do. */
export function jobRowsIn(place: string, dialect: Dialect) {
  const buckets = bucketsIn(place, dialect);
  return {
    /** Appends rows, which follow the stored ones. */
    *append(job: string, rows: readonly PlannedRow[]): Steps<void> {
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
          return { bucket, after: letters + allPending(piece.length), sequence: marks };
        }),
      );
    },
    /** Answers the letters of each changed bucket before and after. */
    *mark(job: string, marks: readonly Mark[]): Steps<readonly Changed[]> {
      const pieces = marksByBucket(marks);
      const stored = yield* buckets.states(job, [...pieces.keys()]);
      const changed = [...stored].map(([bucket, { letters, marks: count }]) => {
        const some = pieces.get(bucket) ?? [];
        const after = lettersAfter(letters, firstOf(bucket), some);
        return { bucket, sequence: count + 1, marks: some, before: letters, after };
      });
      yield* buckets.addMarks(job, changed);
      yield* buckets.saveStates(job, changed);
      return changed;
    },
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
    /** Gives those of the rows that are in one of the states `from` the state `to`, and answers them. Their results stay. */
    *relabel(job: string, numbers: readonly number[], from: readonly RowState[], to: RowState) {
      const groups = byBucket(numbers, (number) => number);
      const stored = yield* buckets.states(job, [...groups.keys()]);
      const changed = [...stored].flatMap(([bucket, { letters, marks }]) => {
        const first = firstOf(bucket);
        const rows = (groups.get(bucket) ?? []).filter((row) => from.includes(stateOfLetter(letters[row - first])));
        const turned = rows.map((row): Mark => ({ from: row, to: row, state: to }));
        const after = lettersAfter(letters, first, turned);
        return rows.length === 0 ? [] : [{ bucket, sequence: marks, rows, before: letters, after }];
      });
      yield* buckets.saveStates(job, changed);
      return changed;
    },
    *page(job: string, wanted: readonly number[], states: readonly RowState[] | undefined): Steps<readonly JobRow[]> {
      const stored = yield* buckets.whole(job, wanted, states);
      const rows = [...stored.values()].flatMap(jobRows);
      return states ? rows.filter(({ state }) => states.includes(state)) : rows;
    },
  };
}

/** The letters of a bucket. */
export interface Changed {
  readonly before: string;
  readonly after: string;
}

const indexOf = (row: number): number => row - firstOf(bucketOf(row));

/** The buckets of the first `total` rows. */
export const bucketsTo = (total: number): readonly number[] =>
  Array.from({ length: total === 0 ? 0 : bucketOf(total) + 1 }, (_, bucket) => bucket);

const bucketsWith = (numbers: readonly number[]): readonly number[] => [...new Set(numbers.map(bucketOf))];

const byBucket = <T>(all: readonly T[], numberOf: (one: T) => number): ReadonlyMap<number, readonly T[]> =>
  grouped(all, (one) => bucketOf(numberOf(one)));

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

interface BucketState {
  readonly letters: string;
  readonly marks: number;
}

interface Bucket extends BucketState {
  readonly rows: readonly PlannedRow[];
  readonly results: ReadonlyMap<number, RowResult>;
}

/** The letters that a bucket has now, and the number of its last line of marks. */
interface SavedState extends Pick<Changed, 'after'> {
  readonly bucket: number;
  readonly sequence: number;
}

interface MarksLine extends Omit<SavedState, 'after'> {
  readonly marks: readonly Mark[];
}

const text = (name: string): Typed => ({ name, type: 'TEXT' });
const number = (name: string): Typed => ({ name, type: 'INTEGER' });
const PLAN = [text('JobID'), number('First'), number('Last'), text('Rows'), number('Crc')];
const STATE = [text('JobID'), number('Bucket'), text('States'), number('Marks'), number('Crc')];
const MARK = [text('JobID'), number('Bucket'), number('Sequence'), text('Marks'), number('Crc')];

const statementsOf = oncePer((dialect: Dialect) => {
  const where = ` WHERE s.JobID = ? AND ${dialect.isAny(number('s.Bucket'))}`;
  const beside = (table: string, on: string): string =>
    `FROM job_state AS s ${dialect.join} ${table} AS o ON o.JobID = s.JobID AND ${on}${where}`;
  const inBucket = `o.First > s.Bucket * ${BUCKET} AND o.First <= (s.Bucket + 1) * ${BUCKET}`;
  return {
    states: `SELECT ${STATES} AS Part, s.Bucket, s.Marks, s.States, s.Crc FROM job_state AS s${where}`,
    plans: `SELECT ${PLANS} AS Part, o.First, o.Last, o.Rows, o.Crc ${beside('job_plan', inBucket)}`,
    marks: `SELECT ${MARKS} AS Part, o.Bucket, o.Sequence, o.Marks, o.Crc ${beside('job_mark', 'o.Bucket = s.Bucket')}`,
    addPlan: dialect.insertEach('job_plan', PLAN),
    addMarks: dialect.insertEach('job_mark', MARK),
    saveState: `${dialect.insertEach('job_state', STATE)} ON CONFLICT (JobID, Bucket)
  DO UPDATE SET States = excluded.States, Marks = excluded.Marks, Crc = excluded.Crc`,
  };
});

/** One statement, so that all lines are of one state of the data; where no row is wanted, of a bucket's states alone. */
function wholeSql(dialect: Dialect, wanted: readonly RowState[] | undefined): string {
  const { states, plans, marks } = statementsOf(dialect);
  const holds = wanted?.map((state) => `s.States LIKE '%${letterOf(state)}%'`).join(' OR ');
  const chosen = [plans, marks].map((sql) => (holds ? `${sql} AND (${holds})` : sql));
  return [states, ...chosen].join(' UNION ALL ');
}

/** The buckets of jobs. Reading throws `storage` where a checksum is wrong or a line is missing. */
function bucketsIn(place: string, dialect: Dialect) {
  const { states, plans, addPlan, addMarks, saveState } = statementsOf(dialect);
  /** For each of the buckets what `read` finds in its lines; undefined is damage. `parts`: the tables that are asked. */
  function* readEach<T>(sql: string, parts: number, job: string, buckets: readonly number[], read: Read<T>) {
    if (buckets.length === 0) return new Map<number, T>();
    const key = [job, JSON.stringify(buckets)];
    const lines = linesIn(yield* all(sql, Array.from({ length: parts }, () => key).flat()));
    return new Map(
      buckets.map((bucket) => {
        const found = read(job, bucket, (part) => lines.get(`${part} ${bucket}`) ?? []);
        if (found === undefined) throw damaged(place, job, rowsIn(bucket));
        return [bucket, found];
      }),
    );
  }
  return {
    states: (job: string, buckets: readonly number[]): Steps<ReadonlyMap<number, BucketState>> =>
      readEach(states, 1, job, buckets, stateOf),
    planned: (job: string, buckets: readonly number[]): Steps<ReadonlyMap<number, readonly PlannedRow[]>> =>
      readEach(plans, 1, job, buckets, plannedOf),
    /** Those that have a row in one of the wanted states; without any all of them. */
    whole: (job: string, buckets: readonly number[], wanted?: readonly RowState[]) =>
      readEach(wholeSql(dialect, wanted), 3, job, buckets, wholeOf(wanted)),
    saveStates: (job: string, saved: readonly SavedState[]): Steps<void> =>
      each(
        saveState,
        saved.map(({ bucket, after, sequence }) => [
          ...[job, bucket, after, sequence],
          checksum(job, bucket, after, sequence),
        ]),
      ),
    /** Each piece is of one bucket. */
    addPlans: (job: string, pieces: readonly (readonly PlannedRow[])[]): Steps<void> =>
      each(
        addPlan,
        pieces.map((rows) => {
          const [first, last] = [rows[0]?.number ?? 0, rows.at(-1)?.number ?? 0];
          // As one list: it takes a third less time than each row by itself.
          const line = JSON.stringify(rows).slice(1, -1);
          return [job, first, last, line, checksum(job, first, last, line)];
        }),
      ),
    addMarks: (job: string, lines: readonly MarksLine[]): Steps<void> =>
      each(
        addMarks,
        lines.map(({ bucket, sequence, marks }) => {
          const line = JSON.stringify(marks);
          return [job, bucket, sequence, line, checksum(job, bucket, sequence, line)];
        }),
      ),
  };
}

const STATES = 0;
const PLANS = 1;
const MARKS = 2;

/** A line: its table, two numbers that say which one it is, its text, and its checksum. */
type Line = readonly [part: number, first: number, second: number, line: string, sum: number];
type LinesOf = (part: number) => readonly Line[];
type Read<T> = (job: string, bucket: number, linesOf: LinesOf) => T | undefined;

/** By table and bucket, in their order. */
const linesIn = (raws: readonly Raw[]): ReadonlyMap<string, readonly Line[]> =>
  grouped(
    (raws as readonly Line[]).toSorted((one, other) => one[1] - other[1] || one[2] - other[2]),
    ([part, first]) => `${part} ${part === PLANS ? bucketOf(first) : first}`,
  );

const isWhole = (job: string, [, first, second, line, sum]: Line): boolean =>
  checksum(job, first, second, line) === sum;

const stateOf: Read<BucketState> = (job, bucket, linesOf) => {
  const [[, , marks = 0, letters = '', sum] = []] = linesOf(STATES);
  return checksum(job, bucket, letters, marks) === sum ? { letters, marks } : undefined;
};

const plannedOf: Read<readonly PlannedRow[]> = (job, bucket, linesOf) => {
  const rows: PlannedRow[] = [];
  for (const one of linesOf(PLANS)) {
    if (one[1] !== firstOf(bucket) + rows.length || !isWhole(job, one)) return undefined;
    // Older programs wrote a line end between rows; JSON holds no other one.
    rows.push(...(JSON.parse(`[${one[3].replaceAll('\n', ',')}]`) as readonly PlannedRow[]));
  }
  return rows;
};

const wholeOf =
  (wanted: readonly RowState[] | undefined): Read<Bucket> =>
  (job, bucket, linesOf) => {
    const state = stateOf(job, bucket, linesOf);
    if (!state || !holdsAny(state.letters, wanted)) return state && { ...state, rows: [], results: new Map() };
    const rows = plannedOf(job, bucket, linesOf);
    const lines = linesOf(MARKS);
    const isComplete = lines.every((line, i) => line[2] === i + 1 && isWhole(job, line));
    if (!isComplete || lines.length !== state.marks || rows?.length !== state.letters.length) return undefined;
    return { ...state, rows, results: resultsIn(lines.map((line) => line[3])) };
  };

/** The last mark of a row decides its result. */
function resultsIn(lines: readonly string[]): ReadonlyMap<number, RowResult> {
  const results = new Map<number, RowResult>();
  for (const line of lines) {
    for (const { from, to, result } of JSON.parse(line) as readonly Mark[]) {
      if (result) results.set(from, result);
      else for (let row = from; row <= to; row++) results.delete(row);
    }
  }
  return results;
}

const rowsIn = (bucket: number): string =>
  `what is kept of its rows ${firstOf(bucket)} to ${firstOf(bucket) + BUCKET - 1}`;
