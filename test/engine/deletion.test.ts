// What is deleted, what goes with it, and how one sees it (D4, D5, D7, D8, D9).
import { expect, it } from 'vitest';
import { refuses } from '../support/refuses.ts';
import { each, newSite } from '../support/site.ts';

it('lists what is not deleted, what is, or both', async () => {
  const { ada } = await newSite();
  const kept = await ada.make('accountability', { Rank: 1 });
  const gone = await ada.make('accountability', { Rank: 2 });
  await ada.delete('accountability', gone.ID);
  const listed = async (query: object) => each(await ada.list('accountability', 'mine', { ...query }), 'ID');
  expect(await listed({})).toEqual([kept.ID]);
  expect(await listed({ deleted: 0 })).toEqual([kept.ID]);
  expect(await listed({ deleted: 1 })).toEqual([gone.ID]);
  expect(await listed({ deleted: 2 })).toEqual([kept.ID, gone.ID]);
});

it('counts what is deleted by reference among the deleted', async () => {
  const { ada, organization } = await newSite();
  const parent = await ada.make('organization');
  const child = await ada.make('organization', { ParentID: parent.ID });
  await ada.delete('organization', parent.ID);
  expect(each(await ada.list('organization', 'plain', { deleted: 0 }), 'ID')).toEqual([organization]);
  expect(await ada.list('organization', 'plain', { deleted: 1 })).toMatchObject([
    { ID: parent.ID, Deleted: true, DeletedByRef: false },
    { ID: child.ID, Deleted: false, DeletedByRef: true },
  ]);
});

it('does not find a deleted record, and says how to undelete it', async () => {
  const { ada } = await newSite();
  const { ID } = await ada.make('accountability', { Name: 'Coaching' });
  await ada.delete('accountability', ID);
  await refuses(ada.get('accountability', ID)).with(
    'deleted',
    `the accountability "Coaching" (${ID}) is deleted`,
    `pm accountabilities undelete ${ID}`,
  );
  await refuses(ada.change('accountability', ID, { Name: 'Training' })).with('deleted', /undelete/);
});

it('does not find a hidden record, and names the deleted one above it', async () => {
  const { ada } = await newSite();
  const east = await ada.make('organization', { Name: 'East' });
  const labs = await ada.make('organization', { Name: 'Labs', ParentID: east.ID });
  const { ID } = await ada.make('project', { Name: 'Crane', AncestorID: labs.ID });
  await ada.delete('organization', east.ID);
  const why = `is hidden, because the department "East" (${east.ID}) is deleted`;
  const way = `pm departments undelete ${east.ID}`;
  await refuses(ada.get('project', ID)).with('deleted', why, /Undelete what it belongs to/, way);
  await refuses(ada.change('project', ID, { Name: 'New' })).with('deleted', why, way);
  await refuses(ada.get('organization', labs.ID)).with('deleted', why, way);
});

it('lists below a deleted owner only where deleted records are asked for', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual');
  const { ID } = await ada.make('accountability', { AncestorID: ines.ID });
  await ada.delete('individual', ines.ID);
  const of = { individual: ines.ID };
  await refuses(ada.list('accountability', of)).with('deleted', `pm individuals undelete ${ines.ID}`);
  await refuses(ada.list('accountability', of, { deleted: 0 })).with('deleted');
  expect(each(await ada.list('accountability', of, { deleted: 1 }), 'ID')).toEqual([ID]);
  expect(each(await ada.list('accountability', of, { deleted: 2 }), 'ID')).toEqual([ID]);
});

it('makes nothing below a deleted owner', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual');
  await ada.delete('individual', ines.ID);
  await refuses(ada.make('accountability', { AncestorID: ines.ID })).with('invalid', /AncestorID.*is deleted/);
});

it('answers a deletion with the record as it stands then', async () => {
  const { ada, at } = await newSite();
  const made = await ada.make('accountability');
  at('2026-05-14T08:00:00Z');
  const deleted = await ada.delete('accountability', made.ID);
  expect(deleted).toEqual({ ...made, Deleted: true, Updated: '2026-05-14T08:00:00.000+00:00', UpdatedBy: ada.id });
});

