// Basic roles, their indicators, and what dialogs say of them.
import { expect, it } from 'vitest';
import { refuses } from '../support/refuses.ts';
import { each, newSite } from '../support/site.ts';

it("is the caller's where nobody is named", async () => {
  const { ada, as } = await newSite();
  const ines = await as((await ada.make('individual')).UserName);
  expect(await ines.create('basicRole', { Name: 'Founder' })).toMatchObject({ IndividualID: ines.id });
  expect(await ada.create('basicRole', { Name: 'Guest', IndividualID: ines.id })).toMatchObject({
    IndividualID: ines.id,
  });
  expect(each(await ines.list('basicRole', 'mine'), 'Name')).toEqual(['Founder', 'Guest']);
});

it('shows the names of its indicators in their order, without deleted ones', async () => {
  const { ada } = await newSite();
  const role = await ada.make('basicRole');
  expect(role.PerformanceIndicators).toBeNull();
  const add = (Name: string, Rank: number) => ada.make('indicator', { BasicRoleID: role.ID, Name, Rank });
  await add('Yield', 2);
  await add('Speed', 1);
  const gone = await add('Noise', 3);
  await ada.delete('indicator', gone.ID);
  expect(await ada.get('basicRole', role.ID)).toMatchObject({ PerformanceIndicators: 'Speed; Yield' });
});

it('counts the roles of every individual of the site, of those without one too', async () => {
  const { ada, id } = await newSite();
  const ines = await ada.make('individual', { FirstName: 'Ines', LastName: 'Moreau' });
  await ada.make('basicRole', { IndividualID: ines.ID });
  await ada.make('basicRole', { IndividualID: ines.ID });
  const gone = await ada.make('basicRole', { IndividualID: ines.ID });
  await ada.delete('basicRole', gone.ID);
  expect(await ada.answers('basicRole', 'summary', { site: id })).toEqual([
    { IndividualID: ada.id, FullOrderedName: 'Administrator, ada', Count: 0 },
    { IndividualID: ines.ID, FullOrderedName: 'Moreau, Ines', Count: 2 },
  ]);
  await ada.delete('individual', ines.ID);
  expect(each(await ada.answers('basicRole', 'summary', { site: id }), 'IndividualID')).toEqual([ada.id]);
});

it('lists indicators by role and by individual, each narrowed by the other', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual');
  const [mine, hers] = [await ada.make('basicRole'), await ada.make('basicRole', { IndividualID: ines.ID })];
  const other = await ada.make('basicRole', { IndividualID: ines.ID });
  const of = async (role: { ID?: unknown }) => (await ada.make('indicator', { BasicRoleID: role.ID, Rank: 1 })).ID;
  const [a, b, c] = [await of(mine), await of(hers), await of(other)];
  const listed = async (...[route, query]: [Record<string, string>, Record<string, string>?]) =>
    each(await ada.list('indicator', route, query), 'ID');
  const [Mine, Hers, Ines] = [String(mine.ID), String(hers.ID), String(ines.ID)];
  expect(await listed({ basicRole: Mine })).toEqual([a]);
  expect(await listed({ individual: Ines })).toEqual([b, c]);
  expect(await listed({ individual: Ines }, { basicroleid: Hers })).toEqual([b]);
  expect(await listed({ individual: Ines }, { basicroleid: Mine })).toEqual([]);
  expect(await listed({ basicRole: Hers }, { individualid: Ines })).toEqual([b]);
  expect(await listed({ basicRole: Hers }, { individualid: ada.id })).toEqual([]);
});

it('does not find a role or an individual by which a list is narrowed, where there is none', async () => {
  const { ada } = await newSite();
  const nobody = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const { ID } = await ada.make('basicRole');
  await refuses(ada.list('indicator', { individual: ada.id }, { basicroleid: nobody })).with('not_found', nobody);
  await refuses(ada.list('indicator', { basicRole: ID }, { individualid: nobody })).with('not_found', nobody);
});

it('shows of an indicator what its role says', async () => {
  const { ada } = await newSite();
  const role = await ada.make('basicRole', { Name: 'Founder', Rank: 3, PercentTime: 40 });
  expect(await ada.make('indicator', { BasicRoleID: role.ID })).toMatchObject({
    BasicRoleName: 'Founder',
    BasicRoleRank: 3,
    BasicRolePercentTime: 40,
  });
});

it('writes the entry of a role in a dialog, whether there was one or not', async () => {
  const { ada } = await newSite();
  const role = await ada.make('basicRole', { Name: 'Founder', Rank: 3 });
  const dialog = await ada.make('dialog', { DialogDate: '2026-05-20T10:00:00+02:00' });
  const of = { basicRole: [role.ID, dialog.ID] };
  const write = (Description: string) => ada.call('basicRoleDialog', 'update', of, { body: { Description } });
  await refuses(ada.call('basicRoleDialog', 'get', of)).with('not_found');
  const first = await write('Going well');
  expect(first).toEqual({
    BasicRoleID: role.ID,
    DialogID: dialog.ID,
    Description: 'Going well',
    BasicRoleName: 'Founder',
    BasicRoleRank: 3,
    DialogDate: '2026-05-20T10:00:00+02:00',
  });
  expect(await ada.call('basicRoleDialog', 'get', of)).toEqual(first);
  const second = await write('Going better');
  expect(await ada.list('basicRoleDialog', { dialog: dialog.ID })).toEqual([second]);
  expect(await ada.list('basicRoleDialog', { basicRole: role.ID })).toEqual([second]);
  expect(each(await ada.history('basicRoleDialog', `${role.ID}/${dialog.ID}`), 'what')).toEqual(['create', 'update']);
});

it('writes no entry of a role or in a dialog that is deleted', async () => {
  const { ada } = await newSite();
  const role = await ada.make('basicRole');
  const dialog = await ada.make('dialog');
  const write = () =>
    ada.call('basicRoleDialog', 'update', { basicRole: [role.ID, dialog.ID] }, { body: { Description: 'Late' } });
  await ada.delete('dialog', dialog.ID);
  await refuses(write()).with('deleted', `pm dialogs undelete ${dialog.ID}`);
  await ada.undelete('dialog', dialog.ID);
  await ada.delete('basicRole', role.ID);
  await refuses(write()).with('deleted', `pm basic-roles undelete ${role.ID}`);
});
