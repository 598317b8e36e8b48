// Through every ownership of the contract: what belongs to a deleted record is hidden, and comes back with it (D6).
import { describe, expect, it } from 'vitest';
import { type ResourceName, storedResources } from '../../src/contract/index.ts';
import { ownedBy } from '../../src/contract/record-address.ts';
import { isSoft, type Resource, type Row, type Value } from '../../src/contract/resource.ts';
import { type Asker, each, newSite } from '../support/site.ts';

interface Case {
  readonly owner: ResourceName;
  readonly child: ResourceName;
  readonly field: string;
  /** The owner's member that the field holds. */
  readonly by: string;
  readonly soft: boolean;
}

const casesOf = (owner: Resource, target: string, by: string): readonly Case[] =>
  ownedBy(storedResources, target).map(({ resource, field }) => ({
    owner: owner.name as ResourceName,
    child: resource.name as ResourceName,
    field,
    by,
    soft: isSoft(resource),
  }));

const CASES: readonly Case[] = storedResources
  .filter(isSoft)
  .flatMap((owner) => [
    ...casesOf(owner, owner.name, 'ID'),
    ...(owner.name === 'individual' ? casesOf(owner, 'principal', 'UserID') : []),
  ]);

async function makeChild(asker: Asker, { child, field }: Case, owner: Value | undefined): Promise<Row> {
  if (child !== 'basicRoleDialog') return asker.make(child, { [field]: owner });
  const [role, dialog] =
    field === 'BasicRoleID' ? [owner, (await asker.make('dialog')).ID] : [(await asker.make('basicRole')).ID, owner];
  const entry = await asker.call(child, 'update', { basicRole: [role, dialog] }, { body: { Description: 'Fine' } });
  return { ...entry, ID: `${entry.BasicRoleID}/${entry.DialogID}` };
}

it('is about every kind of owner', () => {
  const owners = new Set(CASES.map(({ owner }) => owner));
  const known = ['basicRole', 'dialog', 'individual', 'metric', 'organization', 'project', 'securityGroup', 'task'];
  expect([...owners].sort()).toEqual(known);
});

describe.each(CASES)('a $child whose $field is a deleted $owner', (one) => {
  const { owner, child, by } = one;

  it('is hidden, and comes back with it', async () => {
    const { ada, engine, id: site } = await newSite();
    const above = await ada.make(owner);
    const { ID } = await makeChild(ada, one, above[by]);
    const hidden = async () => (await engine.store.get(child, site, String(ID)))?.DeletedByRef;
    await ada.delete(owner, above.ID);
    expect(await hidden()).toBe(true);
    await ada.undelete(owner, above.ID);
    expect(await hidden()).toBe(false);
  });
});

describe.each(CASES.filter(({ soft }) => soft))('a $child that was deleted before the $owner of its $field', (one) => {
  const { owner, child, by } = one;

  it('stays deleted when that comes back', async () => {
    const { ada } = await newSite();
    const above = await ada.make(owner);
    const { ID } = await makeChild(ada, one, above[by]);
    const record = async () => (await ada.session.find.record(child, { id: String(ID) })).row;
    await ada.delete(child, ID);
    await ada.delete(owner, above.ID);
    expect(await record()).toMatchObject({ Deleted: true, DeletedByRef: true });
    await ada.undelete(owner, above.ID);
    expect(await record()).toMatchObject({ Deleted: true, DeletedByRef: false });
  });
});

describe('a record without the mark is hidden all the same:', () => {
  it('a membership', async () => {
    const { ada } = await newSite();
    const ines = await ada.make('individual');
    const sales = await ada.make('organization');
    await ada.make('organizationMember', { IndividualID: ines.ID, OrganizationID: sales.ID });
    await ada.delete('individual', ines.ID);
    expect(await ada.list('organizationMember', { department: sales.ID })).toEqual([]);
    await ada.undelete('individual', ines.ID);
    expect(each(await ada.list('organizationMember', { department: sales.ID }), 'IndividualID')).toEqual([ines.ID]);
  });

  it('a team member', async () => {
    const { ada } = await newSite();
    const ines = await ada.make('individual');
    const { ID, TaskID } = await ada.make('teamMember', { IndividualID: ines.ID });
    await ada.delete('individual', ines.ID);
    expect(await ada.list('teamMember', { project: TaskID })).toEqual([]);
    await ada.undelete('individual', ines.ID);
    expect(each(await ada.list('teamMember', { project: TaskID }), 'ID')).toEqual([ID]);
  });

  it('a commitment, which no period counts while it is', async () => {
    const { ada, id: site } = await newSite();
    const sales = await ada.make('organization');
    await ada.make('commitment', { AncestorID: sales.ID, PeriodID: 2 });
    const counted = async () => each(await ada.list('period', { site }), 'TotalCommitments');
    expect(await counted()).toEqual([0, 1, 0, 0]);
    await ada.delete('organization', sales.ID);
    expect(await counted()).toEqual([0, 0, 0, 0]);
    await ada.undelete('organization', sales.ID);
    expect(await counted()).toEqual([0, 1, 0, 0]);
  });
});

it('goes down any number of steps, and back', async () => {
  const { ada } = await newSite();
  const top = await ada.make('organization');
  const middle = await ada.make('organization', { ParentID: top.ID });
  const project = await ada.make('project', { AncestorID: middle.ID });
  const scope = await ada.make('projectScope', { AncestorID: project.ID });
  await ada.delete('organization', top.ID);
  expect((await ada.session.find.record('projectScope', { id: String(scope.ID) })).row).toMatchObject({
    DeletedByRef: true,
  });
  await ada.undelete('organization', top.ID);
  expect(await ada.get('projectScope', scope.ID)).toEqual(scope);
});

it("is nobody's change: what goes and comes back by reference keeps its dates and gets no line of history", async () => {
  const { ada, at } = await newSite();
  const ines = await ada.make('individual');
  const made = await ada.make('accountability', { AncestorID: ines.ID });
  at('2026-05-20');
  await ada.delete('individual', ines.ID);
  await ada.undelete('individual', ines.ID);
  expect(await ada.get('accountability', made.ID)).toEqual(made);
  expect(each(await ada.history('accountability', made.ID), 'what')).toEqual(['create']);
});
