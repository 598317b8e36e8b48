// A bit that flips on the disk is found when the journal is read: whatever column of whatever table it is in.
import { copyFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JobStore } from '../../src/contract/jobs.ts';
import { JOB_TABLES } from '../../src/engine/store/journal/job-tables.ts';
import { openJournal } from '../../src/engine/store/journal/journal.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { refuses } from '../support/refuses.ts';
import { collected, JOB, journalAt, journalFile, newJob, ready } from './job-fixture.ts';

const TABLES = ['job', 'job_plan', 'job_state', 'job_mark'] as const;
/** What says nothing of a job: its place in the list. */
const HARMLESS = ['job.Sequence'];

/** A journal that holds a job in every way, and a copy of it with one change of its bytes. */
async function journal(): Promise<string> {
  const file = journalFile();
  const jobs = await openJournal(file);
  await ready(jobs, 450);
  await jobs.mark(JOB, [{ from: 1, to: 430, state: 'done' }]);
  await jobs.mark(JOB, [{ from: 3, to: 3, state: 'failed', result: { id: '3' } }]);
  await jobs.set(JOB, { ended: 'then', settings: { a: 1 } });
  await jobs.lock(JOB, { pid: process.pid, host: 'desk' });
  await jobs.close();
  return file;
}

function changed(file: string, sql: string): string {
  const copy = journalFile();
  copyFileSync(file, copy);
  const database = openDatabase(copy);
  database.function('flip', (value) => flipped(value));
  expect(database.prepare(sql).run().changes).toBe(1);
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  database.close();
  return copy;
}

/** One bit of a value, as a disk would flip it. */
function flipped(value: unknown): unknown {
  if (typeof value === 'number') return value ^ 4;
  if (value === null) return 'x';
  const text = String(value);
  const at = Math.floor(text.length / 2);
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
}

const columns = (table: string): readonly string[] => {
  const database = openDatabase(':memory:');
  for (const sql of JOB_TABLES) database.exec(sql);
  const names = database.prepare(`SELECT name FROM pragma_table_info(?)`).pluck().all(table);
  database.close();
  return names as string[];
};

const readAll = async (jobs: JobStore): Promise<unknown> => [await jobs.heads(), await collected(jobs.rows(JOB))];

describe.each(TABLES)('one flipped bit in %s', (table) => {
  it.each(columns(table).filter((column) => !HARMLESS.includes(`${table}.${column}`)))(
    'is found in %s',
    async (column) => {
      const file = await journal();
      const one = `rowid = (SELECT min(rowid) FROM ${table})`;
      const where = table === 'job_state' ? 'Bucket = 0' : one;
      const copy = changed(file, `UPDATE ${table} SET ${column} = flip(${column}) WHERE ${where}`);
      await refuses(readAll(await journalAt(copy))).with('storage', /journal of job .* is damaged/, 'pm jobs prune');
      expect(await readAll(await journalAt(file))).toHaveLength(2);
    },
  );
});

it.each(TABLES.slice(1))('a line that is lost from %s is missed', async (table) => {
  const where = table === 'job_state' ? 'Bucket = 1' : `rowid = (SELECT max(rowid) FROM ${table})`;
  const copy = changed(await journal(), `DELETE FROM ${table} WHERE ${where}`);
  await refuses(collected((await journalAt(copy)).rows(JOB))).with('storage', JOB, /its rows \d+ to \d+/);
});

it('leaves the other jobs as they are, and the damaged one can be forgotten', async () => {
  const file = await journal();
  const whole = 'b0000000-0000-4000-8000-000000000002';
  const jobs = await openJournal(file);
  await jobs.begin(newJob(whole));
  await jobs.close();
  const damaged = await journalAt(changed(file, `UPDATE job SET Title = 'y' WHERE ID = '${JOB}'`));
  expect(await damaged.head(whole)).toMatchObject({ id: whole });
  await refuses(damaged.heads()).with('storage', JOB, 'its head');
  await damaged.delete([JOB]);
  expect((await damaged.heads()).map(({ id }) => id)).toEqual([whole]);
});
