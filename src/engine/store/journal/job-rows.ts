// The rows of a job: planned, marked, counted by state, and read bucket by bucket.
import type { JobHead, JobRow, Mark, PlannedRow, RowResult, RowState } from '../../../contract/jobs.ts';
import { all, one, run, type Steps } from '../sql/steps.ts';
import { BUCKET, bucketOf, checksum, damaged, firstOf } from './job-tables.ts';

export type JobRows = ReturnType<typeof jobRowsIn>;

/** The states of the rows of a bucket. */
interface BucketState {
  readonly letters: string;
  /** The number of lines of marks. */
  readonly marks: number;
}

const ADD_PLAN = 'INSERT INTO job_plan (JobID, First, Last, Rows, Crc) VALUES (?, ?, ?, ?, ?)';
const PLAN = 'SELECT First, Last, Rows, Crc FROM job_plan WHERE JobID = ? AND First BETWEEN ? AND ? ORDER BY First';
const BUCKET_STATE = 'SELECT States, Marks, Crc FROM job_state WHERE JobID = ? AND Bucket = ?';
const SAVE_BUCKET_STATE = `INSERT INTO job_state (JobID, Bucket, States, Marks, Crc) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (JobID, Bucket) DO UPDATE SET States = excluded.States, Marks = excluded.Marks, Crc = excluded.Crc`;
const ADD_MARKS = 'INSERT INTO job_mark (JobID, Bucket, Sequence, Marks, Crc) VALUES (?, ?, ?, ?, ?)';
const MARKS = 'SELECT Sequence, Marks, Crc FROM job_mark WHERE JobID = ? AND Bucket = ? ORDER BY Sequence';

/** The buckets of jobs. Reading throws `storage` where a checksum is wrong or a line is missing. */
function bucketsIn(place: string) {
  const flaw = (job: string, bucket: number) => damaged(place, job, rowsIn(bucket));
  return {
    flaw,
    *state(job: string, bucket: number): Steps<BucketState> {
      const [letters, marks, sum] = ((yield* one(BUCKET_STATE, [job, bucket])) ?? []) as [string, number, number];
      if (letters === undefined || checksum(job, bucket, letters, marks) !== sum) throw flaw(job, bucket);
      return { letters, marks };
    },
    *saveState(job: string, bucket: number, { letters, marks }: BucketState): Steps<void> {
      yield* run(SAVE_BUCKET_STATE, [job, bucket, letters, marks, checksum(job, bucket, letters, marks)]);
    },
    *planned(job: string, bucket: number): Steps<readonly PlannedRow[]> {
      const rows: PlannedRow[] = [];
      for (const raw of yield* all(PLAN, [job, firstOf(bucket), firstOf(bucket + 1) - 1])) {
        const [first, last, text, sum] = raw as [number, number, string, number];
        const follows = first === firstOf(bucket) + rows.length;
        if (!follows || checksum(job, first, last, text) !== sum) throw flaw(job, bucket);
        for (const line of text.split('\n')) rows.push(JSON.parse(line) as PlannedRow);
      }
      return rows;
    },
    *results(job: string, bucket: number, { marks }: BucketState): Steps<ReadonlyMap<number, RowResult>> {
      const lines = (yield* all(MARKS, [job, bucket])) as readonly (readonly [number, string, number])[];
      const isWhole = lines.every(
        ([sequence, text, sum], i) => sequence === i + 1 && checksum(job, bucket, sequence, text) === sum,
      );
      if (lines.length !== marks || !isWhole) throw flaw(job, bucket);
      return resultsIn(lines.map(([, text]) => text));
    },
    *addPlan(job: string, rows: readonly PlannedRow[]): Steps<void> {
      const [first, last] = [rows[0]?.number ?? 0, rows.at(-1)?.number ?? 0];
      const text = rows.map((row) => JSON.stringify(row)).join('\n');
      yield* run(ADD_PLAN, [job, first, last, text, checksum(job, first, last, text)]);
    },
    *addMarks(job: string, bucket: number, sequence: number, marks: readonly Mark[]): Steps<void> {
      const text = JSON.stringify(marks);
      yield* run(ADD_MARKS, [job, bucket, sequence, text, checksum(job, bucket, sequence, text)]);
    },
  };
}

