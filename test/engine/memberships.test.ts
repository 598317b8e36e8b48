// The primary membership and the Primary members of an individual are one thing seen from two sides (D14).
import { expect, it } from 'vitest';
import { refuses } from '../support/refuses.ts';
import { ALLOW, give } from '../support/rights.ts';
import { type Asker, each, newSite } from '../support/site.ts';

const membershipsOf = (ada: Asker, individual: unknown) =>
  ada.list('organizationMember', { individual: String(individual) });

/** The primary membership, and a second one in another department. */
async function twoMemberships() {
  const site = await newSite();
  const { ada } = site;
  const [sales, north] = [await ada.make('organization'), await ada.make('organization')];
  const ines = await ada.make('individual', { PrimaryOrganizationID: sales.ID, PrimaryTitle: 'Seller' });
  const [primary] = await membershipsOf(ada, ines.ID);
  const second = await ada.make('organizationMember', {
    IndividualID: ines.ID,
    OrganizationID: north.ID,
    Title: 'Guest',
    ReportsToID: ada.id,
  });
  return { ...site, sales, north, ines, primary: { ...primary }, second };
}

it('makes the primary membership together with its individual', async () => {
  const { ada, sales, ines, primary } = await twoMemberships();
  expect(primary).toMatchObject({
    IndividualID: ines.ID,
    OrganizationID: sales.ID,
    ReportsToID: ada.id,
    Title: 'Seller',
    Primary: true,
    Leader: false,
    Name: ines.FullName,
    ReportsToFull: 'ada Administrator',
    ReportsToOrderedName: 'Administrator, ada',
  });
  expect(ines.PrimaryOrganizationName).toBe(sales.Name);
});

it('follows a change of the individual', async () => {
  const { ada, ines, primary, organization } = await twoMemberships();
  await ada.change('individual', ines.ID, {
    PrimaryOrganizationID: organization,
    PrimaryTitle: 'Chief',
    PrimaryReportsTo: ines.ID,
  });
  const after = (await membershipsOf(ada, ines.ID)).filter(({ Primary }) => Primary);
  expect(after).toMatchObject([{ ID: primary.ID, OrganizationID: organization, Title: 'Chief', ReportsToID: ines.ID }]);
});

it('takes the membership that the individual has there already, and releases the first', async () => {
  const { ada, ines, north, primary, second } = await twoMemberships();
  await ada.change('individual', ines.ID, { PrimaryOrganizationID: north.ID });
  const after = await membershipsOf(ada, ines.ID);
  expect(after.find(({ ID }) => ID === second.ID)).toMatchObject({ Primary: true, Title: 'Seller' });
  expect(after.find(({ ID }) => ID === primary.ID)).toMatchObject({ Primary: false });
});

it('shows a change of the membership on the individual', async () => {
  const { ada, ines, primary, organization } = await twoMemberships();
  await ada.change('organizationMember', primary.ID, {
    OrganizationID: organization,
    Title: 'Chief',
    ReportsToID: ines.ID,
  });
  expect(await ada.get('individual', ines.ID)).toMatchObject({
    PrimaryOrganizationID: organization,
    PrimaryTitle: 'Chief',
    PrimaryReportsTo: ines.ID,
  });
});

it('releases the first when another one becomes primary', async () => {
  const { ada, ines, north, primary, second } = await twoMemberships();
  await ada.change('organizationMember', second.ID, { Primary: true });
  expect(await ada.get('individual', ines.ID)).toMatchObject({
    PrimaryOrganizationID: north.ID,
    PrimaryTitle: 'Guest',
    PrimaryReportsTo: ada.id,
  });
  const after = await membershipsOf(ada, ines.ID);
  expect(after.find(({ ID }) => ID === primary.ID)).toMatchObject({ Primary: false });
});