it('answers an undeletion with the record as it stands then', async () => {
  const { ada, at } = await newSite();
  const made = await ada.make('accountability');
  await ada.delete('accountability', made.ID);
  at('2026-05-15T08:00:00Z');
  const back = await ada.undelete('accountability', made.ID);
  expect(back).toEqual({ ...made, Updated: '2026-05-15T08:00:00.000+00:00' });
});

it('deletes what is deleted and undeletes what is not without changing anything', async () => {
  const { ada, at } = await newSite();
  const { ID } = await ada.make('accountability');
  const live = await ada.get('accountability', ID);
  at('2026-05-14');
  expect(await ada.undelete('accountability', ID)).toEqual(live);
  const deleted = await ada.delete('accountability', ID);
  at('2026-05-15');
  expect(await ada.delete('accountability', ID)).toEqual(deleted);
  expect(each(await ada.history('accountability', ID), 'what')).toEqual(['create', 'delete']);
});

it('deletes for good what has no undelete, answers its last image, and keeps that in history', async () => {
  const { ada } = await newSite();
  const value = await ada.make('coreValue', { Name: 'Candour' });
  expect(await ada.delete('coreValue', value.ID)).toEqual(value);
  expect(await ada.list('coreValue')).toEqual([]);
  await refuses(ada.delete('coreValue', value.ID)).with('not_found', `${value.ID}`);
  const [, line] = await ada.history('coreValue', value.ID);
  expect(line).toMatchObject({ what: 'delete', before: { Name: 'Candour', Rank: value.Rank } });
});

it('lets a record that was undeleted below a deleted owner stay hidden', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual');
  const { ID } = await ada.make('accountability', { AncestorID: ines.ID });
  await ada.delete('accountability', ID);
  await ada.delete('individual', ines.ID);
  expect(await ada.undelete('accountability', ID)).toMatchObject({ Deleted: false, DeletedByRef: true });
  await ada.undelete('individual', ines.ID);
  expect(await ada.get('accountability', ID)).toMatchObject({ Deleted: false, DeletedByRef: false });
});

it('lets what is below such a record stay hidden too', async () => {
  const { ada } = await newSite();
  const sales = await ada.make('organization');
  const project = await ada.make('project', { AncestorID: sales.ID });
  const scope = await ada.make('projectScope', { AncestorID: project.ID });
  await ada.delete('project', project.ID);
  await ada.delete('organization', sales.ID);
  await ada.undelete('project', project.ID);
  await refuses(ada.get('projectScope', scope.ID)).with('deleted', /hidden/);
  await ada.undelete('organization', sales.ID);
  expect(await ada.get('projectScope', scope.ID)).toEqual(scope);
});

it('keeps individuals when their department goes, and hides their membership', async () => {
  const { ada } = await newSite();
  const sales = await ada.make('organization');
  const ines = await ada.make('individual', { PrimaryOrganizationID: sales.ID });
  await ada.delete('organization', sales.ID);
  expect(await ada.get('individual', ines.ID)).toMatchObject({ Deleted: false, DeletedByRef: false });
  expect(await ada.list('organizationMember', { individual: ines.ID })).toEqual([]);
  await ada.undelete('organization', sales.ID);
  expect(each(await ada.list('organizationMember', { individual: ines.ID }), 'OrganizationID')).toEqual([sales.ID]);
});

it('shows the membership of somebody who left a deleted department for another one', async () => {
  const { ada, organization } = await newSite();
  const sales = await ada.make('organization');
  const ines = await ada.make('individual', { PrimaryOrganizationID: sales.ID });
  await ada.delete('organization', sales.ID);
  await ada.change('individual', ines.ID, { PrimaryOrganizationID: organization });
  expect(await ada.list('organizationMember', { individual: ines.ID })).toMatchObject([
    { OrganizationID: organization, Primary: true },
  ]);
});

it('does not let a deleted individual call', async () => {
  const { ada, as } = await newSite();
  const ines = await ada.make('individual');
  await ada.delete('individual', ines.ID);
  await refuses(as(ines.UserName)).with('not_found', `${ines.UserName}`);
});
