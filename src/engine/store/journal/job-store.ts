// The journal of jobs as SQL: what it promises, by the tables of heads and rows.
import { ServiceError } from '../../../contract/errors.ts';
import type { Durability, JobStore, LockOwner, Mark, NewJob, PlannedRow, RowState } from '../../../contract/jobs.ts';
import { batchedRows } from '../../../text/batches.ts';
import type { Dialect } from '../sql/dialect.ts';
import { run, type Steps } from '../sql/steps.ts';
import { countsOf, type HeadRow, headOf, headsIn, locked, released } from './job-heads.ts';
import { allPending, recounted } from './job-letters.ts';
import { bucketsTo, type Changed, jobRowsIn } from './job-rows.ts';

type JobTables = ReturnType<typeof jobTablesIn>;

/** `read` runs one statement, `write` its work in a transaction; either may run it again. */
interface JobAccess {
  read<T>(work: () => Steps<T>): Promise<T>;
  write<T>(work: () => Steps<T>, durability?: Durability): Promise<T>;
}

const DELETES = ['job_mark', 'job_state', 'job_plan'].map((table) => `DELETE FROM ${table} WHERE JobID = ?`);

/** `place` names the database in errors. */
export function jobTablesIn(place: string, dialect: Dialect) {
  const heads = headsIn(place, dialect);
  return {
    heads,
    rows: jobRowsIn(place, dialect),
    *delete(job: string): Steps<void> {
      for (const sql of DELETES) yield* run(sql, [job]);
      yield* heads.forget(job);
    },
  };
}

/** Buckets of rows that are read together. */
const PAGE = 10;

/** Reads rows page by page, each by a statement of its own: the job may run meanwhile, and memory stays flat. */
export function jobStoreOf(tables: JobTables, { read, write }: JobAccess): JobStore {
  const { heads, rows } = tables;
  const change = (job: string, to: (row: HeadRow) => HeadRow): Promise<void> =>
    write(function* () {
      yield* heads.update(to(yield* heads.rowToChange(job)));
    });
  return {
    begin: (job, owner) => write(() => begin(tables, job, owner)),
    // Rows run when their plan is sealed, not before: till then the machine may lose them.
    plan: (job, planned) => write(() => plan(tables, job, planned), 'lazy'),
    seal: (job) => change(job, (row) => ({ ...unsealed(row), State: 'planned' })),
    mark: (job, marks) => write(() => mark(tables, job, marks)),
    set: (job, { ended, settings }) =>
      change(job, (row) => ({
        ...row,
        Ended: ended ?? row.Ended,
        Settings: settings === undefined ? row.Settings : JSON.stringify(settings),
      })),
    start: (job, settings) =>
      change(job, (row) => ({ ...row, State: 'running', Ended: null, Settings: JSON.stringify(settings) })),
    async head(job) {
      const row = await read(() => heads.find(job));
      return row && headOf(row);
    },
    heads: async (profile, want) => (await read(() => heads.list(profile, want))).map(headOf),
    rows: (job, { states, backwards = false } = {}) =>
      batchedRows(async function* () {
        const buckets = bucketsTo(Number((await read(() => heads.row(job))).Total));
        for (let at = 0; at < buckets.length; at += PAGE) {
          const end = buckets.length - at;
          const some = backwards ? buckets.slice(Math.max(end - PAGE, 0), end) : buckets.slice(at, at + PAGE);
          const page = await read(() => rows.page(job, some, states));
          yield backwards ? page.toReversed() : page;
        }
      }),
    lock: (job, owner, { takeover = false } = {}) => change(job, (row) => locked(row, owner, takeover)),
    release: (job, owner) => change(job, (row) => released(row, owner)),
    delete: (jobs) =>
      write(function* () {
        for (const job of jobs) yield* tables.delete(job);
      }),
  };
}

function* begin(tables: JobTables, job: NewJob, owner: LockOwner | undefined): Steps<void> {
  const existing = owner && (yield* tables.heads.findToChange(job.id));
  if (existing) yield* deleteUnstarted(tables, locked(existing, owner, false));
  yield* tables.heads.begin(job, owner);
}

