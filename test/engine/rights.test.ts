// The rights of D19, sentence by sentence.
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/contract/resource.ts';
import { refuses } from '../support/refuses.ts';
import { ALLOW, DENY, give } from '../support/rights.ts';
import { type Asker, each, newSite, type TestSite } from '../support/site.ts';

interface Company extends TestSite {
  /** Sales, and North below it. */
  readonly sales: Row;
  readonly north: Row;
  /** Boss reports to ada, Ines to boss, Tom to ada. */
  readonly boss: Row;
  readonly ines: Row;
  readonly tom: Row;
  readonly asInes: Asker;
  readonly asTom: Asker;
  readonly asBoss: Asker;
  /** A group that Ines belongs to. */
  readonly group: Row;
}

async function company(): Promise<Company> {
  const site = await newSite();
  const { ada, as } = site;
  const sales = await ada.make('organization', { Name: 'Sales' });
  const north = await ada.make('organization', { Name: 'North', ParentID: sales.ID });
  const boss = await ada.make('individual', { FirstName: 'Boss' });
  const ines = await ada.make('individual', { PrimaryReportsTo: boss.ID });
  const tom = await ada.make('individual', { FirstName: 'Tom' });
  const group = await ada.make('securityGroup');
  await ada.call('securityGroup', 'addMember', 'plain', { body: { Group: group.ID, Individual: ines.ID } });
  const [asInes, asTom, asBoss] = [await as(ines.UserName), await as(tom.UserName), await as(boss.UserName)];
  return { ...site, sales, north, boss, ines, tom, group, asInes, asTom, asBoss };
}

const PROJECT = 15;
const METRIC = 7;
const DIALOG = 38;

const renames = (asker: Asker, row: Row) => asker.change('organization', row.ID, { Focus: `By ${asker.id}` });
const changes = async (asker: Asker, row: Row): Promise<boolean> =>
  renames(asker, row).then(
    () => true,
    () => false,
  );

describe('administrators', () => {
  it('may do everything in their site, whatever is denied them', async () => {
    const { ada, as, sales } = await company();
    const row = await ada.make('individual', { IsAdmin: true });
    await give(ada, row, sales.ID, { Read: DENY, Update: DENY });
    expect(await renames(await as(row.UserName), sales)).toMatchObject({ CanRead: true, CanDelegate: true });
  });
});

describe('the walk from an object to the site', () => {
  it('takes the first step that is set', async () => {
    const { ada, ines, asInes, sales, north } = await company();
    await give(ada, ines, sales.ID, { Update: DENY });
    expect(await changes(asInes, north)).toBe(false);
    await give(ada, ines, north.ID, { Update: ALLOW });
    expect(await changes(asInes, north)).toBe(true);
    expect(await changes(asInes, sales)).toBe(false);
  });

  it('is the same for lists: what is set on a record comes before what is set above it', async () => {
    const { ada, ines, tom, asInes, asTom, sales, north } = await company();
    await give(ada, ines, sales.ID, { Read: ALLOW });
    await give(ada, ines, north.ID, { Read: DENY });
    await give(ada, tom, sales.ID, { Read: DENY });
    await give(ada, tom, north.ID, { Read: ALLOW });
    const those = [sales.Name, north.Name];
    const shownTo = async (asker: Asker) =>
      each(await asker.list('organization'), 'Name').filter((name) => those.includes(name as string));
    expect(await shownTo(asInes)).toEqual(['Sales']);
    expect(await shownTo(asTom)).toEqual(['North']);
  });

  it('ends at the site', async () => {
    const { ada, id, ines, asInes, north } = await company();
    await give(ada, ines, id, { Update: ALLOW });
    expect(await changes(asInes, north)).toBe(true);
  });

  it('takes the rows of the groups of the caller, and lets Deny beat Allow at one step', async () => {
    const { ada, ines, group, asInes, asTom, sales } = await company();
    await give(ada, group, sales.ID, { Update: ALLOW });
    expect(await changes(asInes, sales)).toBe(true);
    expect(await changes(asTom, sales)).toBe(false);
    await give(ada, ines, sales.ID, { Update: DENY });
    expect(await changes(asInes, sales)).toBe(false);
  });

  it('counts nothing of a deleted group, nor of one that the caller has left', async () => {
    const { ada, ines, group, asInes, sales } = await company();
    await give(ada, group, sales.ID, { Update: ALLOW });
    await ada.delete('securityGroup', group.ID);
    expect(await changes(asInes, sales)).toBe(false);
    await ada.undelete('securityGroup', group.ID);
    expect(await changes(asInes, sales)).toBe(true);
    await ada.call('securityGroup', 'deleteMember', 'plain', { body: { Group: group.ID, Individual: ines.ID } });
    expect(await changes(asInes, sales)).toBe(false);
  });

  it('passes over what is not set for this action', async () => {
    const { ada, ines, asInes, sales, north } = await company();
    await give(ada, ines, north.ID, { Read: ALLOW });
    await give(ada, ines, sales.ID, { Update: ALLOW });
    expect(await changes(asInes, north)).toBe(true);
  });
});

