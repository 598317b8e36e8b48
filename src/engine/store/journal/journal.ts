// A journal of jobs in a file of its own, for remote services; several processes may write to it.
import type { JobStore } from '../../../contract/jobs.ts';
import { plainLayout } from '../schema/ddl.ts';
import { JOURNAL, type OnUpgraded } from '../schema/versions.ts';
import { answered } from '../sqlite/answered.ts';
import { COMMIT_MARKER_TABLE } from '../sqlite/commit-marker.ts';
import { BUSY_TIMEOUT_MS, type Connection, connect, connectNew } from '../sqlite/connection.ts';
import { SQLITE } from '../sqlite/dialect.ts';
import { sweepDrafts } from '../sqlite/file/beside.ts';
import { createFile } from '../sqlite/file/create.ts';
import { migrate } from '../sqlite/file/migrate.ts';
import { connectOrMigrate, VERSION_TABLE } from '../sqlite/file/version.ts';
import { watchFile } from '../sqlite/file/watch.ts';
import { pooled, poolOf } from '../sqlite/snapshots.ts';
import { writeConnection } from '../sqlite/writer.ts';
import { jobStoreOf, jobTablesIn } from './job-store.ts';
import { JOB_TABLES } from './job-tables.ts';

/** The SQL of its tables and indexes. */
export const JOURNAL_TABLES = [...JOB_TABLES, ...COMMIT_MARKER_TABLE, ...VERSION_TABLE];

export interface Journal extends JobStore {
  /** Waits for pending writes. */
  close(): Promise<void>;
}

/**
 * Opens the journal, creates a missing one, and migrates an older one. Concurrent writes share one durable commit.
 * `busyMs` is how long to wait for another process, 10 seconds by default. Throws `storage`, `busy` or `disk_full`.
 */
export async function openJournal(file: string, busyMs = BUSY_TIMEOUT_MS, onUpgraded?: OnUpgraded): Promise<Journal> {
  sweepDrafts(file);
  const open = (role: 'read' | 'write') => (): Connection => connect(file, role, busyMs, JOURNAL);
  await createFile(file, JOURNAL, async (draft) =>
    connectNew(draft, `${JOURNAL_TABLES.join(';\n')};\n`, JOURNAL).close(),
  );
  const migrateFile = (): void => migrate(file, JOURNAL, plainLayout(JOURNAL_TABLES), busyMs, onUpgraded);
  const watch = watchFile(file);
  const pool = poolOf(watch, () => connectOrMigrate(open('read'), migrateFile));
  const writing = writeConnection(watch, open('write'));
  return {
    ...jobStoreOf(jobTablesIn(file, SQLITE), {
      read: async (work) => answered(pooled(pool), work()),
      write: (work) => writing.add(async (connection) => answered(connection, work())),
    }),
    async close() {
      await writing.idle();
      pool.close();
      await writing.close();
    },
  };
}
