// Projects, and who works in them.
import { expect, it } from 'vitest';
import { ROLES } from '../../src/engine/records/defaults.ts';
import { refuses } from '../support/refuses.ts';
import { each, newSite } from '../support/site.ts';

it('sums its hours with those of all projects below it, without deleted ones', async () => {
  const { ada } = await newSite();
  const ship = await ada.make('project', { HoursActual: 1.5, HoursProjected: 10 });
  const hull = await ada.make('project', { ParentID: ship.ID, HoursActual: 2 });
  await ada.make('project', { ParentID: hull.ID, HoursActual: 4, HoursProjected: 20 });
  const gone = await ada.make('project', { ParentID: ship.ID, HoursActual: 100 });
  await ada.delete('project', gone.ID);
  expect(await ada.get('project', ship.ID)).toMatchObject({ SumHoursActual: 7.5, SumHoursProjected: 30 });
  expect(await ada.get('project', hull.ID)).toMatchObject({ SumHoursActual: 6, SumHoursProjected: 20 });
});

it('sums nothing where nobody wrote hours', async () => {
  const { ada } = await newSite();
  expect(await ada.make('project')).toMatchObject({ SumHoursActual: null, SumHoursProjected: null });
});

it('shows the names of its department, phase and status', async () => {
  const { ada, id } = await newSite();
  const sales = await ada.make('organization', { Name: 'Sales' });
  const phase = await ada.make('phase', { Name: 'Build' });
  const status = await ada.make('status', { Name: 'Fine' });
  const made = await ada.make('project', { AncestorID: sales.ID, PhaseID: phase.ID, StatusID: status.ID });
  expect(made).toMatchObject({ AncestorName: 'Sales', Phase: 'Build', Status: 'Fine' });
  await ada.put('phase', phase.ID, { SiteID: id, Name: 'Build it', Rank: 1 });
  expect(await ada.get('project', made.ID)).toMatchObject({ Phase: 'Build it' });
  expect(await ada.change('project', made.ID, { StatusID: null })).toMatchObject({ StatusID: null, Status: null });
});

it('is listed by site, by department, and by the individuals in its team', async () => {
  const { ada, id } = await newSite();
  const sales = await ada.make('organization');
  const mine = await ada.make('project', { AncestorID: sales.ID, Rank: 1 });
  const other = await ada.make('project', { Rank: 2 });
  const ines = await ada.make('individual');
  await ada.make('teamMember', { TaskID: other.ID, IndividualID: ines.ID });
  const [site, Sales] = [{ site: id }, String(sales.ID)];
  expect(each(await ada.list('project', site), 'ID').sort()).toEqual([mine.ID, other.ID].sort());
  expect(each(await ada.list('project', site, { organizationid: Sales }), 'ID')).toEqual([mine.ID]);
  expect(each(await ada.list('project', { department: Sales }), 'ID')).toEqual([mine.ID]);
  expect(each(await ada.list('project', { individual: ines.ID }), 'ID')).toEqual([other.ID]);
  expect(each(await ada.list('individual', { project: other.ID }), 'ID')).toEqual([ines.ID]);
});

it('lists the projects of a deleted department only where deleted ones are asked for', async () => {
  const { ada, id } = await newSite();
  const sales = await ada.make('organization');
  const made = await ada.make('project', { AncestorID: sales.ID });
  await ada.delete('organization', sales.ID);
  const organizationid = String(sales.ID);
  await refuses(ada.list('project', { site: id }, { organizationid })).with('deleted', `${sales.ID}`);
  const listed = await ada.list('project', { site: id }, { organizationid, deleted: 1 });
  expect(each(listed, 'ID')).toEqual([made.ID]);
});

it('tells the roles that team members may have, and takes no other one', async () => {
  const { ada, id } = await newSite();
  const roles = await ada.answers('teamMember', 'roles');
  expect(roles).toEqual(ROLES.map((role) => ({ ...role, Site_ID: id })));
  const member = await ada.make('teamMember', { RoleID: ROLES[0].ID });
  expect(member).toMatchObject({ RoleID: ROLES[0].ID, RoleName: 'Sponsor' });
  await refuses(ada.change('teamMember', member.ID, { RoleID: ada.id })).with('invalid', /RoleID/, /roles lists them/);
});

it('shows of a team member its names and hours', async () => {
  const { ada } = await newSite();
  expect(await ada.make('teamMember', { HoursProjected: 12.5, HoursActual: 3 })).toMatchObject({
    IndividualFullName: 'ada Administrator',
    IndividualFullOrderedName: 'Administrator, ada',
    HoursProjectedRollup: 12.5,
    HoursActualRollup: 3,
  });
});

it('knows an individual once in each team, and finds the member by both', async () => {
  const { ada } = await newSite();
  const member = await ada.make('teamMember');
  const again = ada.make('teamMember', { TaskID: member.TaskID });
  await refuses(again).with('conflict', `TaskID ${member.TaskID}`);
  const of = { individual: [ada.id, member.TaskID] };
  expect(await ada.call('teamMember', 'get', of)).toEqual(member);
  await ada.delete('teamMember', member.ID);
  await refuses(ada.call('teamMember', 'get', of)).with('not_found');
});

it.each(['project', 'metric'] as const)(
  'a %s that is taken to the top has its place there, and those below it theirs',
  async (kind) => {
    const { ada } = await newSite();
    const top = await ada.make(kind, { Rank: 1, Name: 'Top' });
    const moved = await ada.make(kind, { Rank: 2, Name: 'Moved', ParentID: top.ID, AncestorID: top.AncestorID });
    const below = await ada.make(kind, { Rank: 3, Name: 'Below', ParentID: moved.ID, AncestorID: top.AncestorID });
    await ada.change(kind, moved.ID, { ParentID: null });
    const alone = await ada.make(kind, { Rank: 2, Name: 'Alone', AncestorID: top.AncestorID });
    const now = await ada.get(kind, moved.ID);
    expect([now.ParentID, now.DisplayRank, now.Level]).toEqual([null, alone.DisplayRank, alone.Level]);
    expect((await ada.get(kind, below.ID)).Level).toBe(2);
    if (kind === 'project') expect((await ada.get(kind, below.ID)).DisplayRank).toBe('2.3');
    await ada.change(kind, moved.ID, { ParentID: top.ID });
    expect((await ada.get(kind, below.ID)).Level).toBe(3);
  },
);
