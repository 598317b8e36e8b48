// What a body may hold besides the members it means to set, and what the address says with it (D11, D12).
import { expect, it } from 'vitest';
import type { ResourceName } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { cheapDerivations } from '../support/derivations.ts';
import { refuses } from '../support/refuses.ts';
import { newSite } from '../support/site.ts';

cheapDerivations();

const NOBODY = '0f8fad5b-d9cb-469f-a165-70867728950e';

it('ignores read-only members', async () => {
  const { ada } = await newSite();
  const made = await ada.make('accountability', { Deleted: true, CreatedBy: NOBODY, SiteID: NOBODY, Created: 'never' });
  expect(made).toMatchObject({ Deleted: false, CreatedBy: ada.id, SiteID: ada.session.me.site });
  const sent = { Deleted: true, DeletedByRef: true, UpdatedBy: NOBODY, Updated: '1999-01-01T00:00:00Z' };
  expect(await ada.change('accountability', made.ID, sent)).toEqual(made);
});

it('keeps and returns unknown members where the list of fields is cut', async () => {
  const { ada } = await newSite();
  const made = await ada.make('organization', { Motto: 'Onward', Seats: 12, Open: false, Lift: null });
  const unknown = { Motto: 'Onward', Seats: 12, Open: false, Lift: null };
  expect(made).toMatchObject(unknown);
  expect(await ada.get('organization', made.ID)).toMatchObject(unknown);
  expect(await ada.list('organization', 'plain', { deleted: 0 })).toContainEqual(made);
});

it('replaces unknown members like the others', async () => {
  const { ada } = await newSite();
  const made = await ada.make('organization', { Motto: 'Onward', Seats: 12 });
  const { Motto: _, ...rest } = made;
  const after = await ada.put('organization', made.ID, { ...rest, Seats: 13 });
  expect(after.Seats).toBe(13);
  expect(after).not.toHaveProperty('Motto');
});

it('changes nothing when unknown members come back as they were', async () => {
  const { ada, at } = await newSite();
  const made = await ada.make('organization', { Motto: 'Onward', Seats: 12 });
  at('2026-06-01');
  expect(await ada.change('organization', made.ID, {})).toEqual(made);
});

it('refuses unknown and misspelled query parameters', async () => {
  const { ada } = await newSite();
  const misspelled = ada.list('accountability', 'mine', { delted: 1 });
  await refuses(misspelled).with('invalid', /delted/, 'Did you mean deleted?');
  await refuses(ada.list('comment', 'mine', { tz: 'UTC' })).with('invalid', /tz is not a parameter/);
});

it('does not find a child at the address of another owner', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual');
  const { ID } = await ada.make('accountability', { AncestorID: ines.ID });
  const at = (individual: unknown) =>
    ada.call('accountability', 'get', { individual: [String(individual), String(ID)] });
  expect(await at(ines.ID)).toMatchObject({ ID });
  await refuses(at(ada.id)).with('not_found', `${ID}`);
});

it('fills in the owners that the address names, and refuses a body that says otherwise', async () => {
  const { ada } = await newSite();
  const [sales, north] = [await ada.make('organization'), await ada.make('organization')];
  const of = { alsoIndividual: [ada.id, sales.ID] };
  const made = await ada.call('organizationMember', 'create', of, { body: { Title: 'Adviser' } });
  expect(made).toMatchObject({ IndividualID: ada.id, OrganizationID: sales.ID, Title: 'Adviser' });
  const other = ada.call('organizationMember', 'create', of, { body: { OrganizationID: north.ID } });
  await refuses(other).with('immutable', `but the address says ${sales.ID}`);
});

it('takes the ID of the address where the body has none, and refuses another one', async () => {
  const { ada } = await newSite();
  for (const resource of ['accountability', 'color', 'commitment'] as const) {
    const { ID, ...rest } = await ada.make(resource);
    const put = (body: Row) => ada.call(resource, 'update', { plain: ID }, { body });
    await expect(put({ ...rest, Name: 'Anew' }), resource).resolves.toMatchObject({ ID, Name: 'Anew' });
    await expect(put({ ...rest, ID: null })).resolves.toMatchObject({ ID });
    const other = typeof ID === 'number' ? ID + 1 : NOBODY;
    await refuses(put({ ...rest, id: other })).with('immutable', 'but the address says');
  }
});

it('takes the ID that a new record brings', async () => {
  const { ada } = await newSite();
  expect(await ada.make('accountability', { ID: NOBODY.toUpperCase() })).toMatchObject({ ID: NOBODY });
});

it('answers the record that the same creation made before', async () => {
  const { ada, at } = await newSite();
  const body = { ID: NOBODY, AncestorID: ada.id, Rank: 1, Name: 'Coaching', Description: 'Of all' };
  const made = await ada.create('accountability', body);
  at('2026-05-20');
  expect(await ada.create('accountability', body)).toEqual(made);
  expect(await ada.history('accountability', NOBODY)).toHaveLength(1);
});

