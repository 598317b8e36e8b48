// Dialogs: what they are about, and how they are listed.
import { expect, it } from 'vitest';
import { refuses } from '../support/refuses.ts';
import { each, newSite } from '../support/site.ts';

it('shows the row type of what it is about, and is listed by it', async () => {
  const { ada, id, organization } = await newSite();
  const sales = await ada.make('organization');
  const project = await ada.make('project');
  const about = { 4: organization, 56: sales.ID, 15: project.ID, 39: ada.id };
  for (const [type, AncestorID] of Object.entries(about)) {
    const dialog = await ada.make('dialog', { AncestorID });
    expect(dialog).toMatchObject({ AncestorID, AncestorType: Number(type), Template: false, Draft: false });
    expect(await ada.list('dialog', 'plain', { ancestorType: type })).toEqual([dialog]);
    expect(await ada.list('dialog', { site: id }, { ancestorType: type })).toEqual([dialog]);
  }
  expect(await ada.list('dialog')).toHaveLength(4);
  await refuses(ada.list('dialog', 'plain', { ancestorType: 7 })).with('invalid', 'ancestorType is 7');
});

it('is listed below a department, an organization, an individual and a project', async () => {
  const { ada, organization } = await newSite();
  const project = await ada.make('project');
  const owners = { department: organization, alsoDepartment: organization, individual: ada.id, project: project.ID };
  for (const AncestorID of new Set(Object.values(owners))) await ada.make('dialog', { AncestorID });
  for (const [route, AncestorID] of Object.entries(owners)) {
    expect(each(await ada.list('dialog', { [route]: AncestorID }), 'AncestorID')).toEqual([AncestorID]);
  }
});

it('tells what the caller may do with it', async () => {
  const { ada } = await newSite();
  expect(await ada.make('dialog')).toMatchObject({
    CanRead: true,
    CanUpdate: true,
    CanDelete: true,
    CanDelegate: true,
  });
});