describe('child types', () => {
  it('do not count on the object itself', async () => {
    const { ada, ines, asInes, sales } = await company();
    await give(ada, ines, sales.ID, { Update: ALLOW }, 19);
    expect(await changes(asInes, sales)).toBe(false);
  });

  it('come before rows without one on an ancestor', async () => {
    const { ada, ines, asInes, sales, north } = await company();
    await give(ada, ines, sales.ID, { Update: DENY });
    await give(ada, ines, sales.ID, { Update: ALLOW }, 19);
    expect(await changes(asInes, north)).toBe(true);
  });

  it('mean the values of metrics and the dialogs about basic roles too', async () => {
    const { ada, ines, asInes, id } = await company();
    const metric = await ada.make('metric');
    const value = await ada.make('metricValue', { MetricID: metric.ID });
    await give(ada, ines, id, { Read: DENY }, METRIC);
    await refuses(asInes.get('metricValue', value.ID)).with('not_found');
    const role = await ada.make('basicRole', { IndividualID: ines.ID });
    const dialog = await ada.make('dialog', { AncestorID: ines.ID });
    const entry = { BasicRoleID: role.ID, DialogID: dialog.ID, Description: 'Well done' };
    await ada.call('basicRoleDialog', 'update', { basicRole: [role.ID, dialog.ID] }, { body: entry });
    const about = () => asInes.list('basicRoleDialog', { basicRole: role.ID });
    expect(await about()).toMatchObject([entry]);
    await give(ada, ines, ines.ID, { Read: DENY }, DIALOG);
    expect(await about()).toEqual([]);
  });

  it('tell organizations from departments', async () => {
    const { ada, id, ines, asInes, organization, sales } = await company();
    await give(ada, ines, id, { Update: ALLOW }, 4);
    expect(await changes(asInes, await ada.get('organization', organization))).toBe(true);
    expect(await changes(asInes, sales)).toBe(false);
  });

  it.each([
    [7, true],
    [16, false],
    [58, false],
  ])('%i allows the metrics of a department: %s', async (child, is) => {
    const { ada, ines, asInes, sales } = await company();
    const metric = await ada.make('metric', { AncestorID: sales.ID });
    await give(ada, ines, sales.ID, { Delete: ALLOW }, child);
    const deleted = asInes.delete('metric', metric.ID);
    if (is) expect(await deleted).toMatchObject({ Deleted: true });
    else await refuses(deleted).with('forbidden');
  });

  it.each([9, 25, 38])('%i denies the dialogs of a department, as any number of the type does', async (child) => {
    const { ada, ines, asInes, sales } = await company();
    const dialog = await ada.make('dialog', { AncestorID: sales.ID });
    expect(await asInes.get('dialog', dialog.ID)).toMatchObject({ ID: dialog.ID });
    await give(ada, ines, sales.ID, { Read: DENY }, child);
    await refuses(asInes.get('dialog', dialog.ID)).with('not_found');
  });

  it.each([9, 25, 38])('%i on the site is about all dialogs', async (child) => {
    const { ada, id, ines, asInes, sales } = await company();
    const dialog = await ada.make('dialog', { AncestorID: sales.ID });
    await give(ada, ines, id, { Delete: ALLOW }, child);
    expect(await asInes.delete('dialog', dialog.ID)).toMatchObject({ Deleted: true });
  });
});