it.each([
  ['organization', { ParentID: null }],
  ['organization', { Motto: 'Onward' }],
  ['basicRole', { IndividualID: null }],
  ['dialog', { DialogDate: '2026-05-20T10:00:00+02:00' }],
  ['permission', { ChildType: 99 }],
  ['individual', { Password: 'secret enough' }],
] as const)(
  'answers it where the engine fills in or keeps to itself what was sent: %s %j',
  async (resource, members) => {
    const { ada } = await newSite();
    const body = await ada.body(resource, { ID: NOBODY, ...members });
    expect(await ada.create(resource, body)).toEqual(await ada.create(resource, body));
  },
);

it('refuses the same ID with other values', async () => {
  const { ada } = await newSite();
  await ada.make('accountability', { ID: NOBODY, Name: 'Coaching' });
  await refuses(ada.make('accountability', { ID: NOBODY, Name: 'Training' })).with(
    'conflict',
    `the ID ${NOBODY} is taken`,
    `get ${NOBODY}`,
  );
  const sales = await ada.make('organization', { Motto: 'Onward' });
  await refuses(ada.create('organization', { ...sales, Motto: 'Back' })).with('conflict', `${sales.ID}`);
});

it('tells a taken ID in the same words, whatever has it, and answers only who made the record or may read it', async () => {
  const { ada, as, id } = await newSite();
  const ines = await ada.make('individual', { UserName: 'ines' });
  const klara = await as((await ada.make('individual')).UserName);
  const mine = await ada.make('dialog', { AncestorID: ada.id });
  await ada.make('accountability', { ID: NOBODY, AncestorID: ines.ID });
  const told = async (resource: ResourceName, ID: Row[string] | undefined): Promise<string> => {
    const error = await refuses(klara.make(resource, { ID })).with('conflict');
    return error.message.replace(String(ID), 'X');
  };
  const words = await Promise.all([
    ...[told('basicRole', mine.ID), told('accountability', mine.ID), told('accountability', NOBODY)],
    ...[told('basicRole', id), told('basicRole', ines.UserID)],
  ]);
  expect(new Set(words)).toEqual(new Set(['the ID X is taken']));
  const comment = await klara.make('comment', { AncestorID: ines.ID });
  expect(await klara.create('comment', comment)).toMatchObject({ ID: comment.ID });
});

it('refuses the ID of a deleted record, and says how to undelete it', async () => {
  const { ada } = await newSite();
  const made = await ada.make('accountability', { ID: NOBODY, Name: 'Coaching' });
  await ada.delete('accountability', NOBODY);
  await refuses(ada.create('accountability', made)).with('conflict', /is taken/, `undelete ${NOBODY}`);
});

it('never lets two records share an ID, whatever they are', async () => {
  const { ada, id } = await newSite();
  const ines = await ada.make('individual');
  await refuses(ada.make('project', { ID: ines.ID })).with('conflict', /is taken/);
  await refuses(ada.make('organization', { ID: id })).with('conflict', /is taken/);
  // A group owns the permission rows that it is given.
  await refuses(ada.make('securityGroup', { ID: ines.ID })).with('conflict', /is taken/);
  await refuses(ada.make('securityGroup', { ID: ines.UserID })).with('conflict', /is taken/);
  const dialog = await ada.make('dialog');
  await refuses(ada.make('accountability', { ID: dialog.ID })).with('conflict', /is taken/);
  await refuses(ada.make('comment', { ID: dialog.ID })).with('conflict', /is taken/);
});

it('refuses a body whose ID is not that of the address', async () => {
  const { ada } = await newSite();
  const made = await ada.make('accountability');
  await refuses(ada.put('accountability', made.ID, { ...made, ID: NOBODY })).with('immutable', `ID is ${NOBODY}`);
  const { ID } = await ada.make('color');
  await refuses(ada.put('color', ID, { ...(await ada.get('color', ID)), ID: 99 })).with('immutable', 'ID is 99');
  const membership = await ada.make('organizationMember');
  const of = { individual: [ada.id, membership.OrganizationID] };
  const misnamed = ada.call('organizationMember', 'update', of, { body: { ...membership, ID: NOBODY } });
  await refuses(misnamed).with('immutable', 'ID');
});

it('counts integer IDs for each site, and never gives one again', async () => {
  const { ada } = await newSite();
  const [first, second] = [await ada.make('color', { ID: 77 }), await ada.make('color')];
  expect([first.ID, second.ID]).toEqual([5, 6]);
  await ada.delete('color', second.ID);
  expect(await ada.make('color')).toMatchObject({ ID: 7 });
  expect(await ada.make('commitment')).toMatchObject({ ID: 1 });
});
