// The journal of jobs: what was planned, in its order, and what became of each row.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJournal } from '../../src/engine/store/journal/journal.ts';
import { refuses } from '../support/refuses.ts';
import {
  collected,
  JOB,
  journalAt,
  journalFile,
  KEPT,
  newJob,
  numbersOf,
  planned,
  ready,
  rowsOf,
} from './job-fixture.ts';
import { newFile, opened } from './store-fixture.ts';

const OTHER = 'b0000000-0000-4000-8000-000000000002';

describe.each(KEPT)('a job in %s', (_, kept) => {
  it('is being planned until its plan is sealed, and takes no row after that', async () => {
    const jobs = await kept();
    await jobs.begin(newJob());
    expect(await jobs.head(JOB)).toEqual({ ...newJob(), state: 'planning', total: 0, counts: {} });
    await jobs.plan(JOB, rowsOf(1, 150));
    await jobs.plan(JOB, rowsOf(151, 450));
    expect(await jobs.head(JOB)).toMatchObject({ state: 'planning', total: 450, counts: { pending: 450 } });
    await jobs.seal(JOB);
    expect(await jobs.head(JOB)).toMatchObject({ state: 'planned', total: 450 });
    await refuses(jobs.plan(JOB, rowsOf(451, 452))).with('conflict', JOB, 'is complete');
    await refuses(jobs.seal(JOB)).with('conflict', 'is complete');
    expect(await collected(jobs.rows(JOB))).toEqual(rowsOf(1, 450).map((row) => ({ ...row, state: 'pending' })));
  });

  it('takes no row that leaves a gap', async () => {
    const jobs = await kept();
    await jobs.begin(newJob());
    await jobs.plan(JOB, rowsOf(1, 2));
    await expect(jobs.plan(JOB, [planned(4)])).rejects.toThrow('does not follow');
    await expect(jobs.plan(JOB, [planned(3), planned(3)])).rejects.toThrow('does not follow');
    expect(await numbersOf(jobs.rows(JOB))).toEqual([1, 2]);
  });

  it('shows each row in the state of its last mark, with the result of that mark', async () => {
    const jobs = await kept();
    await ready(jobs, 450);
    await jobs.mark(JOB, [{ from: 1, to: 420, state: 'intent' }]);
    await jobs.mark(JOB, [
      { from: 1, to: 1, state: 'failed', result: { error: { code: 'invalid', message: 'Name is required' } } },
      { from: 2, to: 410, state: 'done' },
      { from: 205, to: 205, state: 'done', result: { id: '7', before: { Name: 'Before', Rank: null } } },
    ]);
    await jobs.mark(JOB, [{ from: 1, to: 1, state: 'done' }]);
    const rows = await collected(jobs.rows(JOB));
    expect(rows[0]).toEqual({ ...planned(1), state: 'done' });
    expect(rows[204]).toEqual({
      ...planned(205),
      state: 'done',
      result: { id: '7', before: { Name: 'Before', Rank: null } },
    });
    expect(rows.map(({ state }) => state)).toEqual([
      ...Array<string>(410).fill('done'),
      ...Array<string>(10).fill('intent'),
      ...Array<string>(30).fill('pending'),
    ]);
    expect((await jobs.head(JOB))?.counts).toEqual({ done: 410, intent: 10, pending: 30 });
  });

  it('is read backwards, and for some states alone', async () => {
    const jobs = await kept();
    await ready(jobs, 450);
    await jobs.mark(JOB, [
      { from: 199, to: 202, state: 'done' },
      { from: 450, to: 450, state: 'drifted' },
    ]);
    expect(await numbersOf(jobs.rows(JOB, { backwards: true }))).toEqual(rowsOf(1, 450).map((r) => 451 - r.number));
    const states = ['done', 'drifted'] as const;
    expect(await numbersOf(jobs.rows(JOB, { states }))).toEqual([199, 200, 201, 202, 450]);
    expect(await numbersOf(jobs.rows(JOB, { states, backwards: true }))).toEqual([450, 202, 201, 200, 199]);
    expect(await numbersOf(jobs.rows(JOB, { states: ['failed'] }))).toEqual([]);
  });

  it('goes on being read while it runs', async () => {
    const jobs = await kept();
    await ready(jobs, 500);
    for await (const { number } of jobs.rows(JOB, { states: ['pending'] })) {
      if (number % 100 === 0) await jobs.mark(JOB, [{ from: number - 99, to: number, state: 'done' }]);
    }
    expect((await jobs.head(JOB))?.counts).toEqual({ done: 500 });
  });

  it('takes no mark of rows that it has not', async () => {
    const jobs = await kept();
    await ready(jobs, 3);
    for (const [from, to] of [
      [0, 1],
      [2, 1],
      [3, 4],
    ] as const) {
      await expect(jobs.mark(JOB, [{ from, to, state: 'done' }])).rejects.toThrow('cannot mark');
    }
    await expect(jobs.mark(JOB, [{ from: 1, to: 2, state: 'done', result: {} }])).rejects.toThrow('cannot mark');
    expect((await jobs.head(JOB))?.counts).toEqual({ pending: 3 });
  });

  it('keeps what is set, and what is not set as it was', async () => {
    const jobs = await kept();
    await jobs.begin(newJob(JOB, { undoes: OTHER }));
    await jobs.start(JOB, { onError: 'go on' });
    await jobs.set(JOB, { ended: '2026-05-14T10:00:00Z' });
    await jobs.set(JOB, { settings: { concurrency: 8 } });
    expect(await jobs.head(JOB)).toEqual({
      ...newJob(JOB, { undoes: OTHER }),
      state: 'ended',
      ended: '2026-05-14T10:00:00Z',
      settings: { concurrency: 8 },
      total: 0,
      counts: {},
    });
  });

  it('is listed with the newest first, whatever the clock said, and by its profile', async () => {
    const jobs = await kept();
    await jobs.begin(newJob(JOB, { created: '2030-01-01T00:00:00Z' }));
    await jobs.begin(newJob(OTHER, { profile: 'beta', created: '2020-01-01T00:00:00Z' }));
    expect((await jobs.heads()).map(({ id }) => id)).toEqual([OTHER, JOB]);
    expect((await jobs.heads('acme')).map(({ id }) => id)).toEqual([JOB]);
  });

  it('is forgotten with all its rows, and with no other', async () => {
    const jobs = await kept();
    await ready(jobs, 250);
    await ready(jobs, 2, OTHER);
    await jobs.mark(JOB, [{ from: 1, to: 250, state: 'done' }]);
    await jobs.delete([JOB]);
    expect(await jobs.head(JOB)).toBeUndefined();
    await refuses(collected(jobs.rows(JOB))).with('not_found', JOB, 'pm jobs list');
    await refuses(jobs.mark(JOB, [{ from: 1, to: 1, state: 'done' }])).with('not_found', JOB);
    expect(await numbersOf(jobs.rows(OTHER))).toEqual([1, 2]);
    await ready(jobs, 1);
    expect(await collected(jobs.rows(JOB))).toEqual([{ ...planned(1), state: 'pending' }]);
  });
});