describe('what is asked of whom', () => {
  it('a new record is asked of its owner, rows of its type first', async () => {
    const { ada, ines, asInes, sales } = await company();
    const below = { ParentID: sales.ID };
    await refuses(asInes.make('organization', below)).with(
      'forbidden',
      `create department in department ${sales.ID} --why`,
    );
    await give(ada, ines, sales.ID, { Create: ALLOW }, 19);
    expect(await asInes.make('organization', below)).toMatchObject(below);
    await refuses(asInes.make('project', { AncestorID: sales.ID })).with('forbidden', /create project in department/);
  });

  it('an undelete needs Delete', async () => {
    const { ada, ines, asInes, north } = await company();
    await ada.delete('organization', north.ID);
    await refuses(asInes.undelete('organization', north.ID)).with('forbidden', 'delete or undelete', 'North');
    await give(ada, ines, north.ParentID, { Delete: ALLOW });
    expect(await asInes.undelete('organization', north.ID)).toMatchObject({ Deleted: false });
  });

  it('a Deny on a record stays when the record is deleted', async () => {
    const { ada, ines, asInes, sales, north } = await company();
    await give(ada, ines, north.ID, { Delete: DENY });
    await give(ada, ines, sales.ID, { Delete: ALLOW });
    await ada.delete('organization', north.ID);
    await refuses(asInes.undelete('organization', north.ID)).with('forbidden');
  });

  it('an Allow on a record ends when the record is deleted', async () => {
    const { ada, ines, asInes, north } = await company();
    await give(ada, ines, north.ID, { Delete: ALLOW });
    await ada.delete('organization', north.ID);
    await refuses(asInes.undelete('organization', north.ID)).with('forbidden');
  });

  it('a move needs Update there and Create at the new owner', async () => {
    const { ada, ines, asInes, organization, north } = await company();
    await give(ada, ines, north.ID, { Update: ALLOW });
    const move = () => asInes.change('organization', north.ID, { ParentID: organization });
    await refuses(move()).with('forbidden', `create department in department ${organization} --why`);
    await give(ada, ines, organization, { Create: ALLOW });
    expect(await move()).toMatchObject({ ParentID: organization });
  });

  it('permission rows are for those who may delegate', async () => {
    const { ada, ines, asInes, sales, tom } = await company();
    const row = await give(ada, tom, sales.ID, { Read: ALLOW });
    await refuses(asInes.list('permission', { department: sales.ID })).with(
      'forbidden',
      `delegate department ${sales.ID}`,
    );
    await refuses(give(asInes, ines, sales.ID, { Update: ALLOW })).with('forbidden', `delegate department ${sales.ID}`);
    await refuses(asInes.delete('permission', row.ID)).with('not_found');
    await give(ada, ines, sales.ID, { Delegate: ALLOW });
    expect(each(await asInes.list('permission', { department: sales.ID }), 'ID')).toContain(row.ID);
    expect(await asInes.delete('permission', row.ID)).toMatchObject({ ID: row.ID });
  });

  it('permission rows are listed whole for whoever may delegate, whatever is denied above', async () => {
    const { ada, ines, asInes, sales } = await company();
    const project = await ada.make('project', { AncestorID: sales.ID });
    await give(ada, ines, sales.ID, { Read: DENY });
    await give(ada, ines, sales.ID, { Read: ALLOW }, PROJECT);
    const row = await give(ada, ines, project.ID, { Delegate: ALLOW });
    expect(each(await asInes.list('permission', { project: project.ID }), 'ID')).toEqual([row.ID]);
  });

  it('a child type that is none needs the right on the object itself', async () => {
    const { ada, ines, asInes, sales, tom } = await company();
    await give(ada, ines, sales.ID, { Delegate: ALLOW }, 9);
    await refuses(give(asInes, tom, sales.ID, { Read: ALLOW }, 99)).with('forbidden', 'delegate department');
  });

  it('the site itself is changed by its administrators alone', async () => {
    const { ada, ines, id, asInes } = await company();
    await give(ada, ines, id, { Update: ALLOW });
    await refuses(asInes.change('site', id, { Name: 'Mine' })).with('admin_only');
  });
});

