// Tasks: who is to do them, where they stand, and the ways in which they are listed.
import { expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { refuses } from '../support/refuses.ts';
import { type Asker, each, newSite } from '../support/site.ts';

const NOBODY = '0f8fad5b-d9cb-469f-a165-70867728950e';
const OTHER = '0f8fad5b-d9cb-469f-a165-70867728950f';

it('names the individuals who are to do it, in the order in which they were written, each once', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual');
  const task = await ada.make('task', { Responsible: [String(ines.ID).toUpperCase(), ada.id, ines.ID] });
  expect(task.Responsible).toBe(`${String(ines.ID)} ${ada.id}`);
  expect(await ada.change('task', task.ID, { Responsible: [] })).toMatchObject({ Responsible: null });
});

it('refuses everybody who is not there, each in a fault of its own', async () => {
  const { ada } = await newSite();
  const error = await refuses(ada.make('task', { Responsible: [NOBODY, ada.id, OTHER] })).with(
    'invalid',
    NOBODY,
    OTHER,
  );
  expect(error.faults.map(({ field, code }) => [field, code])).toEqual([
    ['Responsible', 'reference'],
    ['Responsible', 'reference'],
  ]);
  await refuses(ada.make('task', { Responsible: ['ines'] })).with('invalid', 'list of GUIDs');
  await refuses(ada.make('task', { Responsible: 7 })).with('invalid', 'list of GUIDs');
});

it('keeps somebody who was deleted since, and takes nobody deleted anew', async () => {
  const { ada } = await newSite();
  const [ines, ole] = [await ada.make('individual'), await ada.make('individual')];
  const task = await ada.make('task', { Responsible: [ines.ID] });
  await ada.delete('individual', ines.ID);
  await ada.delete('individual', ole.ID);
  expect(await ada.change('task', task.ID, { Name: 'Another' })).toMatchObject({ Responsible: ines.ID });
  await refuses(ada.change('task', task.ID, { Responsible: [ines.ID, ole.ID] })).with('invalid', 'which is deleted');
});

it('is listed for whoever is to do it or owns it, and no longer once they are not', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual');
  const [own, assigned] = [
    await ada.make('task', { AncestorID: ines.ID, Name: 'Own' }),
    await ada.make('task', { Responsible: [ada.id, ines.ID], Name: 'Assigned' }),
  ];
  await ada.make('task', { Name: "Ada's" });
  const all = async () => each(await ada.answers('task', 'all', { individual: ines.ID }), 'ID');
  expect((await all()).sort()).toEqual([own.ID, assigned.ID].sort());
  await ada.change('task', assigned.ID, { Responsible: [ada.id] });
  expect(await all()).toEqual([own.ID]);
  await ada.delete('task', own.ID);
  expect(await all()).toEqual([]);
});

it('shows its place below its project, and in lists how deep it stands', async () => {
  const { ada } = await newSite();
  const project = await ada.make('project', { Rank: 2 });
  const task = await ada.make('task', { ParentID: project.ID, Rank: 7, HoursActual: 1.5 });
  expect(task).toMatchObject({ DisplayRank: '2.7', RankOrder: null, Level: null, SumHoursActual: 1.5 });
  expect(Buffer.from(String(task.RankPath), 'base64')).toEqual(Buffer.from([0, 0, 0, 2, 0, 0, 0, 7]));
  expect(await ada.get('task', task.ID)).toEqual(task);
  const listed = { ...task, RankOrder: '0002.0007', Level: 2 };
  expect(await ada.list('task', { project: project.ID })).toEqual([listed]);
  expect(await ada.make('task', { Rank: 3 })).toMatchObject({ DisplayRank: '3' });
});

it('is completed today, in the zone that is asked for, and open again', async () => {
  const { ada, at } = await newSite();
  const task = await ada.make('task');
  at('2026-05-13T23:30:00.000Z');
  const toggle = (query = {}) => ada.call('task', 'toggleCompleted', { plain: task.ID }, { query });
  expect(await toggle()).toMatchObject({ EndDateActual: '2026-05-13' });
  expect(await toggle()).toMatchObject({ EndDateActual: null });
  expect(await toggle({ tz: 'Europe/Berlin' })).toMatchObject({ EndDateActual: '2026-05-14' });
  expect(each(await ada.history('task', task.ID), 'what')).toEqual(['create', 'update', 'update', 'update']);
  await ada.delete('task', task.ID);
  await refuses(toggle()).with('deleted');
});

const separate = async (asker: Asker, body: Row | object): Promise<readonly Row[]> => {
  const made: Row[] = [];
  const operation = contract.task.operations.createSeparate;
  for await (const row of asker.session.list(operation, { body: body as Row })) made.push(row);
  return made;
};

