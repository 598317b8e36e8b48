// A PUT replaces the writable members of a record (D10).
import { expect, it } from 'vitest';
import type { ResourceName } from '../../src/contract/index.ts';
import type { Row, Value } from '../../src/contract/resource.ts';
import { cheapDerivations } from '../support/derivations.ts';
import type { TestEngine } from '../support/engine.ts';
import { refuses } from '../support/refuses.ts';
import { ALLOW, give } from '../support/rights.ts';
import { newSite } from '../support/site.ts';

cheapDerivations();

it('keeps the owner and what was required on creation', async () => {
  const { ada } = await newSite();
  const item = await ada.make('accountability');
  expect(await ada.put('accountability', item.ID, { Rank: 9, Name: 'Other', Description: 'Else' })).toMatchObject({
    AncestorID: ada.id,
    Rank: 9,
  });
  const ines = await ada.make('individual', { IsAdmin: true, Prefix: 'Dr.' });
  const body = { FirstName: 'Ines', LastName: 'Adler', UserName: 'ines.adler' };
  expect(await ada.put('individual', ines.ID, body)).toMatchObject({
    Email: ines.Email,
    PrimaryOrganizationID: ines.PrimaryOrganizationID,
    PrimaryTitle: ines.PrimaryTitle,
    PrimaryReportsTo: ada.id,
    IsAdmin: true,
    Prefix: null,
  });
});

it('takes null where it is the only value: the ParentID of individuals, and a ChildType of none', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual');
  expect(await ada.change('individual', ines.ID, { ParentID: null })).toEqual(ines);
  const right = await ada.make('permission', { ChildType: 9 });
  expect(await ada.change('permission', right.ID, { ChildType: null })).toMatchObject({ ChildType: null });
});

it('takes back a record as it was read, even where its parent or owner is null', async () => {
  const { ada, at } = await newSite();
  const project = await ada.make('project');
  const indicator = await ada.make('indicator', { BasicRoleID: null });
  at('2026-05-20');
  expect(await ada.change('project', project.ID, {})).toEqual(project);
  expect(await ada.change('indicator', indicator.ID, {})).toEqual(indicator);
  expect(await ada.change('project', project.ID, { Name: 'Ferry' })).toMatchObject({ Name: 'Ferry', ParentID: null });
});

it.each([
  ['accountability', 'AncestorID'],
  ['basicRole', 'IndividualID'],
  ['comment', 'AncestorID'],
  ['commitment', 'AncestorID'],
  ['teamMember', 'IndividualID'],
  ['organizationMember', 'IndividualID'],
] as const)('does not let a record of %s change its owner, %s', async (resource, member) => {
  const { ada } = await newSite();
  const ines = await ada.make('individual');
  const { ID } = await ada.make(resource);
  await refuses(ada.change(resource, ID, { [member]: ines.ID })).with('immutable', `${member} is ${ada.id} and cannot`);
});

it.each(['RowID', 'PrincipalID'] as const)('does not let a permission change its %s', async (member) => {
  const { ada } = await newSite();
  const { ID } = await ada.make('permission');
  const other = await ada.make(member === 'RowID' ? 'organization' : 'securityGroup');
  await refuses(ada.change('permission', ID, { [member]: other.ID })).with('immutable', /cannot change/);
});

it('makes neither a department of an organization nor the other way round', async () => {
  const { ada, id, organization } = await newSite();
  const sales = await ada.make('organization');
  const second = await ada.make('organization', { ParentID: id });
  await refuses(ada.change('organization', sales.ID, { ParentID: id })).with(
    'immutable',
    /a department into an organization/,
  );
  await refuses(ada.change('organization', second.ID, { ParentID: organization })).with(
    'immutable',
    /an organization into a department/,
  );
});

it('moves nothing below itself, and prints the loop', async () => {
  const { ada } = await newSite();
  const sales = await ada.make('organization', { Name: 'Sales' });
  const north = await ada.make('organization', { Name: 'North', ParentID: sales.ID });
  const oslo = await ada.make('organization', { Name: 'Oslo', ParentID: north.ID });
  await refuses(ada.change('organization', sales.ID, { ParentID: oslo.ID })).with(
    'invalid',
    'Sales → Oslo → North → Sales',
  );
  await refuses(ada.change('organization', sales.ID, { ParentID: sales.ID })).with('invalid', 'Sales → Sales');
  const ship = await ada.make('project', { Name: 'Ship' });
  const hull = await ada.make('project', { Name: 'Hull', ParentID: ship.ID });
  await refuses(ada.change('project', ship.ID, { ParentID: hull.ID })).with('invalid', 'Ship → Hull → Ship');
});

it('takes the same moment, spelled otherwise, as no change', async () => {
  const { ada } = await newSite();
  const made = await ada.make('dialog', { DialogDate: '2026-05-20T08:00:00+00:00' });
  expect(await ada.change('dialog', made.ID, { DialogDate: '2026-05-20T08:00:00.000Z' })).toEqual(made);
});

