// A journal of jobs in a file of its own, for services that keep none; many processes may write to it at once.
import type { JobStore } from '../../contract/jobs.ts';
import { type Connection, connect, connectNew, type FileKind } from './connection.ts';
import { createFile } from './create.ts';
import { JOB_TABLES } from './job-tables.ts';
import { type JobTables, jobStoreOn, jobTablesOn } from './jobs.ts';
import { poolOf } from './pool.ts';
import { reading } from './reading.ts';
import { WITNESS_TABLE } from './witness.ts';
import { writeLane } from './write-lane.ts';

/** Tells a journal from a database: "pmjn" in ASCII. */
const JOURNAL: FileKind = { applicationID: 0x706d6a6e, version: 1 };
const TABLES = [...JOB_TABLES, ...WITNESS_TABLE];

export interface Journal extends JobStore {
  /** Waits for what is being written. */
  close(): Promise<void>;
}

/**
 * Opens the journal, and makes it where there is none. What is written at the same time shares one durable commit.
 * `busyMs` is how long to wait for another process, 10 seconds unless told. Throws `storage`, `busy` or `disk_full`.
 */
export async function openJournal(file: string, busyMs?: number): Promise<Journal> {
  const open = (role: 'read' | 'write') => (): Connection => connect(file, role, busyMs, JOURNAL);
  await createFile(file, JOURNAL, async (draft) => connectNew(draft, `${TABLES.join(';\n')};\n`, JOURNAL).close());
  const pool = poolOf(open('read'));
  pool.giveBack(pool.borrow());
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
