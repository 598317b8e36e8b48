// The journal of jobs as SQL: what it promises, by the tables of heads and rows.
import { ServiceError } from '../../../contract/errors.ts';
import type { JobStore, LockOwner, NewJob, PlannedRow } from '../../../contract/jobs.ts';
import { batchedRows } from '../../../text/batches.ts';
import type { Dialect } from '../sql/dialect.ts';
import { run, type Steps } from '../sql/steps.ts';
import { countsOf, type HeadRow, type Heads, headOf, headsIn, locked, released } from './job-heads.ts';
import { allPending, recounted } from './job-letters.ts';
import { mark } from './job-marks.ts';
import { bucketsTo, type JobRows, jobRowsIn } from './job-rows.ts';

/** The tables of the journal. */
export interface JobTables {
  readonly heads: Heads;
  readonly rows: JobRows;
  delete(job: string): Steps<void>;
}

/** `read` runs one statement, `write` its work in a transaction; either may run it again. */
interface JobAccess {
  read<T>(work: () => Steps<T>): Promise<T>;
  write<T>(work: () => Steps<T>): Promise<T>;
}

const DELETES = ['job_mark', 'job_state', 'job_plan'].map((table) => `DELETE FROM ${table} WHERE JobID = ?`);
const DELETE_HEAD = 'DELETE FROM job WHERE ID = ?';

/** `place` names the database in errors. */
export const jobTablesIn = (place: string, dialect: Dialect): JobTables => ({
  heads: headsIn(place, dialect),
  rows: jobRowsIn(place, dialect),
  *delete(job) {
    for (const sql of [...DELETES, DELETE_HEAD]) yield* run(sql, [job]);
  },
});

/** Buckets of rows that are read together. */
const PAGE = 10;

/** Reads rows page by page, each by a statement of its own: the job may run meanwhile, and memory stays flat. */
export function jobStoreOf(tables: JobTables, { read, write }: JobAccess): JobStore {
  const { heads, rows } = tables;
  const change = (job: string, to: (row: HeadRow) => HeadRow): Promise<void> =>
    write(() => changeHead(tables, job, to));
  return {
    begin: (job, owner) => write(() => begin(tables, job, owner)),
    plan: (job, planned) => write(() => plan(tables, job, planned)),
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
    delete: (jobs) => write(() => deleteAll(tables, jobs)),
  };
}

function* changeHead({ heads }: JobTables, job: string, to: (row: HeadRow) => HeadRow): Steps<void> {
  yield* heads.update(to(yield* heads.rowToChange(job)));
}

function* deleteAll(tables: JobTables, jobs: readonly string[]): Steps<void> {
  for (const job of jobs) yield* tables.delete(job);
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

/** Throws `conflict` where the plan is sealed: what was confirmed is what runs. */
function unsealed(row: HeadRow): HeadRow {
  if (row.State === 'planning') return row;
  throw new ServiceError('conflict', `the plan of job ${row.ID} is sealed, so that no row can be added to it`, {
    hint: 'Make a new job for more rows.',
  });
}
