// Taking a job back: only what it changed, and only where that still is as the job left it.
import { describe, expect, it } from 'vitest';
import { cautionsOf } from '../../src/changes/plan/cautions.ts';
import type { Change } from '../../src/changes/plan/change.ts';
import { jobNamed, newestToUndo } from '../../src/changes/undo.ts';
import type { ResourceName } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { jobsOf } from '../support/job.ts';
import { refuses } from '../support/refuses.ts';
import { type Asker, newSite } from '../support/site.ts';

/** The records of a resource as they stand, without the marks of who and when. */
async function standing(ada: Asker, resource: ResourceName, ...ids: readonly unknown[]) {
  const rows = await Promise.all(ids.map((id) => ada.session.find.record(resource, { id: String(id) })));
  return rows.map(({ row }) => {
    const { Updated, UpdatedBy, Created, ...rest } = row ?? {};
    return rest;
  });
}

const on = (resource: ResourceName, operation: string, row: Row, patch?: Row): Change => ({
  ...{ resource, operation, id: String(row.ID) },
  ...(patch ? { patch } : {}),
});

describe('the undo of', () => {
  it('an update leaves alone what others changed beside it', async () => {
    const { ada } = await newSite();
    const row = await ada.make('accountability', { Name: 'old', Description: 'old' });
    const job = await jobsOf(ada.session).plan(on('accountability', 'update', row, { Name: 'new' }));
    await job.run();
    await ada.change('accountability', row.ID, { Description: 'theirs' });
    expect((await job.undo()).exit).toBe(0);
    expect(await ada.get('accountability', row.ID)).toMatchObject({ Name: 'old', Description: 'theirs' });
  });

  it('an individual’s update puts back what follows from it', async () => {
    const { ada } = await newSite();
    const row = await ada.make('individual');
    const before = await standing(ada, 'individual', row.ID);
    const job = await jobsOf(ada.session).plan(
      on('individual', 'update', row, {
        Email: 'new@example.com',
        PrimaryTitle: 'Boss',
        HireDate: '2020-01-01T00:00:00Z',
      }),
    );
    await job.run();
    expect((await job.undo()).exit).toBe(0);
    expect(await standing(ada, 'individual', row.ID)).toEqual(before);
  });

  it.each(['color', 'teamMember', 'coreValue'] as const)(
    'the deletion of a %s brings it back with its ID',
    async (name) => {
      const { ada } = await newSite();
      const row = await ada.make(name);
      const before = await standing(ada, name, row.ID);
      const job = await jobsOf(ada.session).plan(on(name, 'delete', row));
      await job.run();
      expect((await job.undo()).exit).toBe(0);
      expect(await standing(ada, name, row.ID)).toEqual(before);
    },
  );

  it('a create deletes the record', async () => {
    const { ada } = await newSite();
    const body = await ada.body('accountability');
    const job = await jobsOf(ada.session).plan({ resource: 'accountability', operation: 'create', body });
    await job.run();
    const [row] = await job.rows();
    expect((await job.undo()).exit).toBe(0);
    expect(await standing(ada, 'accountability', row?.id)).toMatchObject([{ Deleted: true }]);
  });

  it('a create leaves a record that was there already (D12)', async () => {
    const { ada } = await newSite();
    const body = await ada.body('accountability', { ID: '0a000000-0000-4000-8000-000000000001' });
    await ada.create('accountability', body);
    const job = await jobsOf(ada.session).plan({ resource: 'accountability', operation: 'create', body });
    expect((await job.run()).counts).toEqual({ done: 1 });
    expect((await job.undo()).job.total).toBe(0);
    expect(await ada.get('accountability', body.ID as string)).toMatchObject({ Deleted: false });
  });

  it('a deletion and its opposite turn them round, where they did something', async () => {
    const { ada } = await newSite();
    const [live, gone, both] = [
      await ada.make('organization'),
      await ada.make('organization'),
      await ada.make('organization'),
    ];
    await ada.delete('organization', gone.ID);
    const ids = [live.ID, gone.ID, both.ID];
    const before = await standing(ada, 'organization', ...ids);
    const job = await jobsOf(ada.session).plan(
      on('organization', 'delete', live),
      on('organization', 'delete', gone),
      on('organization', 'undelete', both),
    );
    expect((await job.run()).counts).toEqual({ done: 3 });
    expect((await job.undo()).job.total).toBe(1);
    expect(await standing(ada, 'organization', ...ids)).toEqual(before);
  });

  it('a final deletion makes the record anew, with its ID where it has one of its own (D8)', async () => {
    const { ada } = await newSite();
    const value = await ada.make('coreValue');
    const color = await ada.make('color', { Name: 'Odd' });
    const job = await jobsOf(ada.session).plan(on('coreValue', 'delete', value), on('color', 'delete', color));
    expect((await job.run()).counts).toEqual({ done: 2 });
    expect((await job.undo()).counts).toEqual({ done: 2 });
    expect(await standing(ada, 'coreValue', value.ID)).toMatchObject([{ Name: value.Name }]);
    const names = (await ada.list('color')).map(({ Name }) => Name);
    expect(names).toContain('Odd');
  });

  it('a job goes backwards through it', async () => {
    const { ada } = await newSite();
    const parent = '0a000000-0000-4000-8000-000000000001';
    const job = await jobsOf(ada.session).plan(
      { resource: 'organization', operation: 'create', body: await ada.body('organization', { ID: parent }) },
      { resource: 'organization', operation: 'create', body: await ada.body('organization', { ParentID: parent }) },
    );
    expect((await job.run()).counts).toEqual({ done: 2 });
    const undo = await job.undo();
    expect(undo).toMatchObject({ counts: { done: 2 }, exit: 0 });
    expect(await jobsOf(ada.session).job(undo.job.id).rows()).toMatchObject([
      { was: { ParentID: parent } },
      { id: parent },
    ]);
  });
});