/** Deletes a job that never ran, so that it can begin again. Throws `conflict` where it has run. */
function* deleteUnstarted(tables: JobTables, { ID, State }: HeadRow): Steps<void> {
  if (State !== 'planning' && State !== 'planned')
    throw new ServiceError('conflict', `job ${ID} has run already`, {
      next: { do: 'show-job', job: String(ID) },
    });
  yield* tables.delete(String(ID));
}

function* plan({ heads, rows: stored }: JobTables, job: string, rows: readonly PlannedRow[]): Steps<void> {
  const head = unsealed(yield* heads.rowToChange(job));
  const total = Number(head.Total);
  const gap = rows.findIndex(({ number }, i) => number !== total + 1 + i);
  if (gap >= 0) throw new Error(`row ${rows[gap]?.number} of job ${job} does not follow row ${total + gap}`);
  yield* stored.append(job, rows);
  const counts = recounted(countsOf(head), '', allPending(rows.length));
  yield* heads.update({ ...head, Total: total + rows.length, Counts: JSON.stringify(counts) });
}

/** Throws `conflict` if the plan is sealed: only confirmed rows run. */
function unsealed(row: HeadRow): HeadRow {
  if (row.State === 'planning') return row;
  throw new ServiceError('conflict', `the plan of job ${row.ID} is complete, so no row can be added to it`, {
    hint: 'Make a new job for more rows.',
  });
}

/**
 * A row of an undo and the row that it takes back change together: one is done, the other undone. Throws `not_found` for an
 * unknown job.
 */
function* mark(tables: JobTables, job: string, marks: readonly Mark[]): Steps<void> {
  const head = yield* withMarks(tables, yield* tables.heads.rowToChange(job), marks);
  yield* tables.heads.update(head);
  if (head.Undoes === null) return;
  const done = marks.filter(({ state }) => state === 'done');
  const rows = done.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
  if (rows.length > 0) yield* turn(tables, head, rows, 'undone');
  const ids = done.flatMap(({ from, result }) => (result?.id === undefined ? [] : [[from, result.id] as const]));
  if (ids.length > 0) yield* storeNewIDs(tables, head, new Map(ids));
}

function* withMarks({ rows }: JobTables, head: HeadRow, marks: readonly Mark[]): Steps<HeadRow> {
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
function* turn(tables: JobTables, undo: HeadRow, numbers: readonly number[], to: keyof typeof TURNS): Steps<void> {
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

/** Undefined if the job is no undo, or the other one is deleted. */
function* undoneJob({ heads }: JobTables, { Undoes }: HeadRow): Steps<HeadRow | undefined> {
  return Undoes === null ? undefined : yield* heads.findToChange(String(Undoes));
}

/** Pending rows of a job that is undone are skipped, since the undo would not cover them. */
function* withPendingSkipped(tables: JobTables, head: HeadRow): Steps<HeadRow> {
  if (!countsOf(head).pending) return head;
  const waiting = yield* tables.rows.runs(String(head.ID), Number(head.Total), 'pending');
  return yield* withMarks(
    tables,
    head,
    waiting.map((run): Mark => ({ ...run, state: 'skipped' })),
  );
}

type IDs = ReadonlyMap<number, string>;

/**
 * A record that a job has made gets another ID when an undo of its undo makes it again. The first job gets to know it, and
 * each redo in between.
 */
function* storeNewIDs(tables: JobTables, redo: HeadRow, ids: IDs): Steps<void> {
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
function* idsOfUndone({ rows }: JobTables, undo: HeadRow, ids: IDs): Steps<IDs> {
  const planned = yield* rows.planned(String(undo.ID), [...ids.keys()]);
  return new Map(
    planned.flatMap(({ number, undoes }) => {
      const id = ids.get(number);
      return undoes === undefined || id === undefined ? [] : [[undoes, id] as const];
    }),
  );
}
