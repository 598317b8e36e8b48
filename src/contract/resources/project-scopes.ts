// What a project covers.
import { create, get, list, remove, undelete, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';
import { listItem } from './list-item.ts';

export const projectScope = defineResource({
  name: 'projectScope',
  command: 'project-scopes',
  aliases: ['project-scope'],
  type: 'ListItem',
  doc: 'What a project covers.',
  fields: listItem('project'),
  rights: { from: ['AncestorID'], unset: 'open' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['AncestorID', 'Name'],
  columns: ['ID', 'Rank', 'Name', 'Description'],
  operations: {
    list: list({ project: 'GET /projects/{projectid}/projectscopes?deleted' }, { source: 'help pages' }),
    get: get({ plain: 'GET /projectscopes/{id}' }, { source: 'help pages' }),
    create: create({ plain: 'POST /projectscopes' }, { source: 'help pages' }),
    update: update({ plain: 'PUT /projectscopes/{id}' }, { source: 'inferred' }),
    delete: remove({ plain: 'DELETE /projectscopes/{id}' }, { source: 'inferred', output: 'object' }),
    undelete: undelete({ plain: 'PUT /projectscopes/{id}/undelete' }, { source: 'help pages' }),
  },
});
export interface ProjectScope extends RecordOf<typeof projectScope> {}
