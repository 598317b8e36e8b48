// The journal of jobs on SQLite.
import { ServiceError } from '../../../contract/errors.ts';
import type { JobStore, LockOwner, NewJob, PlannedRow } from '../../../contract/jobs.ts';
import type { Connection } from '../sqlite/connection.ts';
import { countsOf, type HeadRow, type Heads, headOf, headsOn, locked, released } from './job-heads.ts';
import { mark } from './job-marks.ts';
import { allPending, type JobRows, jobRowsOn, recounted } from './job-rows.ts';
import { bucketOf } from './job-tables.ts';

/** The journal on one connection. */
export interface JobTables {
  readonly heads: Heads;
  readonly rows: JobRows;
  delete(job: string): void;
}

/** `read` runs its work on one state of the data, `write` in a transaction. */
interface JobAccess {
  read<T>(work: (tables: JobTables) => T): Promise<T>;
  write<T>(work: (tables: JobTables) => T): Promise<T>;
}

const DELETES = ['job_mark', 'job_state', 'job_plan'].map((table) => `DELETE FROM ${table} WHERE JobID = ?`);
const DELETE_HEAD = 'DELETE FROM job WHERE ID = ?';

export const jobTablesOn = (connection: Connection): JobTables => ({
  heads: headsOn(connection),
  rows: jobRowsOn(connection),
  delete(job) {
    for (const sql of [...DELETES, DELETE_HEAD]) connection.run(sql, [job]);
  },
});

/** Reads rows bucket by bucket, each in a read of its own: the job may run meanwhile, and memory stays flat. */
export function jobStoreOn({ read, write }: JobAccess): JobStore {
  const change = (job: string, to: (row: HeadRow) => HeadRow): Promise<void> =>
    write(({ heads }) => heads.update(to(heads.row(job))));
  return {
    begin: (job, owner) => write((tables) => begin(tables, job, owner)),
    plan: (job, rows) => write((tables) => plan(tables, job, rows)),
    seal: (job) => change(job, (row) => ({ ...unsealed(row), State: 'planned' })),
    mark: (job, marks) => write((tables) => mark(tables, job, marks)),
    set: (job, { ended, settings }) =>
      change(job, (row) => ({
        ...row,
        Ended: ended ?? row.Ended,
        Settings: settings === undefined ? row.Settings : JSON.stringify(settings),
      })),
    start: (job, settings) =>
      change(job, (row) => ({ ...row, State: 'running', Ended: null, Settings: JSON.stringify(settings) })),
    async head(job) {
      const row = await read(({ heads }) => heads.find(job));
      return row && headOf(row);
    },
    heads: async (profile, want) => (await read(({ heads }) => heads.list(profile, want))).map(headOf),
    async *rows(job, { states, backwards = false } = {}) {
      const buckets = bucketOf(Number((await read(({ heads }) => heads.row(job))).Total)) + 1;
      for (let i = 0; i < buckets; i++) {
        const bucket = backwards ? buckets - 1 - i : i;
        const page = await read(({ rows }) => rows.page(job, bucket, states));
        yield* backwards ? page.toReversed() : page;
      }
    },
    lock: (job, owner, { takeover = false } = {}) => change(job, (row) => locked(row, owner, takeover)),
    release: (job, owner) => change(job, (row) => released(row, owner)),
    delete: (jobs) =>
      write((tables) => {
        for (const job of jobs) tables.delete(job);
      }),
  };
}

function begin(tables: JobTables, job: NewJob, owner: LockOwner | undefined): void {
  const existing = owner && tables.heads.find(job.id);
  if (existing) deleteUnstarted(tables, locked(existing, owner, false));
  tables.heads.begin(job, owner);
}

/** Deletes a job that never ran, so that it can begin again. Throws `conflict` where it has run. */
function deleteUnstarted(tables: JobTables, { ID, State }: HeadRow): void {
  if (State !== 'planning' && State !== 'planned')
    throw new ServiceError('conflict', `job ${ID} has run already`, {
      next: { do: 'show-job', job: String(ID) },
    });
  tables.delete(String(ID));
}

function plan({ heads, rows: stored }: JobTables, job: string, rows: readonly PlannedRow[]): void {
  const head = unsealed(heads.row(job));
  const total = Number(head.Total);
  const gap = rows.findIndex(({ number }, i) => number !== total + 1 + i);
  if (gap >= 0) throw new Error(`row ${rows[gap]?.number} of job ${job} does not follow row ${total + gap}`);
  stored.append(job, rows);
  const counts = recounted(countsOf(head), '', allPending(rows.length));
  heads.update({ ...head, Total: total + rows.length, Counts: JSON.stringify(counts) });
}

/** Throws `conflict` where the plan is sealed: what was confirmed is what runs. */
function unsealed(row: HeadRow): HeadRow {
  if (row.State === 'planning') return row;
  throw new ServiceError('conflict', `the plan of job ${row.ID} is sealed, so that no row can be added to it`, {
    hint: 'Make a new job for more rows.',
  });
}