it('makes a new membership primary, where it says so', async () => {
  const { ada, ines, organization } = await twoMemberships();
  await ada.make('organizationMember', {
    IndividualID: ines.ID,
    OrganizationID: organization,
    Title: 'Chief',
    ReportsToID: ada.id,
    Primary: true,
  });
  expect(await ada.get('individual', ines.ID)).toMatchObject({ PrimaryOrganizationID: organization });
  const primary = (await membershipsOf(ada, ines.ID)).filter(({ Primary }) => Primary);
  expect(each(primary, 'OrganizationID')).toEqual([organization]);
});

it('demands of a primary membership what the individual must have', async () => {
  const { ada, second, primary } = await twoMemberships();
  const bare = { Primary: true, Title: null, ReportsToID: null };
  await refuses(ada.change('organizationMember', second.ID, bare)).with('invalid', /Title is required/, /ReportsToID/);
  await refuses(ada.change('organizationMember', primary.ID, { Title: null })).with('invalid', /Title is required/);
});

it('deletes a membership for good, but never the primary one', async () => {
  const { ada, primary, second } = await twoMemberships();
  await refuses(ada.delete('organizationMember', primary.ID)).with('conflict', /is the primary one/, '--primary true');
  expect(await ada.delete('organizationMember', second.ID)).toEqual(second);
  await refuses(ada.delete('organizationMember', second.ID)).with('not_found');
});

it('gives the primary one up to another one only', async () => {
  const { ada, ines, primary } = await twoMemberships();
  await refuses(ada.change('organizationMember', primary.ID, { Primary: false })).with('immutable', /Primary/);
  expect(await ada.get('individual', ines.ID)).toEqual(ines);
});

it('refuses a loop of reporting here too', async () => {
  const { ada, ines, primary } = await twoMemberships();
  const below = await ada.make('individual', { PrimaryReportsTo: ines.ID });
  await refuses(ada.change('organizationMember', primary.ID, { ReportsToID: below.ID })).with('invalid', / → /);
});

it('knows one membership of each individual in each department', async () => {
  const { ada, ines, sales } = await twoMemberships();
  const again = ada.make('organizationMember', { IndividualID: ines.ID, OrganizationID: sales.ID });
  await refuses(again).with('conflict', `IndividualID ${ines.ID}, OrganizationID ${sales.ID}`);
});

it('does not let anybody but an administrator change what shows on their own record', async () => {
  const { ada, as, ines, primary, second } = await twoMemberships();
  for (const { OrganizationID } of [primary, second]) await give(ada, ines, OrganizationID, { Update: ALLOW });
  const self = await as(ines.UserName);
  await refuses(self.change('organizationMember', primary.ID, { Title: 'Chief' })).with('admin_only', 'Title');
  await refuses(self.change('organizationMember', second.ID, { Primary: true })).with('admin_only', 'Primary');
  expect(await self.change('organizationMember', primary.ID, { Leader: true })).toMatchObject({ Leader: true });
  expect(await self.change('organizationMember', second.ID, { Title: 'Helper' })).toMatchObject({ Title: 'Helper' });
});

it('is found by its individual and its department', async () => {
  const { ada, ines, north, second } = await twoMemberships();
  const of = { individual: [ines.ID, north.ID] };
  expect(await ada.call('organizationMember', 'get', of)).toEqual(second);
  const body = { ID: second.ID, Title: 'Helper' };
  expect(await ada.call('organizationMember', 'update', of, { body })).toMatchObject({ Title: 'Helper' });
});

it('lists departments by individual and individuals by department', async () => {
  const { ada, as, ines, sales, north } = await twoMemberships();
  expect(each(await ada.list('organization', { individual: ines.ID }), 'ID')).toEqual([sales.ID, north.ID]);
  expect(each(await ada.list('individual', { department: north.ID }), 'ID')).toEqual([ines.ID]);
  const self = await as(ines.UserName);
  expect(each(await self.list('organization', 'mine'), 'ID')).toEqual([sales.ID, north.ID]);
});