describe('where nothing is set', () => {
  it('everybody of the site reads what is nobody’s own', async () => {
    const { ada, asTom, ines, sales } = await company();
    const project = await ada.make('project', { AncestorID: sales.ID });
    const role = await ada.make('accountability', { AncestorID: ines.ID });
    for (const [resource, { ID }] of [
      ['project', project],
      ['accountability', role],
      ['individual', ines],
    ] as const)
      expect(await asTom.get(resource, ID)).toMatchObject({ ID });
  });

  it.each(['dialog', 'task', 'metric'] as const)(
    'a %s of an individual is for that one and the chain above',
    async (resource) => {
      const { ada, asInes, asBoss, asTom, ines } = await company();
      const { ID } = await ada.make(resource, { AncestorID: ines.ID });
      for (const one of [asInes, asBoss, ada]) expect(await one.get(resource, ID)).toMatchObject({ ID });
      await refuses(asTom.get(resource, ID)).with('not_found');
    },
  );

  it('a comment is for its author too', async () => {
    const { asTom, asInes, asBoss, ines } = await company();
    const { ID } = await asTom.make('comment', { AncestorID: ines.ID, Body: 'Well done' });
    for (const one of [asTom, asInes, asBoss])
      expect(each(await one.list('comment', { individual: ines.ID }), 'ID')).toEqual([ID]);
  });

  it('one changes one’s own record, and nobody else’s', async () => {
    const { asInes, asBoss, ines } = await company();
    expect(await asInes.change('individual', ines.ID, { UserDefined1: 'Blue' })).toMatchObject({
      UserDefined1: 'Blue',
    });
    await refuses(asBoss.change('individual', ines.ID, { UserDefined1: 'Red' })).with(
      'forbidden',
      /change the individual/,
    );
  });

  it('one makes, changes and deletes one’s own lists and roles, and nobody else’s', async () => {
    const { ada, asInes, asTom, ines } = await company();
    const role = await asInes.make('basicRole', { IndividualID: ines.ID });
    const own = [
      await asInes.make('accountability', { AncestorID: ines.ID }),
      await asInes.make('indicator', { BasicRoleID: role.ID }),
    ];
    for (const [index, resource] of (['accountability', 'indicator'] as const).entries()) {
      const { ID } = own[index] as Row;
      expect(await asInes.change(resource, ID, { Rank: 7 })).toMatchObject({ Rank: 7 });
      await refuses(asTom.change(resource, ID, { Rank: 8 })).with('forbidden');
      await refuses(asTom.delete(resource, ID)).with('forbidden');
      expect(await asInes.delete(resource, ID)).toMatchObject({ Deleted: true });
    }
    await refuses(asTom.make('accountability', { AncestorID: ines.ID })).with('forbidden');
    const project = await ada.make('project');
    await refuses(asInes.make('projectScope', { AncestorID: project.ID })).with('forbidden');
  });
});

