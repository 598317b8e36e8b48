// A job on the embedded engine: what becomes of its rows, and what is kept of them.
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/contract/resource.ts';
import { jobsOf } from '../support/job.ts';
import { refuses } from '../support/refuses.ts';
import { type Asker, each, newSite } from '../support/site.ts';

const creates = (names: readonly string[], AncestorID: string) =>
  names.map((Name, at) => ({
    resource: 'accountability',
    operation: 'create',
    body: { Rank: at + 1, Name, Description: 'x', AncestorID },
  }));

const update = (row: Row, patch: Row) => ({
  resource: 'accountability',
  operation: 'update',
  id: String(row.ID),
  patch,
  now: row,
});

const mine = (ada: Asker) => ada.list('accountability', { individual: ada.id }, { deleted: 2 });

describe('a job', () => {
  it('reports each row once, in their order, however many commits it takes', async () => {
    const { ada } = await newSite();
    const names = Array.from({ length: 450 }, (_, at) => `n${at}`);
    const job = await jobsOf(ada.session).plan(...creates(names, ada.id));
    const reported: number[] = [];
    const { counts } = await job.run({ rowsPerCommit: 300, onDone: ({ number }) => void reported.push(number) });
    expect(counts).toEqual({ done: 450 });
    expect(reported).toEqual(names.map((_, at) => at + 1));
    expect(await mine(ada)).toHaveLength(450);
  });

  it('leaves out what would change nothing, and counts it', async () => {
    const { ada } = await newSite();
    const row = await ada.make('accountability', { Name: 'a' });
    const { plan } = jobsOf(ada.session);
    const { unchanged, rows } = await plan(update(row, { Name: 'a' }), update(row, { Name: 'b' }), {
      resource: 'accountability',
      operation: 'undelete',
      id: String(row.ID),
      now: row,
    });
    expect(unchanged).toBe(2);
    expect(await rows()).toMatchObject([{ number: 1, patch: { Name: 'b' }, was: { Name: 'a' } }]);
  });

  it('goes on after a row that fails, and says which and why', async () => {
    const { ada } = await newSite();
    const [good, bad, last] = creates(['a', ' ', 'c'], ada.id);
    const job = await jobsOf(ada.session).plan(...[good, bad, last].flatMap((one) => one ?? []));
    const { counts, exit, failures } = await job.run();
    expect({ counts, exit }).toEqual({ counts: { done: 2, failed: 1 }, exit: 3 });
    expect(failures).toMatchObject([{ row: { number: 2 }, state: 'failed', error: { code: 'invalid' } }]);
    expect(await job.states()).toEqual(['done', 'failed', 'done']);
    expect(each(await mine(ada), 'Name')).toEqual(['a', 'c']);
  });

  it('stops at the first failure with stop, and goes on from there when it is resumed', async () => {
    const { ada } = await newSite();
    const job = await jobsOf(ada.session).plan(...creates(['a', ' ', 'c'], ada.id));
    const { stopped, job: head } = await job.run({ onError: 'stop' });
    expect(stopped?.message).toContain('stopped at row 2');
    expect(head.state).toBe('stopped');
    expect(await job.states()).toEqual(['done', 'failed', 'pending']);
    expect((await job.resume()).job.state).toBe('ended');
    expect(await job.states()).toEqual(['done', 'failed', 'done']);
  });

  it('takes back with rollback what was done long before the row that failed', async () => {
    const { ada } = await newSite();
    const job = await jobsOf(ada.session).plan(...creates([...Array<string>(250).fill('a'), ' '], ada.id));
    expect((await job.run({ onError: 'rollback' })).counts).toEqual({ skipped: 250, failed: 1 });
    expect(await job.states()).toEqual([...Array<string>(250).fill('skipped'), 'failed']);
    expect(await mine(ada)).toEqual([]);
  });

  it('keeps with rollback what an earlier run has done', async () => {
    const { ada } = await newSite();
    const job = await jobsOf(ada.session).plan(...creates(['a', ' ', 'c', ' '], ada.id));
    await job.run({ onError: 'stop' });
    await job.resume({ onError: 'rollback' });
    expect(await job.states()).toEqual(['done', 'failed', 'pending', 'failed']);
    expect(each(await mine(ada), 'Name')).toEqual(['a']);
  });

  it('does with rollback what it does without, where nothing fails', async () => {
    const { ada } = await newSite();
    const job = await jobsOf(ada.session).plan(...creates(['a', 'b'], ada.id));
    expect(await job.run({ onError: 'rollback' })).toMatchObject({ counts: { done: 2 }, exit: 0 });
    expect(each(await mine(ada), 'Name')).toEqual(['a', 'b']);
  });

  it('is resumed with rollback where its command said so', async () => {
    const { ada } = await newSite();
    const { plan, jobs } = jobsOf(ada.session);
    const job = await plan(...creates(['a', ' ', 'c'], ada.id));
    await jobs.set(job.id, { settings: { agreed: true, onError: 'rollback' } });
    expect((await job.resume()).counts).toEqual({ skipped: 2, failed: 1 });
    expect(await mine(ada)).toEqual([]);
  });

  it('stops when it is interrupted, and can be resumed', async () => {
    const { ada } = await newSite();
    const job = await jobsOf(ada.session).plan(...creates(['a', 'b'], ada.id));
    const stop = new AbortController();
    stop.abort();
    expect(await job.run({ signal: stop.signal })).toMatchObject({ exit: 130, counts: { pending: 2 } });
    expect((await job.resume()).counts).toEqual({ done: 2 });
  });

  it('runs once', async () => {
    const { ada } = await newSite();
    const job = await jobsOf(ada.session).plan(...creates(['a'], ada.id));
    await job.run();
    await refuses(job.run()).with('conflict', 'has run: 1 done', 'pm jobs show');
    expect(await mine(ada)).toHaveLength(1);
  });

  it('tries again what failed, when it is asked to', async () => {
    const { ada, organization } = await newSite();
    const parent = '0a000000-0000-4000-8000-000000000001';
    const body = await ada.body('organization', { ParentID: parent });
    const job = await jobsOf(ada.session).plan({ resource: 'organization', operation: 'create', body });
    expect((await job.run()).counts).toEqual({ failed: 1 });
    await ada.make('organization', { ID: parent, ParentID: organization });
    expect(await job.retry()).toMatchObject({ counts: { done: 1 }, exit: 0 });
  });

  it('is one process’s at a time', async () => {
    const { ada } = await newSite();
    const { plan, jobs } = jobsOf(ada.session);
    const job = await plan(...creates(['a'], ada.id));
    await jobs.lock(job.id, { pid: 1, host: 'elsewhere' });
    await refuses(job.run()).with('busy', '1', 'elsewhere');
    expect((await job.run({ takeover: true })).counts).toEqual({ done: 1 });
  });
});

