// What an organization, a department or an individual means to reach in a period.
import { boolean, date, guid, integer, text } from '../field.ts';
import { create, list, remove, update } from '../operation.ts';
import { defineResource } from '../resource.ts';

const measure = text('required', { doc: 'By what it is measured.' });
const measureCompleted = boolean('required', { doc: 'Is the measure reached?' });

export const commitment = defineResource({
  name: 'commitment',
  command: 'commitments',
  doc: 'What an organization, department or individual means to reach in a period.',
  source: 'help pages',
  id: 'integer',
  fields: () => ({
    ID: integer('required on update', { source: 'document' }),
    AncestorID: guid('required on create', {
      doc: 'Whose commitment it is.',
      to: ['organization', 'individual'],
      owner: true,
    }),
    Name: text('required', { name: true }),
    Completed: boolean('required', { doc: 'Is it reached?' }),
    DueDate: date('required', { floating: true }),
    PeriodID: integer('required', { doc: 'The period it is made for.', to: ['period'] }),
    Measure1: measure,
    Measure1Completed: measureCompleted,
    Measure2: measure,
    Measure2Completed: measureCompleted,
    Measure3: measure,
    Measure3Completed: measureCompleted,
    Measure4: measure,
    Measure4Completed: measureCompleted,
    Measure5: measure,
    Measure5Completed: measureCompleted,
    MeasuresCompleted: integer('read-only', { doc: 'How many measures are reached.' }),
    MeasuresTotal: integer('read-only', { doc: 'How many measures there are.' }),
    AncestorType: integer('read-only', { doc: '4 organization, 56 department, 39 individual.' }),
    SiteID: guid('read-only', { to: ['site'] }),
  }),
  rights: { from: ['AncestorID'], unset: 'private' },
  order: ['DueDate', 'Name'],
  names: ['Name'],
  key: ['AncestorID', 'Name', 'PeriodID'],
  columns: ['ID', 'Name', 'DueDate', 'Completed', 'MeasuresCompleted', 'MeasuresTotal'],
  operations: () => ({
    list: list(
      {
        individual: 'GET /individuals/{id}/commitments?period',
        department: 'GET /departments/{id}/commitments?period',
        alsoDepartment: 'GET /organizations/{id}/commitments?period',
        dashboard: 'GET /dashboards/{ancestorId}/commitments/{type}?period',
      },
      { labels: ['PM'] },
    ),
    create: create({ plain: 'POST /commitments' }, { labels: ['PM'] }),
    update: update({ plain: 'PUT /commitments/{id}' }, { labels: ['PM'] }),
    delete: remove({ plain: 'DELETE /commitments/{id}' }, { labels: ['PM'], output: 'object' }),
  }),
});