describe('what may not be read', () => {
  it('is as if it were not there: as a record, as an owner, and as a reference', async () => {
    const { ada, ines, asInes, sales } = await company();
    const nowhere = '0f8fad5b-d9cb-469f-a165-70867728950e';
    await give(ada, ines, sales.ID, { Read: DENY, Create: ALLOW });
    const told = async (id: unknown): Promise<readonly unknown[]> => {
      const asked = [
        asInes.get('organization', String(id)),
        asInes.list('project', { department: String(id) }),
        asInes.make('project', { AncestorID: id }),
      ];
      return Promise.all(
        asked.map((call) =>
          call.then(JSON.stringify, ({ code, message, hint, next }) => ({ code, message, hint, next })),
        ),
      );
    };
    const hidden = JSON.stringify(await told(sales.ID)).replaceAll(String(sales.ID), nowhere);
    expect(hidden).toBe(JSON.stringify(await told(nowhere)));
    expect(JSON.parse(hidden)).toMatchObject([{ code: 'not_found' }, { code: 'not_found' }, { code: 'invalid' }]);
    expect(each(await asInes.list('organization'), 'Name')).not.toContain('Sales');
  });

  it('is not what to do next about an ID that is taken', async () => {
    const { ada, ines, asInes, sales, north } = await company();
    const hidden = await ada.make('project', { AncestorID: sales.ID });
    const seen = await ada.make('project', { AncestorID: north.ID });
    await give(ada, ines, hidden.ID, { Read: DENY });
    await give(ada, ines, north.ID, { Create: ALLOW });
    const taken = (row: Row) =>
      refuses(asInes.make('project', { ID: row.ID, AncestorID: north.ID, Name: 'Mine' })).with('conflict');
    expect((await taken(seen)).next).toEqual({ do: 'get', resource: 'project', id: seen.ID });
    expect(await taken(hidden)).toMatchObject({ next: undefined, hint: 'Leave the ID out, and one is made.' });
    await ada.delete('project', hidden.ID);
    expect(await taken(hidden)).toMatchObject({ next: undefined, hint: 'Leave the ID out, and one is made.' });
  });

  it('has no name in the chain of a loop', async () => {
    const { ada, ines, asInes, sales, north } = await company();
    const dock = await ada.make('organization', { Name: 'Dock', ParentID: north.ID });
    await give(ada, ines, sales.ID, { Update: ALLOW });
    await give(ada, ines, north.ID, { Read: DENY });
    await give(ada, ines, dock.ID, { Read: ALLOW, Create: ALLOW });
    const moved = asInes.change('organization', sales.ID, { ParentID: dock.ID });
    await refuses(moved).with('invalid', 'makes a loop: Sales → Dock → another record → Sales');
  });

  it('does not show through side fields', async () => {
    const { ada, ines, asInes, asTom, sales, tom } = await company();
    const project = await ada.make('project', { AncestorID: sales.ID });
    await ada.make('comment', { AncestorID: tom.ID, Body: 'In confidence' });
    expect(await asTom.get('individual', tom.ID)).toMatchObject({ LastComment: 'In confidence' });
    const none = { LastComment: null, LastCommentDate: null, LastCommentByID: null, LastCommentBy: null };
    expect(await asInes.get('individual', tom.ID)).toMatchObject(none);
    await give(ada, ines, sales.ID, { Read: DENY });
    await give(ada, ines, project.ID, { Read: ALLOW });
    expect(await asInes.get('project', project.ID)).toMatchObject({ AncestorName: null });
  });

  it('is told by the members CanRead, CanUpdate, CanDelete and CanDelegate', async () => {
    const { ada, ines, asInes, sales } = await company();
    const none = { CanRead: true, CanUpdate: false, CanDelete: false, CanDelegate: false };
    expect(await asInes.get('organization', sales.ID)).toMatchObject(none);
    await give(ada, ines, sales.ID, { Update: ALLOW, Delete: DENY, Delegate: ALLOW });
    expect(await asInes.get('organization', sales.ID)).toMatchObject({ ...none, CanUpdate: true, CanDelegate: true });
  });
});

it('the totals of a period count what the reader may read', async () => {
  const { ada, ines, asInes, id } = await company();
  const open = await ada.make('project', { StartDateActual: '2026-05-01' });
  const shut = await ada.make('project', { StartDateActual: '2026-05-01' });
  await ada.make('commitment', { PeriodID: 2 });
  await ada.make('commitment', { PeriodID: 2, AncestorID: ines.ID });
  const totalsOf = async (asker: typeof ada) => {
    const [, second] = await asker.list('period', { site: id });
    return [second?.TotalCommitments, second?.TotalProjects];
  };
  expect(await totalsOf(asInes)).toEqual([1, 2]);
  await give(ada, ines, shut.ID, { Read: DENY });
  expect(await totalsOf(asInes)).toEqual([1, 1]);
  await give(ada, ines, ada.id, { Read: ALLOW });
  expect(await totalsOf(asInes)).toEqual([2, 1]);
  await give(ada, ines, open.ID, { Read: DENY });
  expect(await totalsOf(asInes)).toEqual([2, 0]);
  expect(await totalsOf(ada)).toEqual([2, 2]);
});

