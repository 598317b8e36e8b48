// One way for a change of one record as for many: asked about before anything is kept, rehearsed without a trace.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Change, changeBy } from '../../src/changes/plan/change.ts';
import type { PlanSize } from '../../src/changes/plan/plan-size.ts';
import { planner } from '../../src/changes/plan/planner.ts';
import type { Rehearsed } from '../../src/changes/rehearsal/rehearsed.ts';
import { runChange, type Ui } from '../../src/changes/run-change.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { contract } from '../../src/contract/index.ts';
import type { JobKind } from '../../src/contract/jobs.ts';
import { gathered, head } from '../support/job.ts';
import { refuses } from '../support/refuses.ts';
import { each, newSite, TODAY } from '../support/site.ts';

const { create, update } = contract.accountability.operations;

/** The fewest that are not held in memory. */
const MANY = 501;

const renamed = (id: unknown, Name: string): Change =>
  changeBy(update, { by: 'plain', params: { id: String(id) } }, { id: String(id), patch: { Name } });

/** A site, and a way to carry out changes in it. */
async function open() {
  const { ada } = await newSite();
  const { session } = ada;
  const jobs = session.local?.jobs;
  if (!jobs) throw new Error('the engine has local doors');
  const rehearsed: Rehearsed[] = [];
  const extents: PlanSize[] = [];
  const carried = (
    changes: readonly Change[],
    how: { kind?: JobKind; rehearse?: boolean; ask?(): Promise<void> } = {},
  ) => {
    const { kind = 'change', rehearse = false, ask } = how;
    const options = { clock: () => new Date(TODAY), newID: randomUUID };
    const people: Ui = {
      async planned(extent) {
        extents.push(extent);
        await ask?.();
      },
      async rehearsed(rows) {
        rehearsed.push(...(await gathered(rows)));
      },
      watch: (_total, work) => work(options),
    };
    const rows = planner(randomUUID).planAll(changes);
    const order = { job: { ...head(session, kind), settings: {} }, rows, rehearse };
    return runChange({ session, jobs: async () => jobs }, order, people, options);
  };
  const creations = (count: number): readonly Change[] =>
    Array.from({ length: count }, (_, at) =>
      changeBy(create, {
        by: 'plain',
        body: { Rank: at + 1, Name: `n${at + 1}`, Description: 'x', AncestorID: session.me.id },
      }),
    );
  const names = async () => each(await ada.list('accountability', 'mine'), 'Name');
  return { ada, jobs, rehearsed, extents, carried, creations, names };
}

const declined = async (): Promise<never> => {
  throw new ServiceError('confirmation', 'not confirmed');
};

describe.each([1, 2, MANY])('%i records', (count) => {
  it('are changed by one job', async () => {
    const { jobs, extents, carried, creations, names } = await open();
    const summary = await carried(creations(count));
    expect(summary).toMatchObject({ counts: { done: count }, exit: 0, job: { state: 'ended', total: count } });
    expect(extents).toMatchObject([{ changes: count, verbs: new Map([['create', count]]) }]);
    expect(await jobs.heads()).toHaveLength(1);
    expect(await names()).toHaveLength(count);
  });

  it('are not changed where that is not agreed to, and leave no job', async () => {
    const { jobs, carried, creations, names } = await open();
    await refuses(carried(creations(count), { ask: declined })).with('confirmation', /not confirmed/);
    expect(await jobs.heads()).toEqual([]);
    expect(await names()).toEqual([]);
  });

  it('are rehearsed: what would come of each is told, and nothing is kept', async () => {
    const { jobs, rehearsed, carried, creations, names } = await open();
    const summary = await carried(creations(count), { rehearse: true });
    expect(summary).toMatchObject({ counts: { done: count }, exit: 0 });
    expect(rehearsed.map(({ applied }) => applied?.after.Name)).toEqual(creations(count).map(({ body }) => body?.Name));
    expect(await jobs.heads()).toEqual([]);
    expect(await names()).toEqual([]);
  });
});

it('asks before anything is written down', async () => {
  const { jobs, carried, creations } = await open();
  const before: unknown[] = [];
  await carried(creations(2), { ask: async () => void before.push(...(await jobs.heads())) });
  expect(before).toEqual([]);
});

it('is nothing where there is nothing to do', async () => {
  const { jobs, extents, carried } = await open();
  expect(await carried([])).toBeUndefined();
  expect(extents).toMatchObject([{ changes: 0 }]);
  expect(await jobs.heads()).toEqual([]);
});

it('leaves no job where a command has changed nothing, and the record as it was', async () => {
  const { ada, jobs, carried } = await open();
  const made = await ada.make('accountability', { Name: 'Same' });
  const summary = await carried([renamed(made.ID, 'Same')]);
  expect(summary).toMatchObject({ counts: { done: 1 }, exit: 0 });
  expect(await jobs.heads()).toEqual([]);
  expect(await ada.history('accountability', made.ID)).toHaveLength(1);
  expect(await ada.get('accountability', made.ID)).toEqual(made);
});

it('keeps the job of a command that has changed one record of two', async () => {
  const { ada, jobs, carried } = await open();
  const [one, other] = [await ada.make('accountability'), await ada.make('accountability', { Name: 'Same' })];
  await carried([renamed(one.ID, 'Changed'), renamed(other.ID, 'Same')]);
  expect(await jobs.heads()).toMatchObject([{ counts: { done: 2 } }]);
});

it('throws the error of a single change of a command, and leaves no job', async () => {
  const { jobs, carried } = await open();
  await refuses(carried([changeBy(create, { by: 'plain', body: { Rank: 1 } })])).with('invalid', /Name is required/);
  expect(await jobs.heads()).toEqual([]);
});

it('counts a row of a file that is refused, as a job that can be tried again', async () => {
  const { jobs, carried } = await open();
  const changes = [changeBy(create, { by: 'plain', body: { Rank: 1 } })];
  expect(await carried(changes, { kind: 'import' })).toMatchObject({ counts: { failed: 1 }, exit: 7 });
  expect(await jobs.heads()).toMatchObject([{ counts: { failed: 1 } }]);
});

it('tells of a rehearsal what would be refused', async () => {
  const { rehearsed, carried, creations, names } = await open();
  const changes = [...creations(1), changeBy(create, { by: 'plain', body: { Rank: 1 } })];
  expect(await carried(changes, { rehearse: true })).toMatchObject({ counts: { done: 1, failed: 1 }, exit: 3 });
  expect(rehearsed).toHaveLength(1);
  expect(await names()).toEqual([]);
});
