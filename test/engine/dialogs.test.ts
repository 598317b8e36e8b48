// Dialogs: what they are about, and how they are listed.
import { expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
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

it('is listed once for whoever has to do with it: itself, by its departments, by those who report to it', async () => {
  const { ada, organization, as } = await newSite();
  const ines = await ada.make('individual', { PrimaryReportsTo: ada.id });
  const sales = await ada.make('organization', { Name: 'Sales' });
  await ada.make('organizationMember', { IndividualID: ada.id, OrganizationID: sales.ID });
  const days = { Ind: [ada.id, '11'], Org: [organization, '12'], dept: [sales.ID, '13'], ReportsTo: [ines.ID, '14'] };
  for (const [Name, [AncestorID, day]] of Object.entries(days))
    await ada.make('dialog', { Name, AncestorID, DialogDate: `2026-05-${String(day)}T10:00:00+00:00` });
  await ada.make('dialog', { AncestorID: (await ada.make('project')).ID });
  const all = (query = {}) =>
    gathered(ada.session.list(everything, { by: 'individual', params: { id: ada.id }, query }));
  const rows = await all();
  expect(each(rows, 'Relation')).toEqual(['ReportsTo', 'dept', 'Org', 'Ind']);
  expect(each(rows, 'Name')).toEqual(each(rows, 'Relation'));
  expect(rows[1]).toMatchObject({ AncestorName: 'Sales', AncestorType: 56 });
  expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(everything.answers ?? {}));
  expect(each(await all({ startDate: '2026-05-12', endDate: '2026-05-13' }), 'Name')).toEqual(['dept', 'Org']);
  const hers = gathered((await as(ines.UserName)).session.list(everything, { params: { id: String(ines.ID) } }));
  expect(each(await hers, 'Relation')).toContain('Ind');
});

it('counts its tasks that are not completed, and those of them that the caller is to do', async () => {
  const { ada } = await newSite();
  const dialog = await ada.make('dialog');
  const AncestorID = dialog.ID;
  await ada.make('task', { AncestorID, Responsible: [ada.id] });
  await ada.make('task', { AncestorID });
  await ada.make('task', { AncestorID, Responsible: [ada.id], EndDateActual: '2026-05-01' });
  const [row] = await ada.answers('dialog', 'all', { individual: ada.id });
  expect(row).toMatchObject({ ID: dialog.ID, OpenTasks: 2, MyOpenTasks: 1, Relation: 'Ind' });
});

const everything = contract.dialog.operations.all;

async function gathered(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
