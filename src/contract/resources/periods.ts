// The spans of time in which a site plans and looks back.
import { date, guid, integer, text } from '../field.ts';
import { create, list, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';

export const period = defineResource({
  name: 'period',
  command: 'periods',
  aliases: ['period'],
  type: 'Period',
  doc: 'A span of whole days in which the site plans and looks back.',
  source: 'help pages',
  id: 'integer',
  fields: {
    ID: integer('required on update'),
    SiteID: guid('required on create', { to: ['site'] }),
    StartDate: date('required', { floating: true, doc: 'Its first day.' }),
    EndDate: date('required', { floating: true, doc: 'Its last day, which belongs to it.' }),
    TotalProjects: integer('read-only', { doc: 'Projects under way in it.' }),
    TotalCommitments: integer('read-only', { doc: 'Commitments due in it.' }),
    DateSpan: text('read-only', { doc: 'Its first and last day, as text.' }),
    Permissions: integer('read-only'),
  },
  rights: { from: [], unset: 'open' },
  xmlOrder: ['DateSpan', 'Permissions', 'TotalCommitments', 'TotalProjects', 'ID', 'SiteID', 'StartDate', 'EndDate'],
  order: ['StartDate'],
  names: ['DateSpan'],
  key: ['StartDate', 'EndDate'],
  columns: ['ID', 'DateSpan', 'TotalProjects', 'TotalCommitments'],
  operations: {
    list: list({ site: 'GET /sites/{siteid}/periods' }, { source: 'help pages', labels: ['PM'] }),
    create: create({ plain: 'POST /periods' }, { source: 'help pages', labels: ['PM', 'Admin'] }),
    update: update({ plain: 'PUT /periods/{id}' }, { source: 'help pages', labels: ['PM', 'Admin'] }),
  },
});
export interface Period extends RecordOf<typeof period> {}