it('takes the same moment in another offset as a change of a date that is shown as it was written', async () => {
  const { ada } = await newSite();
  const made = await ada.make('dialog', { DialogDate: '2026-05-20T10:00:00+02:00' });
  const DialogDate = '2026-05-20T08:00:00+00:00';
  expect(await ada.change('dialog', made.ID, { DialogDate })).toMatchObject({ DialogDate });
  expect(await ada.history('dialog', made.ID)).toHaveLength(2);
});

it('marks when and by whom a record was changed, and leaves who made it', async () => {
  const { ada, at, as } = await newSite();
  const made = await ada.make('accountability');
  const ines = await ada.make('individual');
  await give(ada, ines, ada.id, { Update: ALLOW });
  at('2026-05-20T07:00:00Z');
  const other = await as(ines.UserName);
  expect(await other.change('accountability', made.ID, { Rank: 7 })).toEqual({
    ...made,
    Rank: 7,
    Updated: '2026-05-20T07:00:00.000+00:00',
    UpdatedBy: ines.ID,
  });
});

it('does not judge again what is sent as it stands, and judges what changes', async () => {
  const { ada, engine } = await newSite();
  const role = await ada.make('basicRole', { Rank: 1 });
  const individual = await ada.make('individual');
  const [long, nobody] = ['n'.repeat(300), 'not an e-mail at all'.repeat(20)];
  await letIn(engine, 'basicRole', role.ID, { Name: long });
  await letIn(engine, 'individual', individual.ID, { Email: nobody, FirstName: null });
  expect(await ada.change('basicRole', role.ID, { Rank: 2 })).toMatchObject({ Name: long, Rank: 2 });
  expect(await ada.change('individual', individual.ID, { Suffix: 'Jr' })).toMatchObject({
    Email: nobody,
    Suffix: 'Jr',
  });
  await refuses(ada.change('basicRole', role.ID, { Name: `${long}!` })).with('invalid', /Name is 301 characters/);
  await refuses(ada.put('basicRole', role.ID, { Rank: 3 })).with('invalid', /Name is required/);
});

it('keeps the names of an older program, with blanks and all, while another member changes', async () => {
  const { ada, engine } = await newSite();
  const [ines, department, color] = [
    await ada.make('individual'),
    await ada.make('organization'),
    await ada.make('color'),
  ];
  const [member] = await ada.list('organizationMember', { individual: ines.ID });
  const odd = {
    UserName: 'ines ',
    Email: 'ines@example.org\n',
    LastName: '\u202eMoreau',
    FirstName: 'Ines\u00a0',
    PrimaryTitle: ' Lead',
  };
  await letIn(engine, 'individual', ines.ID, odd);
  await letIn(engine, 'organizationMember', member?.ID, { Title: ' Lead' });
  await letIn(engine, 'organization', department.ID, { Name: 'Sales\t' });
  await letIn(engine, 'color', color.ID, { Name: ' red' });
  expect(await ada.change('individual', ines.ID, { Suffix: 'Jr' })).toMatchObject(odd);
  expect(await ada.change('organizationMember', member?.ID, { Leader: true })).toMatchObject({ Title: ' Lead' });
  expect(await ada.change('organization', department.ID, { Rank: 9 })).toMatchObject({ Name: 'Sales\t', Rank: 9 });
  expect(await ada.change('color', color.ID, { Rank: 9 })).toMatchObject({ Name: ' red', Rank: 9 });
  await refuses(ada.change('individual', ines.ID, { UserName: 'ines  ' })).with(
    'invalid',
    'UserName ends with the blank',
  );
  expect(await ada.change('individual', ines.ID, { UserName: 'ines' })).toMatchObject({ UserName: 'ines' });
});

it('does not let the rules of a resource judge again what is sent as it stands', async () => {
  const { ada, engine } = await newSite();
  const period = await ada.make('period');
  const member = await ada.make('teamMember');
  await letIn(engine, 'period', period.ID, { EndDate: '1999-01-01T00:00:00+00:00' });
  await letIn(engine, 'teamMember', member.ID, { RoleID: period.SiteID ?? null });
  expect(await ada.change('teamMember', member.ID, { HoursActual: 3 })).toMatchObject({ HoursActual: 3 });
  expect(await ada.change('period', period.ID, {})).toMatchObject({ EndDate: '1999-01-01T00:00:00+00:00' });
});

/** Values as an older program may have stored them. */
const letIn = (engine: TestEngine, resource: ResourceName, id: Value | undefined, values: Row): Promise<unknown> =>
  engine.store.transaction(async (writer) => {
    const [row] = await engine.store.find({ resource, site: undefined, ids: [String(id)], deleted: 2 });
    await writer.update(resource, String(row?.SiteID), String(id), values);
  });
