// The buckets of rows as they are stored, each line with a checksum. Many buckets share a statement.
import type { Mark, PlannedRow, RowResult, RowState } from '../../../contract/jobs.ts';
import { oncePer } from '../../../text/once-per.ts';
import type { Dialect, Typed } from '../sql/dialect.ts';
import { all, each, type Raw, type Steps } from '../sql/steps.ts';
import { holdsAny, letterOf } from './job-letters.ts';
import { BUCKET, bucketOf, checksum, damaged, firstOf } from './job-tables.ts';

export interface BucketState {
  readonly letters: string;
  readonly marks: number;
}

export interface Bucket extends BucketState {
  readonly rows: readonly PlannedRow[];
  /** By the number of the row. */
  readonly results: ReadonlyMap<number, RowResult>;
}

export interface MarksLine {
  readonly bucket: number;
  readonly sequence: number;
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

export type Buckets = ReturnType<typeof bucketsIn>;

/** The buckets of jobs. Reading throws `storage` where a checksum is wrong or a line is missing. */
export function bucketsIn(place: string, dialect: Dialect) {
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
    saveStates: (job: string, saved: Iterable<readonly [bucket: number, state: BucketState]>): Steps<void> =>
      each(
        saveState,
        [...saved].map(([bucket, { letters, marks }]) => [
          ...[job, bucket, letters, marks],
          checksum(job, bucket, letters, marks),
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
function linesIn(raws: readonly Raw[]): ReadonlyMap<string, readonly Line[]> {
  const groups = new Map<string, Line[]>();
  for (const line of raws as readonly Line[]) {
    const [part, first] = line;
    const key = `${part} ${part === PLANS ? bucketOf(first) : first}`;
    const group = groups.get(key);
    if (group) group.push(line);
    else groups.set(key, [line]);
  }
  for (const group of groups.values()) group.sort((one, other) => one[1] - other[1] || one[2] - other[2]);
  return groups;
}

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