describe('a conflict', () => {
  it('is a changed member that somebody changed again: listed, and left alone', async () => {
    const { ada } = await newSite();
    const [one, two] = [
      await ada.make('accountability', { Name: '1' }),
      await ada.make('accountability', { Name: '2' }),
    ];
    const job = await jobsOf(ada.session).plan(
      on('accountability', 'update', one, { Name: 'new' }),
      on('accountability', 'update', two, { Name: 'new' }),
    );
    await job.run();
    await ada.change('accountability', one.ID, { Name: 'theirs' });
    const { counts, exit, failures } = await job.undo();
    expect({ counts, exit }).toEqual({ counts: { drifted: 1, done: 1 }, exit: 3 });
    expect(failures).toMatchObject([{ row: { id: one.ID }, error: { code: 'drifted' } }]);
    expect(await ada.get('accountability', one.ID)).toMatchObject({ Name: 'theirs' });
    expect(await ada.get('accountability', two.ID)).toMatchObject({ Name: '2' });
  });

  it('is a record that was deleted since, and alone it ends with 3 too', async () => {
    const { ada } = await newSite();
    const row = await ada.make('accountability');
    const job = await jobsOf(ada.session).plan(on('accountability', 'update', row, { Name: 'new' }));
    await job.run();
    await ada.delete('accountability', row.ID);
    expect(await job.undo()).toMatchObject({ counts: { drifted: 1 }, exit: 3 });
  });
});

describe('the undo of an undo', () => {
  it('does once more what was done', async () => {
    const { ada } = await newSite();
    const row = await ada.make('accountability', { Name: 'old' });
    const gone = await ada.make('accountability');
    const { plan, job: known } = jobsOf(ada.session);
    const job = await plan(on('accountability', 'update', row, { Name: 'new' }), on('accountability', 'delete', gone), {
      resource: 'accountability',
      operation: 'create',
      body: await ada.body('accountability'),
    });
    await job.run();
    const ids = (await job.rows()).map(({ id }) => id);
    const after = await standing(ada, 'accountability', ...ids);
    const undo = await job.undo();
    expect(await standing(ada, 'accountability', ...ids)).not.toEqual(after);
    expect(await known(undo.job.id).undo()).toMatchObject({ counts: { done: 3 }, exit: 0 });
    expect(await standing(ada, 'accountability', ...ids)).toEqual(after);
  });
});

describe('the job that is meant', () => {
  it('is the newest that is neither an undo nor undone', async () => {
    const { ada } = await newSite();
    const { plan, jobs, job: known } = jobsOf(ada.session);
    const row = await ada.make('accountability');
    const [first, second] = [
      await plan(on('accountability', 'update', row, { Name: '1' })),
      await plan(on('accountability', 'update', row, { Name: '2' })),
    ];
    await first.run();
    await second.run();
    const meant = async () => (await newestToUndo(jobs, await jobs.heads('test'))).job?.id;
    expect(await meant()).toBe(second.id);
    const undo = await second.undo();
    expect(await meant()).toBe(first.id);
    await refuses(second.undo()).with('conflict', 'undone already', undo.job.id);
    await known(undo.job.id).undo();
    expect(await meant()).toBe(second.id);
  });

  it('is named by the beginning of its ID', async () => {
    const { ada } = await newSite();
    const { plan, jobs } = jobsOf(ada.session);
    const row = await ada.make('accountability');
    const job = await plan(on('accountability', 'update', row, { Name: '1' }));
    expect(await newestToUndo(jobs, await jobs.heads('test'))).toEqual({ job: undefined, passedOver: [] });
    await job.run();
    expect(jobNamed(await jobs.heads('test'), job.id.slice(0, 8).toUpperCase()).id).toBe(job.id);
    await refuses((async () => jobNamed(await jobs.heads('test'), 'zz'))()).with('not_found', 'no job zz');
  });
});

describe('what cannot be undone exactly', () => {
  it('is said beforehand', () => {
    const lines = cautionsOf([
      { number: 1, resource: 'color', operation: 'delete', id: '1' },
      { number: 2, resource: 'coreValue', operation: 'delete', id: 'x' },
      { number: 3, resource: 'period', operation: 'create', body: {} },
      {
        ...{ number: 4, resource: 'individual', operation: 'update', id: 'x', patch: {} },
        secret: { members: ['Password'], line: 2, sha256: '' },
      },
      { number: 5, resource: 'accountability', operation: 'update', id: 'x', patch: { Name: 'x' } },
      { number: 6, resource: 'basicRoleDialog', operation: 'update', body: { Description: 'x' } },
    ]).join('\n');
    expect(lines).toMatch(/colors come back by an undo; a remote service gives them new IDs/);
    expect(lines).toMatch(/core values are gone for good/);
    expect(lines).toMatch(/New periods cannot be undone/);
    expect(lines).toMatch(/brings back no Password/);
    expect(lines).toMatch(/New basic role dialogs cannot be undone/);
    expect(lines).not.toMatch(/accountabilities/);
    const there = { number: 1, resource: 'basicRoleDialog', operation: 'update', patch: { Description: 'x' } };
    expect(cautionsOf([there])).toEqual([]);
  });
});
