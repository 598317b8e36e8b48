// Metrics: where they stand, what they show, and whose they are.
import { expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { refuses } from '../support/refuses.ts';
import { each, newSite } from '../support/site.ts';

it('shows what it measures, and how its values are written', async () => {
  const { ada, organization } = await newSite();
  const sales = await ada.make('organization', { Name: 'Sales' });
  const project = await ada.make('project', { Name: 'Move' });
  const measured = { 4: [organization, 'Test'], 56: [sales.ID, 'Sales'], 15: [project.ID, 'Move'] } as const;
  for (const [type, [AncestorID, AncestorName]] of Object.entries(measured)) {
    const metric = await ada.make('metric', { AncestorID });
    expect(metric).toMatchObject({ AncestorID, AncestorName, AncestorType: Number(type), Format: '0.#', Level: 1 });
  }
  expect(await ada.make('metric', { AncestorID: ada.id })).toMatchObject({ AncestorType: 39 });
});

it('stands below another one, in the order of ranks', async () => {
  const { ada, organization } = await newSite();
  const late = await ada.make('metric', { Name: 'Late', Rank: 2 });
  const early = await ada.make('metric', { Name: 'Early', Rank: 1 });
  const below = await ada.make('metric', { Name: 'Below', Rank: 9, ParentID: early.ID });
  expect(below).toMatchObject({ Level: 2 });
  const order = async () => each(await ada.list('metric', { department: organization }), 'Name');
  expect(await order()).toEqual(['Early', 'Below', 'Late']);
  await ada.change('metric', early.ID, { Rank: 3 });
  expect(await order()).toEqual(['Late', 'Early', 'Below']);
  await refuses(ada.change('metric', early.ID, { ParentID: below.ID })).with('invalid', 'makes a loop');
  await ada.change('metric', late.ID, { ParentID: below.ID });
  expect(await ada.get('metric', late.ID)).toMatchObject({ Level: 3 });
});

it('may have thresholds that are equal, or turned round', async () => {
  const { ada } = await newSite();
  const equal = { Threshold1: 5, Threshold2: 5, Threshold3: 5 };
  expect(await ada.make('metric', equal)).toMatchObject(equal);
  const turned = { Threshold1: 9, Threshold2: 5, Threshold3: 1 };
  expect(await ada.make('metric', turned)).toMatchObject(turned);
});

it('is listed for an individual with those of its departments and projects, each once', async () => {
  const { ada, as } = await newSite();
  const ines = await ada.make('individual');
  const sales = await ada.make('organization');
  const project = await ada.make('project');
  await ada.make('organizationMember', { IndividualID: ines.ID, OrganizationID: sales.ID });
  await ada.make('teamMember', { IndividualID: ines.ID, TaskID: project.ID });
  for (const [Name, AncestorID] of Object.entries({ own: ines.ID, sales: sales.ID, project: project.ID }))
    await ada.make('metric', { Name, AncestorID, Rank: 1 });
  await ada.make('metric', { Name: "somebody else's", AncestorID: ada.id });
  const all = await ada.answers('metric', 'all', { individual: ines.ID });
  expect(each(all, 'Name')).toEqual(['own', 'project', 'sales']);
  const session = await as(ines.UserName);
  expect(each(await session.answers('metric', 'all', 'mine'), 'Name')).toContain('own');
  expect(each(await ada.list('metric', { individual: ines.ID }), 'Name')).toEqual(['own']);
});

it('is listed for an individual when it is deleted to administrators alone', async () => {
  const { ada, as } = await newSite();
  const ines = await ada.make('individual');
  const metric = await ada.make('metric', { AncestorID: ines.ID });
  await ada.delete('metric', metric.ID);
  const all = ada.session.list(operationAll, {
    by: 'individual',
    params: { id: String(ines.ID) },
    query: { deleted: 1 },
  });
  expect(each(await gathered(all), 'ID')).toEqual([metric.ID]);
  const own = (await as(ines.UserName)).session.list(operationAll, { by: 'mine', query: { deleted: 1 } });
  await refuses(gathered(own)).with('admin_only', 'deleted metrics');
});

const operationAll = contract.metric.operations.all;

async function gathered<T>(rows: AsyncIterable<T>): Promise<(T & object)[]> {
  const all: (T & object)[] = [];
  for await (const row of rows) all.push(row as T & object);
  return all;
}