describe('a job inside a transaction of the engine', () => {
  it('is kept with the transaction, or not at all', async () => {
    const store = await opened(await newFile());
    await ready(store.jobs, 3);
    const refused = store.transaction(async ({ jobs }) => {
      await jobs.mark(JOB, [{ from: 1, to: 3, state: 'done' }]);
      expect(await numbersOf(jobs.rows(JOB, { states: ['done'] }))).toEqual([1, 2, 3]);
      expect(await numbersOf(store.jobs.rows(JOB, { states: ['done'] }))).toEqual([]);
      throw new Error('thought better of it');
    });
    await expect(refused).rejects.toThrow('thought better of it');
    expect((await store.jobs.head(JOB))?.counts).toEqual({ pending: 3 });
    await store.transaction(({ jobs }) => jobs.mark(JOB, [{ from: 1, to: 3, state: 'done' }]));
    expect((await store.jobs.head(JOB))?.counts).toEqual({ done: 3 });
  });
});

describe('the journal of a remote service', () => {
  it('is made private and whole, once, whoever comes first', async () => {
    const file = journalFile();
    const journals = await Promise.all([1, 2, 3].map(() => journalAt(file)));
    for (const [i, journal] of journals.entries()) await journal.begin(newJob(`job ${i}`));
    expect(await journals[0]?.heads()).toHaveLength(3);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('is there after it was closed', async () => {
    const file = journalFile();
    const first = await openJournal(file);
    await ready(first, 3);
    const marked = first.mark(JOB, [{ from: 1, to: 2, state: 'unknown' }]);
    await first.close();
    await marked;
    expect(existsSync(`${file}-wal`)).toBe(false);
    expect(await numbersOf((await journalAt(file)).rows(JOB, { states: ['unknown'] }))).toEqual([1, 2]);
  });

  it('is not taken for the database of a site, nor that for a journal', async () => {
    const file = journalFile();
    await (await openJournal(file)).close();
    await refuses(opened(file)).with('storage', 'not one of ours');
    await refuses(openJournal(await newFile())).with('storage', 'not one of ours');
  });
});
