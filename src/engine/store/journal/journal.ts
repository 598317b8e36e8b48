// A journal of jobs in a file of its own, for services that keep none; many processes may write to it at once.
import type { JobStore } from '../../../contract/jobs.ts';
import { plainLayout } from '../schema/ddl.ts';
import { JOURNAL } from '../schema/versions.ts';
import { COMMIT_MARKER_TABLE } from '../sqlite/commit-marker.ts';
import { BUSY_TIMEOUT_MS, type Connection, connect, connectNew } from '../sqlite/connection.ts';
import { createFile } from '../sqlite/create.ts';
import { VERSION_TABLE } from '../sqlite/file-version.ts';
import { migrate, openOrMigrate } from '../sqlite/migrate.ts';
import { inReadTransaction, poolOf } from '../sqlite/snapshots.ts';
import { writeConnection } from '../sqlite/writer.ts';
import { type JobTables, jobStoreOn, jobTablesOn } from './job-store.ts';
import { JOB_TABLES } from './job-tables.ts';

/** What makes its tables and indexes, one statement each. */
export const JOURNAL_TABLES = [...JOB_TABLES, ...COMMIT_MARKER_TABLE, ...VERSION_TABLE];

export interface Journal extends JobStore {
  /** Waits for what is being written. */
  close(): Promise<void>;
}

/**
 * Opens the journal, makes it where there is none, and brings an older one up to date. What is written at the same time shares one durable commit.
 * `busyMs` is how long to wait for another process, 10 seconds unless told. Throws `storage`, `busy` or `disk_full`.
 */
export async function openJournal(file: string, busyMs?: number): Promise<Journal> {
  const open = (role: 'read' | 'write') => (): Connection => connect(file, role, busyMs, JOURNAL);
  await createFile(file, JOURNAL, async (draft) =>
    connectNew(draft, `${JOURNAL_TABLES.join(';\n')};\n`, JOURNAL).close(),
  );
  const pool = poolOf(open('read'));
  openOrMigrate(pool, () => migrate(file, JOURNAL, plainLayout(JOURNAL_TABLES), busyMs ?? BUSY_TIMEOUT_MS));
  const lane = writeConnection<JobTables>(open('write'), jobTablesOn);
  return {
    ...jobStoreOn({
      read: async (work) => inReadTransaction(pool, (connection) => work(jobTablesOn(connection))),
      write: (work) => lane.add(async (tables) => work(tables)),
    }),
    async close() {
      await lane.idle();
      pool.close();
      lane.close();
    },
  };
}
