// Marks rows of a job. A row of an undo and the row that it takes back change together: one is done, the other undone.
import type { Mark, RowState } from '../../../contract/jobs.ts';
import type { Steps } from '../sql/steps.ts';
import { countsOf, type HeadRow, type Heads } from './job-heads.ts';
import { recounted } from './job-letters.ts';
import type { Changed, JobRows } from './job-rows.ts';

interface MarkTables {
  readonly heads: Heads;
  readonly rows: JobRows;
}

/** Throws `not_found` for an unknown job. */
export function* mark(tables: MarkTables, job: string, marks: readonly Mark[]): Steps<void> {
  const head = yield* withMarks(tables, yield* tables.heads.rowToChange(job), marks);
  yield* tables.heads.update(head);
  if (head.Undoes === null) return;
  const done = marks.filter(({ state }) => state === 'done');
  const rows = done.flatMap(({ from, to }) => numbersFrom(from, to));
  if (rows.length > 0) yield* turn(tables, head, rows, 'undone');
  const ids = done.flatMap(({ from, result }) => (result?.id === undefined ? [] : [[from, result.id] as const]));
  if (ids.length > 0) yield* storeNewIDs(tables, head, new Map(ids));
}

/** The head with the counts after these marks. */
function* withMarks({ rows }: MarkTables, head: HeadRow, marks: readonly Mark[]): Steps<HeadRow> {
  const job = String(head.ID);
  const wrong = marks.find(
    ({ from, to, result }) => from < 1 || to < from || to > Number(head.Total) || (result && from !== to),
  );
  if (wrong) throw new Error(`job ${job} cannot mark its rows ${wrong.from} to ${wrong.to} of ${head.Total}`);
  return recountedHead(head, yield* rows.mark(job, marks));
}

function recountedHead(head: HeadRow, changed: readonly Changed[]): HeadRow {
  const counts = changed.reduce((sum, { before, after }) => recounted(sum, before, after), countsOf(head));
  return { ...head, Counts: JSON.stringify(counts) };
}

/** Rows that are taken back, or done again because their undo is taken back. */
const TURNS = {
  undone: { from: ['done', 'altered'], skipsPending: true, opposite: 'done' },
  done: { from: ['undone'], skipsPending: false, opposite: 'undone' },
} as const satisfies Record<string, { from: readonly RowState[]; skipsPending: boolean; opposite: RowState }>;

/** Carries rows of an undo over to the job that it undoes, and from there on where that is an undo, too. */
function* turn(tables: MarkTables, undo: HeadRow, numbers: readonly number[], to: keyof typeof TURNS): Steps<void> {
  const target = yield* undoneJob(tables, undo);
  if (!target) return;
  const { from, skipsPending, opposite } = TURNS[to];
  const planned = yield* tables.rows.planned(String(undo.ID), numbers);
  const rowsUndone = planned.flatMap(({ undoes }) => undoes ?? []);
  const changed = yield* tables.rows.relabel(String(target.ID), rowsUndone, from, to);
  const head = recountedHead(skipsPending ? yield* withPendingSkipped(tables, target) : target, changed);
  yield* tables.heads.update(head);
  const rows = changed.flatMap((one) => one.rows);
  if (rows.length > 0) yield* turn(tables, head, rows, opposite);
}

/** Undefined where the job is no undo, or the other one is deleted. */
function* undoneJob({ heads }: MarkTables, { Undoes }: HeadRow): Steps<HeadRow | undefined> {
  return Undoes === null ? undefined : yield* heads.findToChange(String(Undoes));
}

/** Pending rows of a job that is undone are skipped, since the undo would not cover them. */
function* withPendingSkipped(tables: MarkTables, head: HeadRow): Steps<HeadRow> {
  if (!countsOf(head).pending) return head;
  const waiting = yield* tables.rows.runs(String(head.ID), Number(head.Total), 'pending');
  return yield* withMarks(
    tables,
    head,
    waiting.map((run): Mark => ({ ...run, state: 'skipped' })),
  );
}

/** IDs of records by the numbers of rows. */
type IDs = ReadonlyMap<number, string>;

/**
 * A record that a job has made gets another ID when an undo of its undo makes it again. The first job gets to know it, and
 * each redo in between.
 */
function* storeNewIDs(tables: MarkTables, redo: HeadRow, ids: IDs): Steps<void> {
  const undo = yield* undoneJob(tables, redo);
  const made = undo && (yield* undoneJob(tables, undo));
  if (!made) return;
  const first = yield* idsOfUndone(tables, undo, yield* idsOfUndone(tables, redo, ids));
  if (first.size === 0) return;
  const outcomes = yield* tables.rows.outcomes(String(made.ID), [...first.keys()]);
  const marks = outcomes.map(({ number, state, result }): Mark => {
    const id = first.get(number);
    return { from: number, to: number, state, result: id === undefined ? { ...result } : { ...result, id } };
  });
  yield* tables.heads.update(yield* withMarks(tables, made, marks));
  yield* storeNewIDs(tables, made, first);
}

/** The same IDs by the rows that those rows take back. */
function* idsOfUndone({ rows }: MarkTables, undo: HeadRow, ids: IDs): Steps<IDs> {
  const planned = yield* rows.planned(String(undo.ID), [...ids.keys()]);
  return new Map(
    planned.flatMap(({ number, undoes }) => {
      const id = ids.get(number);
      return undoes === undefined || id === undefined ? [] : [[undoes, id] as const];
    }),
  );
}

const numbersFrom = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
