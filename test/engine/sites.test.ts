// Two sites: what belongs to one does not exist in the other (D2).
import { describe, expect, it } from 'vitest';
import { type ResourceName, resourceNamed } from '../../src/contract/index.ts';
import { refuses } from '../support/refuses.ts';
import { each, newSite } from '../support/site.ts';

const NOWHERE = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** The site Test of ada, and the site Wharf of wanda, who is administrator of that one only. */
async function twoSites() {
  const first = await newSite();
  const wharf = await first.ada.call('site', 'create', 'plain', { body: { Name: 'Wharf', Admin: 'wanda' } });
  return { ...first, wharf: String(wharf.ID), wanda: await first.as('wanda') };
}

it('is born with one organization, periods, colors, phases, statuses, groups and one administrator', async () => {
  const { wanda, wharf } = await twoSites();
  const site = { site: wharf };
  expect(await wanda.list('site')).toMatchObject([{ ID: wharf, Name: 'Wharf', FeaturePerformance: true }]);
  expect(await wanda.list('organization')).toMatchObject([{ Name: 'Wharf', RowType: 4, DisplayRank: '1' }]);
  expect(each(await wanda.list('color'), 'Rank')).toEqual([1, 2, 3, 4]);
  expect(each(await wanda.list('period', site), 'DateSpan')).toEqual([
    '2026-01-01 to 2026-03-31',
    '2026-04-01 to 2026-06-30',
    '2026-07-01 to 2026-09-30',
    '2026-10-01 to 2026-12-31',
  ]);
  expect(await wanda.list('phase', site)).not.toEqual([]);
  expect(await wanda.list('status', site)).not.toEqual([]);
  expect(await wanda.list('securityGroup')).not.toEqual([]);
  expect(await wanda.list('individual')).toMatchObject([
    {
      UserName: 'wanda',
      Email: 'wanda@localhost',
      IsAdmin: true,
      IsGlobalAdmin: false,
      PrimaryReportsTo: wanda.id,
      PrimaryOrganizationName: 'Wharf',
    },
  ]);
});

it('is not born at all where its administrator is known already', async () => {
  const { ada, as } = await twoSites();
  await refuses(ada.call('site', 'create', 'plain', { body: { Name: 'Pier', Admin: 'wanda' } })).with(
    'conflict',
    'wanda',
  );
  expect(each(await ada.list('site'), 'Name')).toEqual(['Test', 'Wharf']);
  await refuses(as('ada', 'Pier')).with('not_found', 'Pier');
});

const KINDS: readonly ResourceName[] = [
  ...(['accountability', 'organization', 'individual', 'project', 'dialog', 'color'] as const),
  ...(['coreValue', 'comment', 'commitment', 'permission', 'teamMember'] as const),
];

describe.each(KINDS)('a record of another site, of the kind %s,', (resource) => {
  it('is not there to change, to delete or to undelete', async () => {
    const { ada, wanda } = await twoSites();
    // Numbers are counted for each site, so this one is moved beyond those that the other site has.
    for (let made = 0; resourceNamed(resource).id === 'integer' && made < 5; made++) await ada.make(resource);
    const there = await ada.make(resource);
    const isMissing = (call: Promise<unknown>) => refuses(call).with('not_found', `${there.ID}`);
    await isMissing(wanda.put(resource, there.ID, there));
    await isMissing(wanda.delete(resource, there.ID));
    if (resourceNamed(resource).operations.undelete) await isMissing(wanda.undelete(resource, there.ID));
    if (resourceNamed(resource).operations.get) await isMissing(wanda.get(resource, there.ID));
  });
});

it('lists nothing of another site', async () => {
  const { ada, wanda } = await twoSites();
  for (const resource of KINDS) await ada.make(resource);
  expect(each(await wanda.list('organization'), 'Name')).toEqual(['Wharf']);
  expect(each(await wanda.list('individual'), 'UserName')).toEqual(['wanda']);
  expect(await wanda.list('coreValue')).toEqual([]);
  expect(await wanda.list('dialog')).toEqual([]);
  expect(await wanda.list('color')).toHaveLength(4);
});

