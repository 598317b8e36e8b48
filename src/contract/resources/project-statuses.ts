// How the projects of a site stand.
import { boolean, guid, integer, text } from '../field.ts';
import { create, list, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';

export const status = defineResource({
  name: 'status',
  command: 'project-statuses',
  aliases: ['project-status'],
  type: 'Status',
  doc: "How the site's projects may stand.",
  source: 'help pages',
  segments: ['projectstatuses'],
  id: 'integer',
  fields: {
    ID: integer('required on update'),
    Name: text('required', { max: 50 }),
    Rank: integer('required', { doc: 'Its place in the list.' }),
    ShowForInd: boolean('required on create', { doc: 'Is it shown for individuals?' }),
    SiteID: guid('required on create', { to: ['site'] }),
  },
  rights: { from: [], unset: 'open' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['Name'],
  columns: ['ID', 'Rank', 'Name', 'ShowForInd'],
  operations: {
    list: list({ site: 'GET /sites/{siteid}/projectstatuses' }, { source: 'inferred' }),
    create: create({ plain: 'POST /projectstatuses' }, { source: 'help pages' }),
    update: update({ plain: 'PUT /projectstatuses/{id}' }, { source: 'help pages' }),
  },
});
export interface Status extends RecordOf<typeof status> {}
