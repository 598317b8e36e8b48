// The phases that a site's projects go through.
import { guid, integer, text } from '../field.ts';
import { create, list, special, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';

export const phase = defineResource({
  name: 'phase',
  command: 'project-phases',
  aliases: ['project-phase'],
  type: 'Phase',
  doc: "A phase that the site's projects go through.",
  source: 'help pages',
  segments: ['projectphases'],
  id: 'integer',
  fields: {
    ID: integer('required on update'),
    SiteID: guid('required', { to: ['site'] }),
    Name: text('required', { max: 50 }),
    Rank: integer('required', { doc: 'Its place in the list.' }),
  },
  rights: { from: [], unset: 'open' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['Name'],
  columns: ['ID', 'Rank', 'Name'],
  operations: {
    list: list({ site: 'GET /sites/{siteid}/projectphases' }, { source: 'help pages' }),
    defaults: special(
      { site: 'GET /sites/{siteid}/projectphases/defaults' },
      { doc: 'The phases a new site begins with.', source: 'help pages', many: true, writes: false },
    ),
    create: create({ plain: 'POST /projectphases' }, { source: 'help pages' }),
    update: update({ plain: 'PUT /projectphases/{id}' }, { source: 'help pages' }),
  },
});
export interface Phase extends RecordOf<typeof phase> {}
