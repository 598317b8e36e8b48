// A job and its undo when one of them has not come to its end: neither is done twice, and nothing is left that cannot go back.
import { describe, expect, it } from 'vitest';
import { checkForgettable, oldJobs } from '../../src/changes/run/forget.ts';
import { undoJob } from '../../src/changes/undo.ts';
import { head, jobsOf } from '../support/job.ts';
import { refuses } from '../support/refuses.ts';
import { type Asker, newSite } from '../support/site.ts';

const ROWS = 6;

const colors = async (ada: Asker): Promise<number> =>
  (await ada.list('color')).filter(({ Name }) => String(Name).startsWith('new ')).length;

/** A job that makes colors, and one of its rows to a commit, so that it can be stopped behind any of them. */
async function aJob() {
  const { ada, id: SiteID } = await newSite();
  const all = jobsOf(ada.session);
  const bodies = Array.from({ length: ROWS }, (_, at) => ({
    SiteID,
    Rank: at + 10,
    Name: `new ${at}`,
    Code: 'ff0000',
  }));
  const job = await all.plan(...bodies.map((body) => ({ resource: 'color', operation: 'create', body })));
  return { ...all, ada, planned: job };
}

/** Stops a run behind so many rows. */
function stopsAfter(rows: number) {
  const stop = new AbortController();
  let done = 0;
  const onDone = (): void => {
    if (++done === rows) stop.abort();
  };
  return { rowsPerCommit: 1, signal: stop.signal, onDone };
}

describe('a job that was stopped', () => {
  it('and is taken back cannot be gone on with', async () => {
    const { ada, planned: job, jobs } = await aJob();
    expect((await job.run(stopsAfter(2))).counts).toEqual({ done: 2, pending: 4 });
    expect((await job.undo()).counts).toEqual({ done: 2 });
    expect(await jobs.head(job.id)).toMatchObject({ state: 'ended', counts: { undone: 2, skipped: 4 } });
    await refuses(job.resume()).with('conflict', 'undone already');
    await refuses(job.retry()).with('conflict', 'undone already');
    expect(await colors(ada)).toBe(0);
  });

  it('can be gone on with where its undo took nothing back', async () => {
    const { ada, planned: job, jobs } = await aJob();
    await job.run(stopsAfter(1));
    const [color] = (await ada.list('color')).filter(({ Name }) => Name === 'new 0');
    await ada.change('color', color?.ID, { Code: '00ff00' });
    expect((await job.undo()).counts).toEqual({ drifted: 1 });
    expect(await jobs.head(job.id)).not.toHaveProperty('undoneBy');
    expect((await job.resume()).counts).toEqual({ done: ROWS });
  });
});

describe('an undo that was stopped', () => {
  async function halfUndone() {
    const all = await aJob();
    await all.planned.run();
    const undo = all.job((await all.planned.undo(stopsAfter(2))).job.id);
    expect(await undo.states()).toEqual(['done', 'done', 'pending', 'pending', 'pending', 'pending']);
    return { ...all, undo };
  }

  it('keeps its job from being undone, gone on with and tried again', async () => {
    const { planned: job, undo } = await halfUndone();
    for (const work of [job.undo, job.resume, job.retry])
      await refuses(work()).with('conflict', 'is undoing job', `pm jobs resume ${undo.id}`);
  });

  it('brings its job to the end when it is resumed, and is done once', async () => {
    const { ada, planned: job, undo } = await halfUndone();
    expect((await undo.resume()).counts).toEqual({ done: ROWS });
    await refuses(job.undo()).with('conflict', 'undone already', undo.id);
    expect(await colors(ada)).toBe(0);
  });

  it('can be taken back itself, and its job with it again', async () => {
    const { ada, planned: job, undo } = await halfUndone();
    expect((await undo.undo()).counts).toEqual({ done: 2 });
    expect(await colors(ada)).toBe(ROWS);
    await refuses(undo.resume()).with('conflict', 'undone already');
    expect((await job.undo()).job.total).toBe(ROWS);
  });
});

it('an undo that nobody agreed to is forgotten when its job is taken back otherwise', async () => {
  const { ada, jobs, planned: job } = await aJob();
  await job.run();
  const unagreed = { ...head(ada.session, 'undo'), kind: 'undo' as const, undoes: job.id, settings: {} };
  await jobs.begin(unagreed);
  await jobs.seal(unagreed.id);
  await undoJob(ada.session, jobs, job.id, head(ada.session, 'undo'), {
    clock: () => new Date(),
    newID: () => crypto.randomUUID(),
  });
  expect(await jobs.head(unagreed.id)).toBeUndefined();
});

it('an undo that was stopped before it began is forgotten like any job that never began, by name and with the old ones', async () => {
  const { ada, planned: job, jobs } = await aJob();
  await job.run({});
  const undone = { ...head(ada.session, 'undo'), id: 'an-undo', undoes: job.id };
  await jobs.begin(undone);
  const heads = await jobs.heads(undone.profile);
  const [undo] = heads;
  expect(undo).toMatchObject({ id: 'an-undo', state: 'planning' });
  expect(() => undo && checkForgettable(heads, undo, (id) => id === 'an-undo')).not.toThrow();
  expect(oldJobs(heads, '0')).toEqual(['an-undo']);
});
