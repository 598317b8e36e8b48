// A job is undone with the first row of its undo, in one commit: what waits of it then is skipped.
import { describe, expect, it } from 'vitest';
import { JOB, KEPT, newJob, ready, rowsOf } from './job-fixture.ts';

const UNDO = 'b0000000-0000-4000-8000-000000000002';

describe.each(KEPT)('a job in %s', (_, kept) => {
  /** A job of 450 rows, of which some are done, and its undo. */
  async function halfDone() {
    const jobs = await kept();
    await ready(jobs, 450);
    await jobs.mark(JOB, [
      { from: 1, to: 150, state: 'done' },
      { from: 210, to: 250, state: 'done' },
      { from: 300, to: 300, state: 'failed' },
    ]);
    await jobs.begin(newJob(UNDO, { kind: 'undo', undoes: JOB }));
    await jobs.plan(UNDO, rowsOf(1, 191));
    return jobs;
  }

  it('stays as it was until a row of its undo is done', async () => {
    const jobs = await halfDone();
    await jobs.mark(UNDO, [{ from: 1, to: 9, state: 'intent' }]);
    await jobs.mark(UNDO, [{ from: 1, to: 9, state: 'drifted' }]);
    expect(await jobs.head(JOB)).not.toHaveProperty('undoneBy');
    expect((await jobs.head(JOB))?.counts).toEqual({ done: 191, failed: 1, pending: 258 });
  });

  it('is undone then, and none of its rows waits any more', async () => {
    const jobs = await halfDone();
    await jobs.mark(UNDO, [{ from: 1, to: 1, state: 'done' }]);
    expect(await jobs.head(JOB)).toMatchObject({
      state: 'ended',
      undoneBy: UNDO,
      counts: { done: 191, failed: 1, skipped: 258 },
    });
    const states: string[] = [];
    for await (const { state } of jobs.rows(JOB)) states.push(state);
    expect([states[149], states[150], states[209], states[249], states[250], states[299], states[449]]).toEqual([
      ...['done', 'skipped', 'done', 'done', 'skipped', 'failed', 'skipped'],
    ]);
  });

  it('may be forgotten before its undo has run', async () => {
    const jobs = await halfDone();
    await jobs.delete([JOB]);
    await jobs.mark(UNDO, [{ from: 1, to: 191, state: 'done' }]);
    expect((await jobs.head(UNDO))?.counts).toEqual({ done: 191 });
  });
});
