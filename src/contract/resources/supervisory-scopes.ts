// Whom and what an individual supervises.
import { create, get, list, remove, undelete, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';
import { listItem } from './list-item.ts';

export const supervisoryScope = defineResource({
  name: 'supervisoryScope',
  command: 'supervisory-scopes',
  aliases: ['supervisory-scope'],
  type: 'ListItem',
  doc: 'What an individual supervises.',
  fields: listItem('individual'),
  rights: { from: ['AncestorID'], unset: 'own list' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['AncestorID', 'Name'],
  columns: ['ID', 'Rank', 'Name', 'Description'],
  operations: {
    list: list(
      {
        individual: 'GET /individuals/{individualid}/supervisoryscopes?deleted',
        mine: 'GET /me/supervisoryscopes?deleted',
      },
      { source: 'inferred' },
    ),
    get: get({ plain: 'GET /supervisoryscopes/{id}' }, { source: 'inferred' }),
    create: create({ plain: 'POST /supervisoryscopes' }, { source: 'help pages' }),
    update: update({ plain: 'PUT /supervisoryscopes/{id}' }, { source: 'help pages' }),
    delete: remove({ plain: 'DELETE /supervisoryscopes/{id}' }, { source: 'inferred', output: 'object' }),
    undelete: undelete({ plain: 'PUT /supervisoryscopes/{id}/undelete' }, { source: 'inferred' }),
  },
});
export interface SupervisoryScope extends RecordOf<typeof supervisoryScope> {}