it('is made once for each individual who is to do it', async () => {
  const { ada } = await newSite();
  const ines = await ada.make('individual');
  const made = await separate(ada, { AncestorID: ada.id, Name: 'Read it', Responsible: [ines.ID, ada.id] });
  expect(each(made, 'Responsible')).toEqual([ines.ID, ada.id]);
  expect(each(made, 'Name')).toEqual(['Read it', 'Read it']);
  expect(each(await ada.list('task'), 'ID').sort()).toEqual(each(made, 'ID').sort());
});

it('is made for nobody where one of them is not there', async () => {
  const { ada } = await newSite();
  const body = { AncestorID: ada.id, Name: 'Read it' };
  await refuses(separate(ada, { ...body, Responsible: [ada.id, NOBODY] })).with('invalid', NOBODY);
  await refuses(separate(ada, { ...body, ID: NOBODY, Responsible: [ada.id] })).with('invalid', 'several tasks');
  await refuses(separate(ada, body)).with('invalid', 'Responsible names nobody');
  expect(await ada.list('task')).toEqual([]);
});

it('is listed below its dialog, individual or project, and for the whole site', async () => {
  const { ada } = await newSite();
  const dialog = await ada.make('dialog');
  const project = await ada.make('project');
  const [inDialog, inProject, belowProject, own] = [
    await ada.make('task', { AncestorID: dialog.ID }),
    await ada.make('task', { AncestorID: project.ID }),
    await ada.make('task', { ParentID: project.ID }),
    await ada.make('task'),
  ];
  const of = async (ancestorId: unknown) =>
    each(await ada.list('task', 'plain', { ancestorId: String(ancestorId) }), 'ID');
  expect(await of(dialog.ID)).toEqual([inDialog.ID]);
  expect((await of(project.ID)).sort()).toEqual([inProject.ID, belowProject.ID].sort());
  expect((await of(ada.id)).sort()).toEqual([belowProject.ID, own.ID].sort());
  expect(await ada.list('task')).toHaveLength(4);
  await refuses(of(NOBODY)).with('not_found', 'dialog, individual or project');
});

it('of a dialog is listed with whom or what the dialog is about', async () => {
  const { ada, organization } = await newSite();
  const about = { individual: ada.id, department: organization, alsoDepartment: organization };
  const tasks = new Map<unknown, unknown>();
  for (const AncestorID of new Set(Object.values(about))) {
    const dialog = await ada.make('dialog', { AncestorID });
    tasks.set(AncestorID, (await ada.make('task', { AncestorID: dialog.ID })).ID);
  }
  await ada.make('task');
  for (const [route, id] of Object.entries(about))
    expect(each(await ada.answers('task', 'dialogTasks', { [route]: id }), 'ID')).toEqual([tasks.get(id)]);
});

it('of a project is reported with its days, and by how the project stands', async () => {
  const { ada, organization } = await newSite();
  const statuses = await ada.list('status', { site: ada.session.me.site });
  const done = (await ada.make('status', { Rank: 100 })).ID;
  const open = statuses[0]?.ID ?? (await ada.make('status', { Rank: 1 })).ID;
  const [ended, running] = [
    await ada.make('project', { AncestorID: organization, StatusID: done, EndDateActual: '2026-05-01' }),
    await ada.make('project', { AncestorID: organization, StatusID: open }),
  ];
  const over = await ada.make('task', {
    ParentID: ended.ID,
    EndDateActual: '2026-04-30',
    EndDateProjected: '2026-04-01',
  });
  const planned = await ada.make('task', { ParentID: running.ID, StartDateProjected: '2026-06-01', Milestone: true });
  await ada.make('task');
  const report = async (query: Record<string, string>) => {
    const rows: Row[] = [];
    for await (const row of ada.session.list(contract.task.operations.simple, { query })) rows.push(row);
    return rows;
  };
  expect(await report({ isCompletedStatus: 'true' })).toMatchObject([
    { ID: over.ID, EndDate: '2026-04-30', MileStone: false },
  ]);
  expect(await report({ isEndDateActualSet: 'false' })).toMatchObject([
    { ID: planned.ID, StartDate: '2026-06-01', EndDate: null, MileStone: true },
  ]);
  expect((await report({})).map(({ ID }) => ID).sort()).toEqual([over.ID, planned.ID].sort());
  const names = Object.keys(contract.task.operations.simple.answers ?? {});
  expect(Object.keys((await report({}))[0] ?? {}).sort()).toEqual(names.sort());
});
