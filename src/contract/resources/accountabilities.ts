// What an individual answers for, and whom and what it supervises.
import { create, get, list, remove, undelete, update } from '../operation.ts';
import { defineResource } from '../resource.ts';
import { listItem, listItems } from './shared.ts';

export const accountability = defineResource({
  ...listItems,
  name: 'accountability',
  command: 'accountabilities',
  doc: 'What an individual answers for.',
  fields: () => listItem('individual'),
  rights: { from: ['AncestorID'], unset: 'own list' },
  operations: () => ({
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
  }),
});

export const supervisoryScope = defineResource({
  ...listItems,
  name: 'supervisoryScope',
  command: 'supervisory-scopes',
  doc: 'What an individual supervises.',
  fields: () => listItem('individual'),
  rights: { from: ['AncestorID'], unset: 'own list' },
  operations: () => ({
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
  }),
});