describe('a record of several owners', () => {
  /** A project of Sales, which Ines may not read, below one of Labs, where she may do everything. */
  async function twoOwners() {
    const site = await company();
    const { ada, ines, sales } = site;
    const labs = await ada.make('organization', { Name: 'Labs' });
    const mine = await ada.make('project', { AncestorID: labs.ID });
    await give(ada, ines, mine.ID, { Create: ALLOW, Read: ALLOW, Update: ALLOW, Delete: ALLOW });
    await give(ada, ines, sales.ID, { Read: DENY, Delete: DENY });
    return { ...site, labs, mine };
  }

  it('is denied by what denies on any chain: a project below one elsewhere, and what belongs to it', async () => {
    const { ada, asInes, ines, id, sales, mine } = await twoOwners();
    const theirs = await ada.make('project', { AncestorID: sales.ID, ParentID: mine.ID });
    const scope = await ada.make('projectScope', { AncestorID: theirs.ID });
    await refuses(asInes.get('project', theirs.ID)).with('not_found');
    await refuses(asInes.get('projectScope', scope.ID)).with('not_found');
    expect(each(await asInes.list('project', { site: id }), 'ID')).not.toContain(theirs.ID);
    const why = await ada.session.local?.rights({
      who: String(ines.ID),
      action: 'read',
      resource: 'project',
      id: String(theirs.ID),
    });
    expect(why).toMatchObject({ allowed: false, by: 'row' });
    expect(why?.steps.find(({ state }) => state !== 0)?.object).toBe('department "Sales"');
  });

  it.each(['task', 'metric'] as const)('so is a %s below one that may be read', async (resource) => {
    const { ada, ines, asInes, sales, labs, mine } = await twoOwners();
    const above = resource === 'task' ? mine : await ada.make('metric', { AncestorID: labs.ID });
    if (resource === 'metric') await give(ada, ines, above.ID, { Read: ALLOW });
    const row = await ada.make(resource, { AncestorID: sales.ID, ParentID: above.ID });
    await refuses(asInes.get(resource, row.ID)).with('not_found');
  });

  it('is allowed by what allows on one of them', async () => {
    const { ada, asInes, mine } = await twoOwners();
    const other = await ada.make('organization', { Name: 'Yard' });
    const row = await ada.make('project', { AncestorID: other.ID, ParentID: mine.ID });
    expect(await asInes.change('project', row.ID, { Description: 'Mine' })).toMatchObject({ Description: 'Mine' });
    expect(await asInes.delete('project', row.ID)).toMatchObject({ Deleted: true });
  });

  it('is made, and moved, where each of them allows a new one', async () => {
    const { ada, ines, asInes, labs, mine } = await twoOwners();
    const body = { AncestorID: labs.ID, ParentID: mine.ID };
    await refuses(asInes.make('project', body)).with('forbidden', 'a new project in the department "Labs"');
    await give(ada, ines, labs.ID, { Create: ALLOW, Update: ALLOW });
    const made = await asInes.make('project', body);
    const yard = await ada.make('organization', { Name: 'Yard' });
    const theirs = await ada.make('project', { AncestorID: yard.ID });
    await give(ada, ines, theirs.ID, { Update: ALLOW });
    const moved = asInes.change('project', theirs.ID, { ParentID: mine.ID });
    await refuses(moved).with('forbidden', 'a new project in the department "Yard"');
    await refuses(asInes.delete('project', theirs.ID)).with('forbidden');
    expect(await asInes.change('project', made.ID, { ParentID: null })).toMatchObject({ ParentID: null });
  });
});