/** The rows of jobs; `place` names the database in errors. Reading throws as the buckets do. */
export function jobRowsIn(place: string) {
  const buckets = bucketsIn(place);
  return {
    /** Appends rows, which follow the stored ones. */
    *append(job: string, rows: readonly PlannedRow[]): Steps<void> {
      for (const piece of rowsByBucket(rows)) {
        yield* buckets.addPlan(job, piece);
        const first = piece[0]?.number ?? 0;
        const bucket = bucketOf(first);
        const existing = first === firstOf(bucket) ? { letters: '', marks: 0 } : yield* buckets.state(job, bucket);
        yield* buckets.saveState(job, bucket, { ...existing, letters: existing.letters + allPending(piece.length) });
      }
    },
    /** Answers the letters of each changed bucket before and after. */
    *mark(job: string, marks: readonly Mark[]): Steps<readonly Changed[]> {
      const changed: Changed[] = [];
      for (const [bucket, pieces] of marksByBucket(marks)) {
        const { letters: before, marks: count } = yield* buckets.state(job, bucket);
        const after = lettersAfter(before, firstOf(bucket), pieces);
        yield* buckets.addMarks(job, bucket, count + 1, pieces);
        yield* buckets.saveState(job, bucket, { letters: after, marks: count + 1 });
        changed.push({ before, after });
      }
      return changed;
    },
    /** The runs of rows in this state in a bucket. */
    *runs(job: string, bucket: number, state: RowState): Steps<readonly Pick<Mark, 'from' | 'to'>[]> {
      return runsOf((yield* buckets.state(job, bucket)).letters, firstOf(bucket), state);
    },
    /** The planned rows with these numbers. */
    *planned(job: string, numbers: readonly number[]): Steps<readonly PlannedRow[]> {
      const found: PlannedRow[] = [];
      for (const [bucket, some] of byBucket(numbers)) {
        const rows = yield* buckets.planned(job, bucket);
        found.push(...some.flatMap((number) => rows[number - firstOf(bucket)] ?? []));
      }
      return found;
    },
    /** Gives those of the rows that are in one of the states `from` the state `to`. Their results stay. */
    *relabel(job: string, numbers: readonly number[], from: readonly RowState[], to: RowState): Steps<Relabelled[]> {
      const changed: Relabelled[] = [];
      for (const [bucket, some] of byBucket(numbers)) {
        const existing = yield* buckets.state(job, bucket);
        const { letters: before } = existing;
        const rows = some.filter((row) => from.includes(stateOfLetter(before[row - firstOf(bucket)])));
        const marks = rows.map((row): Mark => ({ from: row, to: row, state: to }));
        const after = lettersAfter(before, firstOf(bucket), marks);
        if (rows.length > 0) yield* buckets.saveState(job, bucket, { ...existing, letters: after });
        changed.push({ before, after, rows });
      }
      return changed;
    },
    /** The rows of a bucket that are in one of these states. */
    *page(job: string, bucket: number, states: readonly RowState[] | undefined): Steps<readonly JobRow[]> {
      const now = yield* buckets.state(job, bucket);
      if (!holdsAny(now.letters, states)) return [];
      const rows = yield* buckets.planned(job, bucket);
      if (rows.length !== now.letters.length) throw buckets.flaw(job, bucket);
      const known = yield* buckets.results(job, bucket, now);
      const every = rows.map((row, i) => jobRow(row, stateOfLetter(now.letters[i]), known.get(row.number)));
      return states ? every.filter(({ state }) => states.includes(state)) : every;
    },
  };
}

/** The letters of a bucket. */
export interface Changed {
  readonly before: string;
  readonly after: string;
}

interface Relabelled extends Changed {
  readonly rows: readonly number[];
}

function byBucket(numbers: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const number of numbers) {
    const group = groups.get(bucketOf(number));
    if (group) group.push(number);
    else groups.set(bucketOf(number), [number]);
  }
  return groups;
}

const jobRow = (row: PlannedRow, state: RowState, result: RowResult | undefined): JobRow =>
  result === undefined ? { ...row, state } : { ...row, state, result };

const rowsIn = (bucket: number): string =>
  `what is kept of its rows ${firstOf(bucket)} to ${firstOf(bucket) + BUCKET - 1}`;

function rowsByBucket(rows: readonly PlannedRow[]): readonly (readonly PlannedRow[])[] {
  const pieces: PlannedRow[][] = [];
  for (const row of rows) {
    const piece = pieces.at(-1);
    if (piece?.[0] && bucketOf(piece[0].number) === bucketOf(row.number)) piece.push(row);
    else pieces.push([row]);
  }
  return pieces;
}

/** The marks of each bucket, in their order; a run over several buckets is split. */
function marksByBucket(marks: readonly Mark[]): ReadonlyMap<number, readonly Mark[]> {
  const pieces = new Map<number, Mark[]>();
  for (const mark of marks) {
    for (let bucket = bucketOf(mark.from); bucket <= bucketOf(mark.to); bucket++) {
      const from = Math.max(mark.from, firstOf(bucket));
      const to = Math.min(mark.to, firstOf(bucket + 1) - 1);
      const group = pieces.get(bucket) ?? [];
      group.push({ ...mark, from, to });
      pieces.set(bucket, group);
    }
  }
  return pieces;
}

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

/** The letters of `count` new rows. */
export const allPending = (count: number): string => LETTERS.pending.repeat(count);

/** Throws for an unknown letter, which a text with a right checksum does not have. */
function stateOfLetter(letter: string | undefined): RowState {
  const state = STATES.get(letter ?? '');
  if (!state) throw new Error(`"${letter}" stands for no state`);
  return state;
}

/** Whether any of the rows is in one of these states, or in any where none are given. */
const holdsAny = (letters: string, states: readonly RowState[] | undefined): boolean =>
  !states || states.some((state) => letters.includes(LETTERS[state]));

/** The runs of rows in this state, ends included; `first` is the number of the first row. */
const runsOf = (letters: string, first: number, state: RowState): readonly Pick<Mark, 'from' | 'to'>[] =>
  [...letters.matchAll(new RegExp(`${LETTERS[state]}+`, 'g'))].map(({ 0: run, index }) => ({
    from: first + index,
    to: first + index + run.length - 1,
  }));

/** The letters after these marks, in their order; `first` is the number of the first row. */
function lettersAfter(letters: string, first: number, marks: readonly Mark[]): string {
  let text = letters;
  for (const { from, to, state } of marks) {
    text = text.slice(0, from - first) + LETTERS[state].repeat(to - from + 1) + text.slice(to - first + 1);
  }
  return text;
}

/** The counts of a job after some letters changed from `before` to `after`; states without rows have no entry. */
export function recounted(counts: Counts, before: string, after: string): Counts {
  const sums: Partial<Record<RowState, number>> = { ...counts };
  for (const [text, by] of [[before, -1] as const, [after, 1] as const]) {
    for (const letter of text) sums[stateOfLetter(letter)] = (sums[stateOfLetter(letter)] ?? 0) + by;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, count]) => count !== 0));
}
