// What an individual answers for.
import { create, get, list, remove, undelete, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';
import { listItem } from './list-item.ts';

export const accountability = defineResource({
  name: 'accountability',
  command: 'accountabilities',
  aliases: ['accountability'],
  type: 'ListItem',
  doc: 'What an individual answers for.',
  fields: listItem('individual'),
  rights: { from: ['AncestorID'], unset: 'own list' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['AncestorID', 'Name'],
  columns: ['ID', 'Rank', 'Name', 'Description'],
  operations: {
    list: list(
      {
        individual: 'GET /individuals/{individualid}/accountabilities?deleted',
        mine: 'GET /me/accountabilities?deleted',
      },
      { output: 'List' },
    ),
    get: get(
      {
        plain: 'GET /accountabilities/{accountabilityid}',
        individual: 'GET /individuals/{individualid}/accountabilities/{accountabilityid}',
      },
      { output: 'List' },
    ),
    create: create({ plain: 'POST /accountabilities' }),
    update: update({ plain: 'PUT /accountabilities/{id}' }),
    delete: remove({ plain: 'DELETE /accountabilities/{id}' }, { output: 'object' }),
    undelete: undelete({ plain: 'PUT /accountabilities/{id}/undelete' }, { output: 'List' }),
  },
});
export interface Accountability extends RecordOf<typeof accountability> {}
