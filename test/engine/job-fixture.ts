// Jobs in a journal of their own or in the database of a site, and programs that write to them.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { JobRow, JobStore, NewJob, PlannedRow } from '../../src/contract/jobs.ts';
import { type Journal, openJournal } from '../../src/engine/store/journal/journal.ts';
import { folder, newFile, opened } from './store-fixture.ts';

export const JOB = 'b0000000-0000-4000-8000-000000000001';

export const newJob = (id = JOB, more: Partial<NewJob> = {}): NewJob => ({
  id,
  kind: 'import',
  profile: 'acme',
  site: 'a-site',
  caller: 'ada',
  title: 'individuals import q4.csv',
  created: '2026-05-14T09:30:00.000+00:00',
  settings: { onError: 'go on' },
  ...more,
});

export const planned = (number: number): PlannedRow => ({
  number,
  line: number + 1,
  resource: 'accountability',
  operation: 'create',
  id: `id ${number}`,
  body: { Name: `Row ${number}`, Rank: number },
});

/** The rows `from` to `to` of a plan. */
export const rowsOf = (from: number, to: number): PlannedRow[] =>
  Array.from({ length: to - from + 1 }, (_, i) => planned(from + i));

/** A sealed job of so many rows. */
export async function ready(jobs: JobStore, total: number, id = JOB): Promise<void> {
  await jobs.begin(newJob(id));
  await jobs.plan(id, rowsOf(1, total));
  await jobs.seal(id);
}

export const collected = async (rows: AsyncIterable<JobRow>): Promise<JobRow[]> => {
  const all: JobRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
};

/** The numbers of rows. */
export const numbersOf = async (rows: AsyncIterable<JobRow>): Promise<number[]> =>
  (await collected(rows)).map(({ number }) => number);

export const journalFile = (): string => join(folder(), 'journal.db');

export async function journalAt(file: string, busyMs?: number): Promise<Journal> {
  const journal = await openJournal(file, busyMs);
  onTestFinished(() => journal.close());
  return journal;
}

/** Where jobs are kept: the same promises hold in both. */
export const KEPT: readonly (readonly [string, () => Promise<JobStore>])[] = [
  ['the journal of a remote service', () => journalAt(journalFile())],
  ['the database of a site', async () => (await opened(await newFile())).jobs],
];

/** Runs a program to its end; it is killed as soon as it prints a line that says `kill me`. */
export function run(script: string, ...args: readonly string[]): Promise<{ end: number | string | null; err: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [script, ...args]);
    let err = '';
    child.stdout.on('data', (text) => {
      if (String(text).includes('kill me')) child.kill('SIGKILL');
    });
    child.stderr.on('data', (text) => {
      err += text;
    });
    child.on('close', (code, signal) => done({ end: code ?? signal, err }));
  });
}
