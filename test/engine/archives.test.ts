// Archives: taken where the database is, read by the service, changed by nobody.
import { expect, it } from 'vitest';
import { refuses } from '../support/refuses.ts';
import { ALLOW, DENY, give } from '../support/rights.ts';
import { type Asker, each, newSite } from '../support/site.ts';

const take = (asker: Asker, Item: unknown, Name = '2026 Q1') =>
  asker.call('archive', 'take', 'plain', { body: { Item, Name, Comment: 'As it was' } });

it('keeps what the item was called, and what it belonged to', async () => {
  const { ada, organization, id } = await newSite();
  const sales = await ada.make('organization', { Name: 'Sales' });
  const metric = await ada.make('metric', { Name: 'Orders', AncestorID: sales.ID });
  const archive = await take(ada, metric.ID);
  expect(archive).toEqual({
    ID: archive.ID,
    SiteID: id,
    AncestorType: 56,
    AncestorID: sales.ID,
    Name: 'Orders',
    AncestorName: 'Sales',
    RowType: 7,
    ArchiveDate: '2026-05-13T09:00:00.000+00:00',
    ArchivedBy: ada.id,
    ArchiveName: '2026 Q1',
    ArchiveComment: 'As it was',
    ArchiveID: archive.ID,
  });
  await ada.change('metric', metric.ID, { Name: 'Bookings' });
  expect(await ada.get('archive', archive.ID)).toEqual(archive);
  expect(await take(ada, sales.ID)).toMatchObject({ RowType: 56, AncestorType: 4, AncestorID: organization });
  expect(await take(ada, organization)).toMatchObject({ RowType: 4, AncestorType: 1, AncestorID: id });
  expect(await take(ada, ada.id)).toMatchObject({ RowType: 39, AncestorID: organization });
});

it('keeps the values of the metrics that a department, a project or an individual has', async () => {
  const { ada } = await newSite();
  const project = await ada.make('project');
  const metric = await ada.make('metric', { AncestorID: project.ID });
  for (const Value of [1, 2]) await ada.make('metricValue', { MetricID: metric.ID, Value });
  const archive = await take(ada, project.ID);
  const kept = await ada.list('metricValue', { metric: metric.ID }, { archiveId: String(archive.ID) });
  expect(each(kept, 'Value').sort()).toEqual([1, 2]);
  const again = await take(ada, project.ID, '2026 Q2');
  expect(await ada.list('metricValue', { metric: metric.ID }, { archiveId: String(again.ID) })).toHaveLength(2);
});

it('is read below its own item alone', async () => {
  const { ada } = await newSite();
  const project = await ada.make('project');
  const metric = await ada.make('metric', { AncestorID: project.ID });
  const [ofMetric, ofProject] = [await take(ada, metric.ID), await take(ada, project.ID)];
  const read = (route: string, item: unknown, archive: unknown) =>
    ada.call('archive', 'get', { [route]: [String(item), String(archive)] });
  expect(await read('alsoMetric', metric.ID, ofMetric.ID)).toEqual(ofMetric);
  expect(await read('alsoProject', project.ID, ofProject.ID)).toEqual(ofProject);
  expect(await read('alsoProject', metric.ID, ofMetric.ID)).toEqual(ofMetric);
  await refuses(read('alsoProject', project.ID, ofMetric.ID)).with('not_found', 'archive');
  await refuses(read('alsoMetric', metric.ID, ofProject.ID)).with('not_found', 'archive');
});

it('is listed with its item and with what the item belongs to', async () => {
  const { ada, organization } = await newSite();
  const project = await ada.make('project', { AncestorID: organization });
  const metric = await ada.make('metric', { AncestorID: project.ID });
  const [ofMetric, ofProject] = [await take(ada, metric.ID), await take(ada, project.ID)];
  const ofMe = await take(ada, ada.id);
  const listed = async (route: string, id: unknown) => each(await ada.list('archive', { [route]: String(id) }), 'ID');
  expect((await listed('project', project.ID)).sort()).toEqual([ofMetric.ID, ofProject.ID].sort());
  expect((await listed('department', organization)).sort()).toEqual([ofProject.ID, ofMe.ID].sort());
  expect(await listed('individual', ada.id)).toEqual([ofMe.ID]);
});

it('is of something that is there', async () => {
  const { ada } = await newSite();
  const comment = await ada.make('comment');
  await refuses(take(ada, comment.ID)).with('invalid', 'no such metric, project, individual or organization');
  const metric = await ada.make('metric');
  await ada.delete('metric', metric.ID);
  await refuses(take(ada, metric.ID)).with('deleted');
});

it('is taken by those who may change its item, and of nothing that they may not read', async () => {
  const { ada, as } = await newSite();
  const ines = await ada.make('individual');
  const asInes = await as(ines.UserName);
  const project = await ada.make('project', { Name: 'Ferry' });
  await refuses(take(asInes, project.ID)).with('forbidden', 'Ferry', `update project ${project.ID} --why`);
  await give(ada, ines, project.ID, { Update: ALLOW });
  expect(await take(asInes, project.ID)).toMatchObject({ Name: 'Ferry', ArchivedBy: ines.ID });
  const hidden = await ada.make('project');
  await give(ada, ines, hidden.ID, { Read: DENY, Update: ALLOW });
  await refuses(take(asInes, hidden.ID)).with('invalid', `names ${hidden.ID}, and this site has no such`);
});