describe('a membership', () => {
  it('is made by who may make members of the department and change the individual', async () => {
    const { ada, ines, asInes, sales, tom } = await company();
    await give(ada, ines, sales.ID, { Create: ALLOW });
    const body = { OrganizationID: sales.ID, IndividualID: tom.ID, Title: 'Guest', ReportsToID: null, Primary: false };
    await refuses(asInes.make('organizationMember', body)).with('forbidden', `update individual ${tom.ID} --why`);
    await give(ada, ines, tom.ID, { Update: ALLOW });
    expect(await asInes.make('organizationMember', body)).toMatchObject({ Title: 'Guest' });
  });

  it('is hidden with its individual, in lists too, however that is hidden', async () => {
    const { ada, ines, asInes, id, sales, tom, boss } = await company();
    const [ofTom, ofBoss] = [
      await ada.make('organizationMember', { OrganizationID: sales.ID, IndividualID: tom.ID }),
      await ada.make('organizationMember', { OrganizationID: sales.ID, IndividualID: boss.ID }),
    ];
    const shown = async () => each(await asInes.list('organizationMember', { department: String(sales.ID) }), 'ID');
    expect(await shown()).toEqual(expect.arrayContaining([ofTom.ID, ofBoss.ID]));
    await give(ada, ines, tom.ID, { Read: DENY });
    expect(await shown()).not.toContain(ofTom.ID);
    expect(await shown()).toContain(ofBoss.ID);
    await give(ada, ines, id, { Read: DENY });
    await give(ada, ines, sales.ID, { Read: ALLOW });
    expect(await shown()).toEqual([]);
  });
});

describe('rights that would lead to more', () => {
  it('a right to change somebody makes nobody their manager', async () => {
    const { ada, ines, asInes, tom, boss } = await company();
    await give(ada, ines, tom.ID, { Update: ALLOW });
    const take = () => asInes.change('individual', tom.ID, { PrimaryReportsTo: ines.ID });
    await refuses(take()).with('forbidden', `delegate individual ${tom.ID} --why`);
    expect(await asInes.change('individual', tom.ID, { PrimaryTitle: 'Head' })).toMatchObject({ PrimaryTitle: 'Head' });
    await give(ada, ines, boss.ID, { Read: DENY });
    await ada.make('permission', {
      ...{ RowID: tom.ID, PrincipalID: ines.UserID, ChildType: DIALOG, DelegateState: ALLOW },
      ...{ CreateState: 0, ReadState: 0, UpdateState: 0, DeleteState: 0 },
    });
    await refuses(take()).with('forbidden');
  });

  it('who may give rights on somebody gives a manager, too, of those that may be read', async () => {
    const { ada, ines, asInes, tom, boss } = await company();
    await give(ada, ines, tom.ID, { Update: ALLOW, Delegate: ALLOW });
    expect(await asInes.change('individual', tom.ID, { PrimaryReportsTo: ines.ID })).toMatchObject({
      PrimaryReportsTo: ines.ID,
    });
    await give(ada, ines, boss.ID, { Read: DENY });
    await refuses(asInes.change('individual', tom.ID, { PrimaryReportsTo: boss.ID })).with('invalid');
  });

  it('nor does a right to change memberships', async () => {
    const { ada, ines, asInes, sales, tom } = await company();
    const body = { OrganizationID: sales.ID, IndividualID: tom.ID, Title: 'Guest', ReportsToID: null, Primary: false };
    const made = await ada.make('organizationMember', body);
    await give(ada, ines, sales.ID, { Create: ALLOW, Update: ALLOW });
    await give(ada, ines, tom.ID, { Update: ALLOW });
    const taken = asInes.change('organizationMember', made.ID, { ReportsToID: ines.ID });
    await refuses(taken).with('forbidden', `delegate individual ${tom.ID} --why`);
    expect(await asInes.change('organizationMember', made.ID, { Title: 'Host' })).toMatchObject({ Title: 'Host' });
  });

  it('a right to make members of a department lets nobody become somebody’s superior', async () => {
    const { ada, ines, asInes, sales, tom } = await company();
    await give(ada, ines, sales.ID, { Create: ALLOW, Update: ALLOW });
    const membership = {
      OrganizationID: sales.ID,
      IndividualID: tom.ID,
      Primary: true,
      Title: 'Seller',
      ReportsToID: ines.ID,
    };
    await refuses(asInes.make('organizationMember', membership)).with('forbidden', `update individual ${tom.ID} --why`);
  });

  it('a right to make individuals makes no administrators', async () => {
    const { ada, id, ines, asInes } = await company();
    await give(ada, ines, id, { Create: ALLOW });
    await refuses(asInes.make('individual', { IsAdmin: true })).with('admin_only');
  });
});