it('finds no owner of another site', async () => {
  const { ada, wanda, organization } = await twoSites();
  await refuses(wanda.list('accountability', { individual: ada.id })).with('not_found', ada.id);
  await refuses(wanda.list('organizationMember', { department: organization })).with('not_found', organization);
  await refuses(wanda.list('accountability', { individual: ada.id }, { deleted: 2 })).with('not_found', ada.id);
});

it('keeps the same ID apart in two sites', async () => {
  const { ada, wanda } = await twoSites();
  await ada.make('accountability', { ID: NOWHERE, Name: 'Here' });
  await wanda.make('accountability', { ID: NOWHERE, Name: 'There' });
  await ada.delete('accountability', NOWHERE);
  expect(await wanda.get('accountability', NOWHERE)).toMatchObject({ Name: 'There' });
});

it.each(['organization', 'individual', 'color', 'securityGroup', 'coreValue', 'period', 'phase'] as const)(
  'answers the address of another site, for its %s, as that of none',
  async (resource) => {
    const { wanda, id } = await twoSites();
    await refuses(wanda.list(resource, { site: id })).with('not_found', `there is no site ${id}`);
    await refuses(wanda.list(resource, { site: NOWHERE })).with('not_found', `there is no site ${NOWHERE}`);
  },
);

it('lets nobody of another site read or change the site and its settings', async () => {
  const { ada, wanda, id } = await twoSites();
  const settings = await ada.get('siteSetting', id);
  await refuses(wanda.get('siteSetting', id)).with('not_found', id);
  await refuses(wanda.put('siteSetting', id, settings)).with('not_found', id);
  await refuses(wanda.put('site', id, { Name: 'Mine', Comment: 'Now', Category: 'Taken' })).with('not_found', id);
  await refuses(wanda.list('securityGroup', 'plain', { siteId: id })).with('not_found', id);
});

it('refuses a body that names another site', async () => {
  const { wanda, id } = await twoSites();
  await refuses(wanda.make('color', { SiteID: id })).with('invalid', `SiteID names ${id}`);
  await refuses(wanda.make('organization', { SiteID: id })).with('invalid', `SiteID names ${id}`);
  await refuses(wanda.make('organization', { ParentID: id })).with('invalid', `ParentID names ${id}`);
});

it('lets a global administrator list every site and name any', async () => {
  const { ada, wanda, wharf } = await twoSites();
  const made = await wanda.make('coreValue');
  expect(each(await ada.list('site'), 'Name')).toEqual(['Test', 'Wharf']);
  expect(await ada.list('coreValue', { site: wharf })).toEqual([made]);
  expect(await ada.put('site', wharf, { Name: 'Pier', Comment: 'Ferries', Category: 'Ships' })).toMatchObject({
    Name: 'Pier',
  });
  await refuses(ada.list('coreValue', { site: NOWHERE })).with('not_found', `there is no site ${NOWHERE}`);
});

it('lets a global administrator act in another site, and stay who they are', async () => {
  const { ada, as, wharf, wanda } = await twoSites();
  const there = await as('ada', 'Wharf');
  const made = await there.make('coreValue');
  expect(each(await wanda.list('coreValue'), 'ID')).toEqual([made.ID]);
  expect(await ada.list('coreValue')).toEqual([]);
  expect(await there.call('individual', 'get', 'mine')).toMatchObject({ ID: ada.id, UserName: 'ada' });
  expect((await there.session.find.record('site', { id: wharf })).row).toMatchObject({ Name: 'Wharf' });
  expect((await ada.session.find.byName('site', 'Name', 'wharf'))?.map(({ ID }) => ID)).toEqual([wharf]);
});

it('lets nobody else act in another site', async () => {
  const { ada, as, id, wharf } = await twoSites();
  await refuses(as('wanda', 'Test')).with('not_found', 'there is no site "Test"');
  await refuses(as('wanda', id)).with('not_found', id);
  expect((await as('wanda', wharf)).id).not.toBe(ada.id);
  expect(await (await as('wanda')).session.find.record('site', { id })).toEqual({ state: 'absent' });
});

it('says which sites a name may mean', async () => {
  const { ada, as, wharf } = await twoSites();
  const again = await ada.call('site', 'create', 'plain', { body: { Name: 'wharf', Admin: 'will' } });
  const error = await refuses(as('ada', 'WHARF')).with('ambiguous', 'several sites');
  expect(error.candidates.join()).toContain(wharf);
  expect(error.candidates.join()).toContain(again.ID);
});
