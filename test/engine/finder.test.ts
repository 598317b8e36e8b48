// What the engine finds for whom: only what the caller may read, whether from here or from outside.
import { describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { credentialOn } from '../support/backends.ts';
import { gathered } from '../support/job.ts';
import { refuses } from '../support/refuses.ts';
import { newSite, type TestSite } from '../support/site.ts';

/** Two people, one of whom has a metric: a thing that nobody beside and below may read. */
async function withMetric(): Promise<{ site: TestSite; metric: string; owner: string }> {
  const site = await newSite();
  const { ada } = site;
  for (const UserName of ['ann', 'bob']) await ada.make('individual', { UserName });
  const ann = await site.as('ann');
  const { ID } = await ada.make('metric', { AncestorID: ann.id, Name: 'Sales' });
  return { site, metric: String(ID), owner: ann.id };
}

describe('what the caller may not read', () => {
  it('is absent, by its ID, its name, its members, and among all', async () => {
    const { site, metric, owner } = await withMetric();
    const found = async (who: string) => {
      const { find } = (await site.as(who)).session;
      return [
        (await find.record('metric', { id: metric })).state,
        (await find.byName('metric', 'Name', 'sales'))?.length,
        (await find.byMembers('metric', { AncestorID: owner }))?.length,
        (await gathered(find.all('metric', 0))).length,
      ];
    };
    expect(await found('ann')).toEqual(['live', 1, 1, 1]);
    expect(await found('bob')).toEqual(['absent', 0, 0, 0]);
  });

  it('is absent for a session from outside too, which asks by the labels of a list', async () => {
    const { site, metric } = await withMetric();
    const { backend } = site.engine;
    const bob = await site.as('bob');
    const token = await site.ada.session.call(contract.token.operations.create, {
      body: { Kind: 'user', IndividualID: bob.id },
    });
    const outside = await backend.open({ login: 'bob', password: `{UserToken}${String(token.Token)}` });
    expect(outside.local).toBeUndefined();
    expect(await outside.find.record('metric', { id: metric })).toEqual({ state: 'absent' });
    expect(await outside.find.record('individual', { id: bob.id })).toMatchObject({ row: { UserName: 'bob' } });
    const ada = await backend.open(await credentialOn(backend));
    expect((await ada.find.record('metric', { id: metric })).state).toBe('live');
    await site.ada.change('site', site.id, { FeaturePerformance: false });
    await refuses(ada.find.record('coreValue', { id: metric })).with('feature_off');
    expect(await site.ada.session.find.record('coreValue', { id: metric })).toEqual({ state: 'absent' });
  });
});

it('tells live, deleted and absent apart, in either case of the ID', async () => {
  const { ada } = await newSite();
  const made = await ada.make('accountability', { Name: 'Keep' });
  const id = String(made.ID);
  const { find } = ada.session;
  expect(await find.record('accountability', { id: id.toUpperCase() })).toEqual({ state: 'live', row: made });
  expect(await find.byMembers('accountability', { AncestorID: ada.id.toUpperCase(), Name: 'KEEP' })).toEqual([made]);
  await ada.delete('accountability', id);
  expect(await find.record('accountability', { id })).toMatchObject({ state: 'deleted', row: { Name: 'Keep' } });
  expect(await find.byName('accountability', 'Name', 'keep')).toEqual([]);
  expect(await find.byName('accountability', 'Name', 'keep', { deleted: 1 })).toMatchObject([{ ID: id }]);
  expect(await find.record('accountability', { id: ada.id })).toEqual({ state: 'absent' });
});

it('finds a membership by its two ends, inside a change as it stands there', async () => {
  const { ada, organization } = await newSite();
  const place = { IndividualID: ada.id, OrganizationID: organization };
  const { row } = await ada.session.find.record('organizationMember', { place });
  expect(row).toMatchObject(place);
  await ada.session.local?.transaction(async (inside) => {
    await inside.call(contract.organizationMember.operations.update, {
      by: 'plain',
      params: { id: String(row?.ID) },
      body: { ...row, Title: 'Chief' },
    });
    expect((await inside.find.record('organizationMember', { place })).row).toMatchObject({ Title: 'Chief' });
  });
});
