// A row of an undo and the row that it takes back change in one commit, also where the undo is taken back in turn.
import { describe, expect, it } from 'vitest';
import type { JobStore, PlannedRow } from '../../src/contract/jobs.ts';
import { collected, JOB, KEPT, newJob, ready, rowsOf } from './job-fixture.ts';

const UNDO = 'b0000000-0000-4000-8000-000000000002';
const REDO = 'b0000000-0000-4000-8000-000000000003';

/** Rows that take back these rows of another job. */
const taking = (numbers: readonly number[]): PlannedRow[] =>
  rowsOf(1, numbers.length).map((row, i) => ({ ...row, undoes: numbers[i] ?? 0 }));

const plan = async (jobs: JobStore, id: string, undoes: string, rows: readonly PlannedRow[]): Promise<void> => {
  await jobs.begin(newJob(id, { kind: 'undo', undoes }));
  await jobs.plan(id, rows);
  await jobs.start(id, {});
};

const counts = async (jobs: JobStore, id: string) => (await jobs.head(id))?.counts;

describe.each(KEPT)('a job in %s', (_, kept) => {
  /** A job of 450 rows, of which some are done, and an undo of the rows 250, 249 and 2. */
  async function halfDone() {
    const jobs = await kept();
    await ready(jobs, 450);
    await jobs.start(JOB, {});
    await jobs.mark(JOB, [
      { from: 1, to: 150, state: 'done' },
      { from: 210, to: 250, state: 'done' },
      { from: 300, to: 300, state: 'failed' },
      { from: 249, to: 249, state: 'altered', result: { id: 'other' } },
    ]);
    await plan(jobs, UNDO, JOB, taking([250, 249, 2]));
    return jobs;
  }

  it('stays as it was until a row of its undo is done', async () => {
    const jobs = await halfDone();
    await jobs.mark(UNDO, [{ from: 1, to: 2, state: 'intent' }]);
    await jobs.mark(UNDO, [{ from: 1, to: 2, state: 'drifted' }]);
    expect(await jobs.head(JOB)).not.toHaveProperty('undoneBy');
    expect(await counts(jobs, JOB)).toEqual({ done: 190, altered: 1, failed: 1, pending: 258 });
  });

  it('is undone row by row, and none of its rows waits any more', async () => {
    const jobs = await halfDone();
    await jobs.mark(UNDO, [{ from: 1, to: 2, state: 'done' }]);
    expect(await jobs.head(JOB)).toMatchObject({
      ...{ state: 'ended', undoneBy: UNDO },
      counts: { done: 189, undone: 2, failed: 1, skipped: 258 },
    });
    const rows = await collected(jobs.rows(JOB));
    expect([2, 151, 249, 250, 300].map((number) => rows[number - 1]?.state)).toEqual([
      ...['done', 'skipped', 'undone', 'undone', 'failed'],
    ]);
    expect(rows[248]?.result).toEqual({ id: 'other' });
  });

  it('is done again where its undo is taken back, and undone where that is taken back', async () => {
    const jobs = await halfDone();
    await jobs.mark(UNDO, [{ from: 1, to: 3, state: 'done' }]);
    await plan(jobs, REDO, UNDO, taking([3, 1]));
    await jobs.mark(REDO, [{ from: 1, to: 2, state: 'done' }]);
    expect(await counts(jobs, UNDO)).toEqual({ done: 1, undone: 2 });
    expect(await counts(jobs, JOB)).toMatchObject({ done: 190, undone: 1 });
    expect(await jobs.head(UNDO)).toMatchObject({ undoneBy: REDO });
    const last = 'b0000000-0000-4000-8000-000000000004';
    await plan(jobs, last, REDO, taking([1]));
    await jobs.mark(last, [{ from: 1, to: 1, state: 'done' }]);
    expect(await counts(jobs, REDO)).toEqual({ done: 1, undone: 1 });
    expect(await counts(jobs, UNDO)).toEqual({ done: 2, undone: 1 });
    expect(await counts(jobs, JOB)).toMatchObject({ done: 189, undone: 2 });
  });

  it('knows the ID of a record that was made again', async () => {
    const jobs = await halfDone();
    await jobs.mark(JOB, [{ from: 250, to: 250, state: 'done', result: { id: '7' } }]);
    await jobs.mark(UNDO, [{ from: 1, to: 1, state: 'done' }]);
    await plan(jobs, REDO, UNDO, taking([1]));
    await jobs.mark(REDO, [{ from: 1, to: 1, state: 'done', result: { id: '8' } }]);
    const [row] = (await collected(jobs.rows(JOB))).filter(({ number }) => number === 250);
    expect(row).toMatchObject({ state: 'done', result: { id: '8' } });
  });

  it('with rollback is unfinished while rows stand beside one that failed, done or altered', async () => {
    const jobs = await kept();
    await ready(jobs, 2);
    const isUnfinished = async () => (await jobs.heads('acme', { unfinished: true })).length > 0;
    await jobs.start(JOB, { onError: 'rollback' });
    await jobs.mark(JOB, [{ from: 2, to: 2, state: 'failed' }]);
    for (const [state, stands] of [
      ['skipped', false],
      ['done', true],
      ['altered', true],
    ] as const) {
      await jobs.mark(JOB, [{ from: 1, to: 1, state }]);
      expect(await isUnfinished()).toBe(stands);
    }
  });

  it('may be forgotten before its undo has run', async () => {
    const jobs = await halfDone();
    await jobs.delete([JOB]);
    await jobs.mark(UNDO, [{ from: 1, to: 3, state: 'done' }]);
    expect(await counts(jobs, UNDO)).toEqual({ done: 3 });
  });
});
