// The tables of the journal of jobs. The rows of a job are stored in buckets, each with a checksum.
import { crc32 } from 'node:zlib';
import { ServiceError } from '../../../contract/errors.ts';
import type { Bound } from '../sql/steps.ts';

/** The rows of a bucket. Rows count from 1, buckets from 0. */
export const BUCKET = 200;
export const bucketOf = (row: number): number => Math.floor((row - 1) / BUCKET);
export const firstOf = (bucket: number): number => bucket * BUCKET + 1;

/**
 * `job_plan` has the planned rows, one JSON text per line. `job_state` has the state of each row of a bucket, one letter
 * per row, and the number of lines of marks; `job_mark` has the marks, and is only appended to.
 */
export const JOB_TABLES = [
  `CREATE TABLE job (
  Sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  ID TEXT NOT NULL UNIQUE,
  Kind TEXT NOT NULL,
  State TEXT NOT NULL,
  Profile TEXT NOT NULL,
  SiteID TEXT NOT NULL,
  Caller TEXT NOT NULL,
  Title TEXT NOT NULL,
  Created TEXT NOT NULL,
  Ended TEXT,
  Total INTEGER NOT NULL,
  Counts TEXT NOT NULL,
  Undoes TEXT,
  Settings TEXT NOT NULL,
  LockPid INTEGER,
  LockHost TEXT,
  Crc INTEGER NOT NULL
) STRICT`,
  'CREATE INDEX job_by_Profile ON job (Profile, Sequence)',
  'CREATE INDEX job_by_Undoes ON job (Undoes, Sequence)',
  `CREATE TABLE job_plan (
  JobID TEXT NOT NULL,
  First INTEGER NOT NULL,
  Last INTEGER NOT NULL,
  Rows TEXT NOT NULL,
  Crc INTEGER NOT NULL,
  PRIMARY KEY (JobID, First)
) STRICT`,
  `CREATE TABLE job_state (
  JobID TEXT NOT NULL,
  Bucket INTEGER NOT NULL,
  States TEXT NOT NULL,
  Marks INTEGER NOT NULL,
  Crc INTEGER NOT NULL,
  PRIMARY KEY (JobID, Bucket)
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE job_mark (
  JobID TEXT NOT NULL,
  Bucket INTEGER NOT NULL,
  Sequence INTEGER NOT NULL,
  Marks TEXT NOT NULL,
  Crc INTEGER NOT NULL,
  PRIMARY KEY (JobID, Bucket, Sequence)
) STRICT`,
];

/** A line of the journal has a wrong checksum. `where` says which one: "row 7", "its head". */
export const damaged = (place: string, job: string, where: string): ServiceError =>
  new ServiceError('storage', `The journal of job ${job} in ${place} is damaged: ${where} is not what was written`, {
    hint: 'The records themselves are not damaged. Copy the file, then put a backup in its place.',
    next: { do: 'prune-job', job },
  });

/** The CRC-32 of these values. Each is preceded by its type and length, so that no text can move between two of them. */
export function checksum(...values: readonly Bound[]): number {
  let sum = 0;
  for (const value of values) {
    const text = String(value);
    sum = crc32(text, crc32(`${typeof value}${text.length}:`, sum));
  }
  return sum;
}
