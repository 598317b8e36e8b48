// The values of metrics in time.
import { decimal, guid, stamp, text } from '../field.ts';
import { create, get, list, remove, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';

export const metricValue = defineResource({
  name: 'metricValue',
  command: 'metric-values',
  aliases: ['metric-value'],
  type: 'TrendValue',
  doc: 'What a metric showed on one day.',
  source: 'help pages',
  segments: ['metricvalues'],
  fields: {
    ID: guid('required on update'),
    MetricID: guid('required on create', { doc: 'The metric.', to: ['metric'], owner: true }),
    Date: stamp('required', { floating: true, doc: 'When it was measured.' }),
    Value: decimal('required'),
    MetricName: text('read-only', { doc: 'Name of the metric.' }),
    ArchiveID: guid('read-only', { doc: 'The archive that keeps this value; null for a current one.' }),
    ArchiveName: text('read-only', { doc: 'Name of the archive.' }),
    ArchiveDate: stamp('read-only', { doc: 'When the archive was taken.' }),
  },
  rights: { from: ['MetricID'], unset: 'private', countsAs: 'metric' },
  order: ['-Date'],
  key: ['MetricID', 'Date'],
  columns: ['ID', 'Date', 'Value', 'MetricName', 'ArchiveName'],
  operations: {
    list: list(
      {
        metric: 'GET /metrics/{metricId}/values?archiveId&startDate&endDate&deleted&tz',
        alsoDates: 'GET /metrics/{metricId}/values/startdate/{startDate}/endDate/{endDate}?archiveId&deleted&tz',
        alsoArchive: 'GET /metrics/{metricId}/values/archives/{archiveId}?startDate&endDate&deleted&tz',
      },
      { source: 'help pages' },
    ),
    get: get({ plain: 'GET /metricvalues/{id}?tz' }, { source: 'help pages' }),
    create: create({ plain: 'POST /metricvalues?tz' }, { source: 'help pages' }),
    update: update({ plain: 'PUT /metricvalues/{id}?tz' }, { source: 'help pages' }),
    delete: remove({ plain: 'DELETE /metricvalues/{id}' }, { source: 'inferred', output: 'object' }),
  },
});
export interface MetricValue extends RecordOf<typeof metricValue> {}
