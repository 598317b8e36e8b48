// What a site stands for.
import { guid, integer, text } from '../field.ts';
import { create, list, remove, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';

export const coreValue = defineResource({
  name: 'coreValue',
  command: 'core-values',
  aliases: ['core-value'],
  type: 'CoreValue',
  doc: 'Something the site stands for.',
  source: 'inferred',
  fields: {
    ID: guid('required on update'),
    SiteID: guid('read-only', { to: ['site'] }),
    Rank: integer('required', { doc: 'Its place in the list.' }),
    Name: text('required', { max: 255 }),
    Description: text('optional'),
  },
  rights: { from: [], unset: 'open' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['Name'],
  columns: ['ID', 'Rank', 'Name', 'Description'],
  operations: {
    list: list({ plain: 'GET /corevalues', site: 'GET /sites/{siteId}/corevalues' }, { labels: ['PM'] }),
    create: create({ plain: 'POST /corevalues' }, { labels: ['PM', 'Admin'] }),
    update: update({ plain: 'PUT /corevalues/{id}' }, { labels: ['PM', 'Admin'] }),
    delete: remove({ plain: 'DELETE /corevalues/{id}' }, { labels: ['PM', 'Admin'], output: 'object' }),
  },
});
export interface CoreValue extends RecordOf<typeof coreValue> {}
