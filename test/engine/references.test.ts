// What a body may name (D15).
import { expect, it } from 'vitest';
import { refuses } from '../support/refuses.ts';
import { newSite } from '../support/site.ts';

const NOBODY = '0f8fad5b-d9cb-469f-a165-70867728950e';

it('refuses a new record that names itself', async () => {
  const { ada } = await newSite();
  await refuses(ada.make('accountability', { ID: NOBODY, AncestorID: NOBODY })).with('invalid', /AncestorID/);
  await refuses(ada.make('comment', { ID: NOBODY, AncestorID: NOBODY })).with('invalid', /AncestorID/);
  await refuses(ada.make('project', { ID: NOBODY, ParentID: NOBODY })).with('invalid', /ParentID/);
});

it('refuses a reference to a deleted record, and says which', async () => {
  const { ada } = await newSite();
  const sales = await ada.make('organization', { Name: 'Sales' });
  await ada.delete('organization', sales.ID);
  await refuses(ada.make('individual', { PrimaryOrganizationID: sales.ID })).with(
    'invalid',
    `PrimaryOrganizationID names the organization or department "Sales" (${sales.ID}), which is deleted`,
  );
});

it('refuses a reference to a hidden record', async () => {
  const { ada } = await newSite();
  const sales = await ada.make('organization');
  const north = await ada.make('organization', { ParentID: sales.ID });
  await ada.delete('organization', sales.ID);
  await refuses(ada.make('comment', { AncestorID: north.ID })).with('invalid', /AncestorID.*which is deleted/);
});

it('refuses a reference to a record of another type, and says what it is', async () => {
  const { ada, organization } = await newSite();
  await refuses(ada.make('accountability', { AncestorID: organization })).with(
    'invalid',
    /AncestorID names the organization or department "Test".*must name an individual/,
  );
  const { ID } = await ada.make('accountability', { Name: 'Coaching' });
  await refuses(ada.make('comment', { AncestorID: ID })).with('invalid', /names the accountability "Coaching"/);
});

it('refuses a reference into another site exactly like one to nothing', async () => {
  const { ada, as } = await newSite();
  await ada.call('site', 'create', 'plain', { body: { Name: 'Wharf', Admin: 'wanda' } });
  const wanda = await as('wanda');
  const [there, nothing] = [ada.make('comment', { AncestorID: wanda.id }), ada.make('comment', { AncestorID: NOBODY })];
  const refused = await Promise.all([there, nothing].map((call) => refuses(call).with('invalid', /AncestorID/)));
  expect(refused[0]?.message.replace(wanda.id, NOBODY)).toBe(refused[1]?.message);
});

it('refuses references by number too: phases, statuses, periods', async () => {
  const { ada } = await newSite();
  await refuses(ada.make('project', { PhaseID: 99, StatusID: 98 })).with(
    'invalid',
    /PhaseID names 99/,
    /StatusID names 98/,
  );
  await refuses(ada.make('commitment', { PeriodID: 99 })).with('invalid', /PeriodID names 99/);
});

it('passes a reference that is sent unchanged, although what it names was deleted since', async () => {
  const { ada } = await newSite();
  const boss = await ada.make('individual');
  const ines = await ada.make('individual', { PrimaryReportsTo: boss.ID });
  await ada.delete('individual', boss.ID);
  expect(await ada.change('individual', ines.ID, { PrimaryTitle: 'Chief' })).toMatchObject({
    PrimaryTitle: 'Chief',
    PrimaryReportsTo: boss.ID,
  });
  const other = await ada.make('individual');
  await refuses(ada.change('individual', other.ID, { PrimaryReportsTo: boss.ID })).with('invalid', /is deleted/);
});

it('lists what a reference may name, each with its article', async () => {
  const { ada } = await newSite();
  const group = await ada.make('securityGroup');
  await refuses(ada.make('permission', { PrincipalID: ada.id })).with('invalid', /PrincipalID/);
  await refuses(ada.make('permission', { PrincipalID: (await ada.make('color')).SiteID })).with(
    'invalid',
    /must name a user or security group/,
  );
  await refuses(ada.make('permission', { RowID: group.ID })).with('invalid', /names the security group .*, .* or /);
});
