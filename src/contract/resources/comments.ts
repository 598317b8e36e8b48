// Remarks on almost anything.
import { date, guid, integer, text } from '../field.ts';
import { create, list, remove, undelete, update } from '../operation.ts';
import { defineResource } from '../resource.ts';
import { audit, deletion, knownFrom } from './shared.ts';

export const comment = defineResource({
  name: 'comment',
  command: 'comments',
  doc: 'A remark on a department, individual, project, dialog and the like.',
  source: 'inferred',
  fields: () => ({
    ID: guid('required on update'),
    AncestorID: guid('required on create', {
      doc: 'What it is a remark on.',
      to: ['organization', 'individual', 'project', 'dialog', 'metric', 'task'],
      owner: true,
    }),
    Body: text('required'),
    AncestorType: integer('read-only', { doc: 'The row type of what it is a remark on.' }),
    SiteID: guid('read-only', { to: ['site'] }),
    ...knownFrom('document', deletion),
    Created: date('read-only', audit.Created),
    CreatedBy: guid('read-only', audit.CreatedBy),
    CreatedByName: text('read-only', { doc: 'Name of who made it.' }),
    Updated: date('read-only', audit.Updated),
    UpdatedBy: guid('read-only', audit.UpdatedBy),
  }),
  rights: { from: ['AncestorID'], unset: 'authored' },
  order: ['-Created'],
  columns: ['ID', 'Created', 'CreatedByName', 'Body'],
  operations: () => ({
    list: list({
      department: 'GET /departments/{ancestorid}/comments?tz',
      individual: 'GET /individuals/{ancestorid}/comments?tz',
      alsoDepartment: 'GET /organizations/{ancestorid}/comments?tz',
      project: 'GET /projects/{ancestorid}/comments?tz',
      dialog: 'GET /dialogs/{ancestorid}/comments?tz',
      metric: 'GET /metrics/{ancestorid}/comments?tz',
      task: 'GET /tasks/{ancestorid}/comments?tz',
      mine: 'GET /me/comments',
    }),
    create: create({ plain: 'POST /comments?tz' }),
    update: update({ plain: 'PUT /comments/{id}?tz' }),
    delete: remove({ plain: 'DELETE /comments/{id}' }, { output: 'object' }),
    undelete: undelete({ plain: 'PUT /comments/{id}/undelete?tz' }, { output: 'List' }),
  }),
});
