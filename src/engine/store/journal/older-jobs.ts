// Jobs of files before version 5 of the database and version 3 of the journal. They stored by which job they were undone, not
// the state of each undone row; and the state of the whole job, which follows from its rows now.
import type Database from 'better-sqlite3';
import type { Bound } from '../sql/steps.ts';
import { answered } from '../sqlite/answered.ts';
import { connectionOn } from '../sqlite/connection.ts';
import { SQLITE } from '../sqlite/dialect.ts';
import { headsIn, type StoredHead, sumOf } from './job-heads.ts';
import { undoWhole } from './job-marks.ts';
import { jobRowsIn } from './job-rows.ts';
import { checksum } from './job-tables.ts';

/** The columns that the checksum of a head covered, in their order. */
const COVERED = [
  ...['ID', 'Kind', 'Profile', 'SiteID', 'Caller', 'Title', 'Created', 'Undoes'],
  ...['State', 'Ended', 'Total', 'Counts', 'UndoneBy', 'Settings', 'LockPid', 'LockHost'],
];
const HAS_BEGUN: readonly Bound[] = ['stopped', 'ended'];

type OlderHead = StoredHead & Readonly<Record<'UndoneBy' | 'Crc', Bound>>;

/** Changes the jobs of an older file, before its tables are changed. Damaged heads stay damaged. */
export function prepareOlderJobs(file: string, database: Database.Database): void {
  const columns = database.prepare("SELECT name FROM pragma_table_info('job')").pluck().all();
  if (!columns.includes('UndoneBy')) return;
  const write = database.prepare('UPDATE job SET State = ?, Crc = ? WHERE ID = ?');
  const whole = database
    .prepare<[], OlderHead>('SELECT * FROM job ORDER BY Sequence')
    .all()
    .filter((head) => checksum(...COVERED.map((name) => head[name as keyof OlderHead])) === head.Crc);
  for (const head of whole) {
    const State = HAS_BEGUN.includes(head.State) ? 'running' : head.State;
    write.run(State, sumOf({ ...head, State }), head.ID);
  }
  const connection = connectionOn(file, database);
  const tables = { heads: headsIn(file, SQLITE), rows: jobRowsIn(file, SQLITE) };
  for (const { ID, Undoes } of whole) {
    if (Undoes === null) continue;
    const undo = answered(connection, tables.heads.row(String(ID)));
    answered(connection, undoWhole(tables, undo));
  }
}