describe('a record that changed since the plan was made', () => {
  async function drifting() {
    const { ada } = await newSite();
    const [one, two] = [await ada.make('accountability'), await ada.make('accountability')];
    const job = await jobsOf(ada.session).plan(update(one, { Name: 'new' }), update(two, { Name: 'new' }));
    await ada.change('accountability', one.ID, { Description: 'other' });
    return { ada, job, one, two };
  }

  it('is left alone', async () => {
    const { ada, job, one } = await drifting();
    expect(await job.run()).toMatchObject({ counts: { drifted: 1, done: 1 }, exit: 3 });
    expect(await job.states()).toEqual(['drifted', 'done']);
    expect(await ada.get('accountability', one.ID)).toMatchObject({ Name: one.Name, Description: 'other' });
  });

  it('stops the job with stop', async () => {
    const { job } = await drifting();
    expect(await job.run({ onDrift: 'stop' })).toMatchObject({ counts: { drifted: 1, pending: 1 } });
  });

  it('leaves all rows to the next run where a run with rollback is interrupted behind it', async () => {
    const { ada } = await newSite();
    const all = [await ada.make('accountability'), await ada.make('accountability'), await ada.make('accountability')];
    const job = await jobsOf(ada.session).plan(...all.map((one) => update(one, { Name: 'new' })));
    await ada.change('accountability', String(all[0]?.ID), { Description: 'other' });
    const stop = new AbortController();
    const consequencesOf = async () => void stop.abort();
    const ran = await job.run({ onError: 'rollback', signal: stop.signal, consequencesOf });
    expect(ran).toMatchObject({ exit: 130, counts: { pending: 3 } });
    expect((await job.resume()).counts).toEqual({ drifted: 1, done: 2 });
  });

  it('is changed all the same with overwrite, and keeps what the change does not name', async () => {
    const { ada, job, one } = await drifting();
    expect(await job.run({ onDrift: 'overwrite' })).toMatchObject({ counts: { done: 2 }, exit: 0 });
    expect(await ada.get('accountability', one.ID)).toMatchObject({ Name: 'new', Description: 'other' });
  });

  it('may have been deleted', async () => {
    const { ada, job, two } = await drifting();
    await ada.delete('accountability', two.ID);
    expect((await job.run()).counts).toEqual({ drifted: 2 });
  });

  it('has not changed where only computed members have', async () => {
    const { ada } = await newSite();
    const person = await ada.get('individual', ada.id);
    const job = await jobsOf(ada.session).plan({
      ...{ resource: 'individual', operation: 'update', id: ada.id },
      ...{ patch: { Suffix: 'Dr.' }, now: person },
    });
    await ada.make('comment', { AncestorID: ada.id });
    expect((await job.run()).counts).toEqual({ done: 1 });
  });
});
