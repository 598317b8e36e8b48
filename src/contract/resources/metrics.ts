// What an organization, department, project or individual is measured by, and the values in time.
import { boolean, decimal, guid, integer, stamp, text } from '../field.ts';
import { create, get, list, remove, undelete, update } from '../operation.ts';
import { defineResource } from '../resource.ts';
import { audit, deletion, knownFrom } from './shared.ts';

const hex = (doc: string) =>
  text('optional', {
    doc,
    max: 6,
    pattern: /^[0-9a-f]{0,6}$/i,
    form: 'a hex color of at most six digits such as 2e9e4f',
  });

export const metric = defineResource({
  name: 'metric',
  command: 'metrics',
  doc: 'What an organization, department, project or individual is measured by.',
  source: 'help pages',
  operationSource: 'help pages',
  segments: ['metrics', 'metric'],
  open: true,
  rowType: 7,
  fields: () => ({
    ID: guid('required on update'),
    ParentID: guid('optional', { doc: 'The metric above it.', to: ['metric'], owner: true, moves: true }),
    AncestorID: guid('required on create', {
      doc: 'What is measured.',
      to: ['organization', 'project', 'individual'],
      owner: true,
    }),
    Rank: integer('required', { doc: 'Its place in the list.' }),
    Name: text('required', { max: 255, name: true }),
    Description: text('required'),
    Format: text('optional', { max: 255, initial: '0.#', doc: 'How its values are written.' }),
    Color: text('optional', { doc: 'A hex color.' }),
    TColor1: hex('Color below the minimum.'),
    TColor2: hex('Color from the minimum on.'),
    TColor3: hex('Color from where it meets what is expected.'),
    TColor4: hex('Color from where it exceeds what is expected.'),
    Threshold1: decimal('optional', {
      doc: 'From here on it reaches its minimum; above Threshold3, smaller is better.',
    }),
    Threshold2: decimal('optional', { doc: 'From here on it meets what is expected.' }),
    Threshold3: decimal('optional', { doc: 'From here on it exceeds what is expected.' }),
    ColorByValue: boolean('optional', { doc: 'Is it shown in the color of its value?' }),
    Is8020: boolean('optional', { doc: 'Is it one of the few that matter most?' }),
    SiteID: guid('read-only', { to: ['site'] }),
    AncestorType: integer('read-only', { doc: '4 organization, 56 department, 15 project, 39 individual.' }),
    AncestorName: text('read-only', { doc: 'Name of what is measured.' }),
    ...deletion,
    Level: integer('read-only', { doc: 'How deep it stands: 1 at the top.' }),
    ...knownFrom('inferred', audit),
  }),
  rights: {
    from: ['ParentID', 'AncestorID'],
    unset: 'private',
    childTypes: [
      { number: 7, below: 'organization' },
      { number: 16, below: 'project' },
      { number: 58, below: 'individual' },
    ],
  },
  order: 'tree',
  names: ['Name'],
  key: ['AncestorID', 'Name'],
  columns: ['ID', 'Name', 'AncestorName', 'Threshold1', 'Threshold2', 'Threshold3', 'Is8020'],
  operations: () => ({
    list: list(
      {
        department: 'GET /departments/{ancestorid}/metrics?deleted&tz',
        alsoDepartment: 'GET /organizations/{ancestorid}/metrics?deleted&tz',
        project: 'GET /projects/{ancestorid}/metrics?deleted&tz',
        individual: 'GET /individuals/{ancestorid}/metrics?deleted&tz',
        mine: 'GET /me/metrics?deleted&tz',
      },
      { sources: { individual: 'inferred' } },
    ),
    all: list(
      { individual: 'GET /individuals/{id}/allmetrics?deleted', mine: 'GET /me/allmetrics?deleted' },
      {
        doc: 'The metrics of an individual, its departments and its projects; deleted ones for administrators only.',
      },
    ),
    get: get({ plain: 'GET /metrics/{id}?tz' }),
    create: create({ plain: 'POST /metrics' }),
    update: update({ plain: 'PUT /metrics/{id}?tz' }),
    delete: remove({ plain: 'DELETE /metrics/{id}' }, { source: 'inferred', output: 'object' }),
    undelete: undelete({ plain: 'PUT /metrics/{id}/undelete' }),
  }),
});

export const metricValue = defineResource({
  name: 'metricValue',
  command: 'metric-values',
  type: 'TrendValue',
  doc: 'What a metric showed on one day.',
  source: 'help pages',
  operationSource: 'help pages',
  segments: ['metricvalues'],
  fields: () => ({
    ID: guid('required on update'),
    MetricID: guid('required on create', { doc: 'The metric.', to: ['metric'], owner: true }),
    Date: stamp('required', { floating: true, doc: 'When it was measured.' }),
    Value: decimal('required'),
    MetricName: text('read-only', { doc: 'Name of the metric.' }),
    ArchiveID: guid('read-only', { doc: 'The archive that keeps this value; null for a current one.' }),
    ArchiveName: text('read-only', { doc: 'Name of the archive.' }),
    ArchiveDate: stamp('read-only', { doc: 'When the archive was taken.' }),
  }),
  rights: { from: ['MetricID'], unset: 'private', countsAs: 'metric' },
  order: ['-Date'],
  key: ['MetricID', 'Date'],
  columns: ['ID', 'Date', 'Value', 'MetricName', 'ArchiveName'],
  operations: () => ({
    list: list({
      metric: 'GET /metrics/{metricId}/values?archiveId&startDate&endDate&deleted&tz',
      alsoDates: 'GET /metrics/{metricId}/values/startdate/{startDate}/endDate/{endDate}?archiveId&deleted&tz',
      alsoArchive: 'GET /metrics/{metricId}/values/archives/{archiveId}?startDate&endDate&deleted&tz',
    }),
    get: get({ plain: 'GET /metricvalues/{id}?tz' }),
    create: create({ plain: 'POST /metricvalues?tz' }),
    update: update({ plain: 'PUT /metricvalues/{id}?tz' }),
    delete: remove({ plain: 'DELETE /metricvalues/{id}' }, { source: 'inferred', output: 'object' }),
  }),
});
