// A journal of jobs in a file of its own, for services that keep none; many processes may write to it at once.
import type { JobStore } from '../../../contract/jobs.ts';
import { plainLayout } from '../schema/ddl.ts';
import { JOURNAL } from '../schema/versions.ts';
import { WITNESS_TABLE } from '../sqlite/commit-marker.ts';
import { type Connection, connect, connectNew, PATIENCE } from '../sqlite/connection.ts';
import { createFile } from '../sqlite/create.ts';
import { VERSION_TABLE } from '../sqlite/file-version.ts';
import { migrate, openFirst } from '../sqlite/migrate.ts';
import { poolOf, reading } from '../sqlite/snapshots.ts';
import { writeLane } from '../sqlite/writer.ts';
import { type JobTables, jobStoreOn, jobTablesOn } from './job-store.ts';
import { JOB_TABLES } from './job-tables.ts';

/** What makes its tables and indexes, one statement each. */
export const JOURNAL_TABLES = [...JOB_TABLES, ...WITNESS_TABLE, ...VERSION_TABLE];

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
  openFirst(pool, () => migrate(file, JOURNAL, plainLayout(JOURNAL_TABLES), busyMs ?? PATIENCE));
  const lane = writeLane<JobTables>(open('write'), jobTablesOn);
  return {
    ...jobStoreOn({
      read: async (work) => reading(pool, (connection) => work(jobTablesOn(connection))),
      write: (work) => lane.add(async (tables) => work(tables)),
    }),
    async close() {
      await lane.idle();
      pool.close();
      lane.close();
    },
  };
}
