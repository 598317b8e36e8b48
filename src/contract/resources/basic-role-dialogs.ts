// What a dialog says of a basic role: one entry for each pair.
import { guid, integer, stamp, text } from '../field.ts';
import { get, list, special } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';

export const basicRoleDialog = defineResource({
  name: 'basicRoleDialog',
  command: 'basic-role-dialogs',
  aliases: ['basic-role-dialog'],
  type: 'BasicRoleDialog',
  doc: 'What a dialog says of a basic role.',
  source: 'help pages',
  fields: {
    BasicRoleID: guid('required', { to: ['basicRole'], owner: true }),
    DialogID: guid('required', { to: ['dialog'], owner: true }),
    Description: text('required'),
    BasicRoleName: text('read-only'),
    BasicRoleRank: integer('read-only'),
    DialogDate: stamp('read-only', { floating: true }),
  },
  rights: { from: ['BasicRoleID'], unset: 'private', countsAs: 'dialog' },
  identity: ['BasicRoleID', 'DialogID'],
  order: [],
  key: ['BasicRoleID', 'DialogID'],
  columns: ['BasicRoleID', 'DialogID', 'BasicRoleName', 'DialogDate', 'Description'],
  operations: {
    list: list(
      {
        dialog: 'GET /dialogs/{dialogid}/basicroledialogs',
        basicRole: 'GET /basicroles/{basicRoleid}/dialogs',
      },
      { sources: { basicRole: 'inferred' } },
    ),
    get: get({ basicRole: 'GET /basicroles/{basicRoleid}/dialogs/{dialogid}' }),
    update: special(
      { basicRole: 'PUT /basicroles/{basicRoleid}/dialogs/{dialogid}' },
      { doc: 'Writes the entry, whether there was one or not.' },
    ),
  },
});
export interface BasicRoleDialog extends RecordOf<typeof basicRoleDialog> {}
