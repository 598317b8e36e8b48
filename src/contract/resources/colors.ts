// The colors in which a site shows its levels.
import { guid, integer, text } from '../field.ts';
import { create, get, list, remove, special, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';

export const color = defineResource({
  name: 'color',
  command: 'colors',
  aliases: ['color'],
  type: 'Color',
  doc: 'A color in which the site shows a level of performance.',
  source: 'help pages',
  segments: ['colors'],
  id: 'integer',
  fields: {
    ID: integer('required on update', { source: 'document' }),
    SiteID: guid('required', { to: ['site'] }),
    Rank: integer('required', { doc: '1 is the lowest level.' }),
    Name: text('required', { max: 50 }),
    Code: text('required', {
      pattern: /^#?[0-9a-f]{6}$/i,
      form: 'a hex color of six digits such as 2e9e4f',
      doc: 'The color as six hex digits.',
    }),
  },
  rights: { from: [], unset: 'open' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['Name'],
  columns: ['ID', 'Rank', 'Name', 'Code'],
  operations: {
    list: list({ plain: 'GET /colors', site: 'GET /sites/{siteid}/colors' }),
    defaults: special(
      { plain: 'GET /colors/defaults', site: 'GET /sites/{siteid}/colors/defaults' },
      { doc: 'The colors a new site begins with.', many: true, writes: false },
    ),
    get: get({ plain: 'GET /colors/{id}' }),
    create: create({ plain: 'POST /colors' }, { labels: ['Admin'] }),
    update: update({ plain: 'PUT /colors/{id}' }, { labels: ['Admin'] }),
    delete: remove({ plain: 'DELETE /colors/{id}' }, { labels: ['Admin'], output: 'object' }),
  },
});
export interface Color extends RecordOf<typeof color> {}
