// A row that names a new record which the service will know by a number or by a UserID.
import { expect, it } from 'vitest';
import type { Change } from '../../src/changes/plan/change.ts';
import { jobsOf } from '../support/job.ts';
import { newSite, type TestSite } from '../support/site.ts';

const [PHASE, PROJECT] = ['a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002'];

/** A phase, a row that is refused, and a project in that phase. */
async function planned({ ada, id, organization }: TestSite, phase: object = {}) {
  const drafts: readonly Change[] = [
    { resource: 'phase', operation: 'create', id: PHASE ?? '', body: { SiteID: id, Name: 'Pilot', Rank: 9, ...phase } },
    { resource: 'organization', operation: 'update', id: organization, patch: { Name: ' ' } },
    {
      ...{ resource: 'project', operation: 'create', id: PROJECT ?? '', awaits: ['PhaseID'] },
      body: { AncestorID: organization, Name: 'Move', PhaseID: PHASE },
    },
  ];
  return jobsOf(ada.session).plan(...drafts);
}

it('is made with what the record got, also by a later run', async () => {
  for (const onError of ['continue', 'stop'] as const) {
    const site = await newSite();
    const job = await planned(site);
    await job.run({ onError });
    expect((await job.resume()).counts).toEqual({ done: 2, failed: 1 });
    expect(await site.ada.get('project', PROJECT)).toMatchObject({ Phase: 'Pilot' });
  }
});

it('fails where the record was not made, and says so', async () => {
  const site = await newSite();
  const job = await planned(site, { Name: ' ' });
  const { failures, counts } = await job.run();
  expect(counts).toEqual({ failed: 3 });
  expect(failures[2]?.error).toMatchObject({
    code: 'conflict',
    message: 'PhaseID names a new phase that was not made',
  });
});

it('is taken back with what the record got', async () => {
  const site = await newSite();
  const job = await planned(site);
  await job.run();
  const { counts } = await job.undo();
  expect(counts).toEqual({ done: 1 });
});
