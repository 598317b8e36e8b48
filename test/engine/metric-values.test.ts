// The values of metrics: by time, and those that archives keep.
import { expect, it } from 'vitest';
import { refuses } from '../support/refuses.ts';
import { each, newSite } from '../support/site.ts';

it('names its metric, and belongs to no archive', async () => {
  const { ada } = await newSite();
  const metric = await ada.make('metric', { Name: 'Sales' });
  const value = await ada.make('metricValue', { MetricID: metric.ID, Value: 3.25 });
  const none = { ArchiveID: null, ArchiveName: null, ArchiveDate: null };
  expect(value).toMatchObject({ MetricID: metric.ID, MetricName: 'Sales', Value: 3.25, ...none });
});

it('is listed newest first, of whole days with the last one included', async () => {
  const { ada } = await newSite();
  const metric = await ada.make('metric');
  const dates = ['2026-05-01T00:00:00+00:00', '2026-05-02T23:59:59+00:00', '2026-05-03T00:00:00+00:00'];
  for (const day of dates) await ada.make('metricValue', { MetricID: metric.ID, Date: day });
  const within = async (query: Record<string, string>) =>
    each(await ada.list('metricValue', { metric: metric.ID }, query), 'Date');
  expect(await within({})).toEqual(dates.toReversed());
  expect(await within({ startDate: '2026-05-02' })).toEqual(dates.slice(1).toReversed());
  expect(await within({ endDate: '2026-05-02' })).toEqual(dates.slice(0, 2).toReversed());
  expect(await within({ startDate: '2026-05-02', endDate: '2026-05-02' })).toEqual([dates[1]]);
  const path = { alsoDates: [metric.ID, '2026-05-02', '2026-05-03'] };
  expect(each(await ada.list('metricValue', path), 'Date')).toEqual(dates.slice(1).toReversed());
  await refuses(within({ startDate: '2026-02-30' })).with('invalid', 'startDate');
});

it('is of a day of the zone that is asked for', async () => {
  const { ada } = await newSite();
  const metric = await ada.make('metric');
  const late = await ada.make('metricValue', { MetricID: metric.ID, Date: '2026-05-01T23:00:00+00:00' });
  const onTheSecond = async (tz: string) =>
    ada.list('metricValue', { metric: metric.ID }, { startDate: '2026-05-02', endDate: '2026-05-02', tz });
  expect(await onTheSecond('UTC')).toEqual([]);
  expect(each(await onTheSecond('Europe/Berlin'), 'ID')).toEqual([late.ID]);
});

it('stays in its metric', async () => {
  const { ada } = await newSite();
  const value = await ada.make('metricValue');
  const other = await ada.make('metric');
  await refuses(ada.change('metricValue', value.ID, { MetricID: other.ID })).with('immutable', 'MetricID');
});

it('stays as an archive has taken it, while the current one changes', async () => {
  const { ada } = await newSite();
  const metric = await ada.make('metric');
  const value = await ada.make('metricValue', { MetricID: metric.ID, Value: 1 });
  const archive = await ada.call('archive', 'take', 'plain', { body: { Item: metric.ID, Name: '2026 Q1' } });
  await ada.change('metricValue', value.ID, { Value: 2 });
  const current = await ada.list('metricValue', { metric: metric.ID });
  expect(current).toMatchObject([{ ID: value.ID, Value: 2, ArchiveID: null }]);
  const [kept, ...more] = await ada.list('metricValue', { metric: metric.ID }, { archiveId: String(archive.ID) });
  expect(more).toEqual([]);
  const taken = { ArchiveID: archive.ID, ArchiveName: '2026 Q1', ArchiveDate: archive.ArchiveDate };
  expect(kept).toMatchObject({ Value: 1, Date: value.Date, ...taken });
  expect(await ada.list('metricValue', { alsoArchive: [metric.ID, archive.ID] })).toEqual([kept]);
  await refuses(ada.change('metricValue', kept?.ID, { Value: 3 })).with('conflict', 'kept by the archive');
  await refuses(ada.delete('metricValue', kept?.ID)).with('conflict', 'kept by the archive');
});

it('of an archive that is not there is not found', async () => {
  const { ada } = await newSite();
  const metric = await ada.make('metric');
  const nothing = '0f8fad5b-d9cb-469f-a165-70867728950e';
  await refuses(ada.list('metricValue', { metric: metric.ID }, { archiveId: nothing })).with('not_found', 'archive');
  await refuses(ada.list('metricValue', { alsoArchive: [metric.ID, nothing] })).with('not_found', 'archive');
});
