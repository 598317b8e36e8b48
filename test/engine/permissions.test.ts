// Permissions and the groups they are given to (D18, D20).
import { expect, it } from 'vitest';
import { refuses } from '../support/refuses.ts';
import { ALLOW, give } from '../support/rights.ts';
import { each, newSite } from '../support/site.ts';

it('shows its states in words, and whose it is on what', async () => {
  const { ada, organization } = await newSite();
  const group = await ada.make('securityGroup', { Group: 'Builders' });
  const right = await ada.make('permission', {
    PrincipalID: group.ID,
    CreateState: 0,
    ReadState: 1,
    UpdateState: 2,
  });
  expect(right).toMatchObject({
    CreateText: 'Not Set',
    ReadText: 'Allow',
    UpdateText: 'Deny',
    PrincipalName: 'Builders',
    PrincipalType: 2,
    RowID: organization,
    RowName: 'Test',
    RowType: 4,
  });
});

it('is given to an individual under its UserID', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual', { FirstName: 'Ines', LastName: 'Moreau' });
  expect(await ada.make('permission', { PrincipalID: ines.UserID })).toMatchObject({
    PrincipalID: ines.UserID,
    PrincipalType: 1,
    PrincipalName: 'Ines Moreau',
  });
});

it('is never given under the ID of an individual, and names the right one', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual');
  await refuses(ada.make('permission', { PrincipalID: ines.ID })).with('invalid', /PrincipalID/, `${ines.UserID}`);
});

it('is not given to those who are deleted', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual');
  const group = await ada.make('securityGroup');
  await ada.delete('individual', ines.ID);
  await ada.delete('securityGroup', group.ID);
  await refuses(ada.make('permission', { PrincipalID: ines.UserID })).with('invalid', /is deleted/);
  await refuses(ada.make('permission', { PrincipalID: group.ID })).with('invalid', /is deleted/);
});

it.each([4, 7, 9, 15, 16, 19, 25, 38, 58])('keeps the child type %i', async (ChildType) => {
  const { ada } = await newSite();
  expect(await ada.make('permission', { ChildType })).toMatchObject({ ChildType });
});

it.each([0, 1, 5, 39, 56, -4])('keeps none for %i, which is not a child type', async (ChildType) => {
  const { ada } = await newSite();
  const right = await ada.make('permission', { ChildType });
  expect(right.ChildType).toBeNull();
  const other = await ada.make('permission', { ChildType: 9 });
  expect(await ada.change('permission', other.ID, { ChildType })).toMatchObject({ ChildType: null });
});

it('knows one row of each object, principal and child type', async () => {
  const { ada } = await newSite();
  const group = await ada.make('securityGroup');
  const give = (ChildType: number | null) => ada.make('permission', { PrincipalID: group.ID, ChildType });
  await give(null);
  const nine = await give(9);
  await refuses(give(9)).with('conflict', 'ChildType 9');
  await refuses(give(null)).with('conflict', 'ChildType null');
  await refuses(give(99)).with('conflict', 'ChildType null');
  await refuses(ada.change('permission', nine.ID, { ChildType: null })).with('conflict', 'ChildType null');
});

it('is listed by its object, and by the type of child it is about', async () => {
  const { ada, id, organization } = await newSite();
  const project = await ada.make('project');
  const owners = { site: id, department: organization, individual: ada.id, project: project.ID };
  for (const [route, RowID] of Object.entries(owners)) {
    const own = await ada.make('permission', { RowID });
    const about = await ada.make('permission', { RowID, ChildType: 9 });
    expect(each(await ada.list('permission', { [route]: RowID }), 'ID')).toEqual([own.ID]);
    expect(each(await ada.list('permission', { [`${route}Children`]: [RowID, 9] }), 'ID')).toEqual([about.ID]);
  }
  await refuses(ada.list('permission', { siteChildren: [id, 5] })).with('invalid', 'childtype is 5');
});

it('lists groups by name, and tells those that a site begins with', async () => {
  const { ada, id } = await newSite();
  await ada.make('securityGroup', { Group: 'builders' });
  expect(each(await ada.list('securityGroup'), 'Group')).toEqual(['builders', 'Human resources', 'Leaders', 'Readers']);
  const defaults = await ada.answers('securityGroup', 'defaults', { site: id });
  expect(each(defaults, 'Group').sort()).toEqual(['Human resources', 'Leaders', 'Readers']);
});

it('counts for the record that it is on, and for none of another kind with the same ID', async () => {
  const { ada, as, engine } = await newSite();
  const ines = await ada.make('individual');
  const klara = await ada.make('individual');
  const project = await ada.make('project');
  await give(ada, klara, project.ID, { Update: ALLOW });
  // Files of older programs may hold such records.
  const own = await ada.make('accountability', { AncestorID: ines.ID });
  await engine.store.transaction(async (writer) => writer.insert('accountability', { ...own, ID: project.ID ?? null }));
  const asker = await as(klara.UserName);
  expect(await asker.change('project', project.ID, { Name: 'Tower' })).toMatchObject({ Name: 'Tower' });
  await refuses(asker.change('accountability', project.ID, { Name: 'Tower' })).with('forbidden');
});
