// Dialogs about an organization, a department, a project or an individual, and their notes on basic roles.
import { boolean, byte, date, type Fields, guid, integer, stamp, text } from '../field.ts';
import { create, get, list, remove, special, undelete, update } from '../operation.ts';
import { defineResource } from '../resource.ts';
import { audit, deletion, lastComment, mayDo } from './shared.ts';

const fields = () =>
  ({
    ID: guid('required on update'),
    AncestorID: guid('required on create', {
      doc: 'What it is about.',
      to: ['organization', 'project', 'individual'],
      owner: true,
    }),
    DialogDate: date('required', { floating: true, doc: 'When it is held.' }),
    Name: text('optional', { max: 255, name: true }),
    Location: text('optional', { max: 50 }),
    Agenda: text('optional'),
    SiteID: guid('read-only', { to: ['site'] }),
    AncestorType: byte('read-only', { doc: '4 organization, 56 department, 15 project, 39 individual.' }),
    ...deletion,
    ...audit,
    Template: boolean('read-only'),
    Draft: boolean('read-only'),
    LastCommentDate: lastComment.LastCommentDate,
    LastCommentByID: lastComment.LastCommentByID,
    LastCommentBy: lastComment.LastCommentBy,
    LastComment: lastComment.LastComment,
    ...mayDo,
    CanDelegate: { ...mayDo.CanDelegate, source: 'inferred' },
  }) as const satisfies Fields;

/** Further members in the list of all dialogs of an individual. */
const relation = () =>
  ({
    MyOpenTasks: integer('read-only', { doc: 'Your own open tasks of the dialog.' }),
    OpenTasks: integer('read-only', { doc: 'Tasks of the dialog that are not completed.' }),
    AncestorName: text('read-only', { doc: 'Name of what it is about.' }),
    Relation: text('read-only', { doc: 'Why it concerns the individual: Org, Ind, dept or ReportsTo.' }),
  }) as const satisfies Fields;

export const dialog = defineResource({
  name: 'dialog',
  command: 'dialogs',
  doc: 'A talk about an organization, department, project or individual.',
  source: 'help pages',
  operationSource: 'help pages',
  segments: ['dialogs'],
  open: true,
  fields,
  rights: {
    from: ['AncestorID'],
    unset: 'private',
    childTypes: [
      { number: 9, below: 'organization' },
      { number: 25, below: 'project' },
      { number: 38, below: 'individual' },
    ],
  },
  order: ['-DialogDate', 'Name'],
  names: ['Name'],
  key: ['AncestorID', 'DialogDate', 'Name'],
  columns: ['ID', 'DialogDate', 'Name', 'Location', 'LastComment'],
  operations: () => ({
    list: list({
      plain: 'GET /dialogs?ancestorType&tz',
      site: 'GET /sites/{siteId}/dialogs?ancestorType&tz',
      department: 'GET /departments/{ancestorid}/dialogs?deleted&tz',
      alsoDepartment: 'GET /organizations/{ancestorid}/dialogs?deleted&tz',
      individual: 'GET /individuals/{ancestorid}/dialogs?deleted&tz',
      project: 'GET /projects/{ancestorid}/dialogs?deleted&tz',
    }),
    all: special(
      { individual: 'GET /individuals/{id}/alldialogs?startDate&endDate' },
      {
        doc: 'The dialogs of an individual, of its departments and of those who report to it.',
        many: true,
        writes: false,
        answers: { ...relation(), ...fields() },
      },
    ),
    get: get({ plain: 'GET /dialogs/{id}?tz' }),
    create: create({ plain: 'POST /dialogs?tz' }),
    update: update({ plain: 'PUT /dialogs/{id}?tz' }),
    delete: remove({ plain: 'DELETE /dialogs/{id}' }, { source: 'inferred', output: 'object' }),
    undelete: undelete({ plain: 'PUT /dialogs/{id}/undelete' }),
  }),
});

export const basicRoleDialog = defineResource({
  name: 'basicRoleDialog',
  command: 'basic-role-dialogs',
  doc: 'What a dialog says of a basic role.',
  source: 'help pages',
  fields: () => ({
    BasicRoleID: guid('required', { to: ['basicRole'], owner: true }),
    DialogID: guid('required', { to: ['dialog'], owner: true }),
    Description: text('required'),
    BasicRoleName: text('read-only'),
    BasicRoleRank: integer('read-only'),
    DialogDate: stamp('read-only', { floating: true }),
  }),
  rights: { from: ['DialogID', 'BasicRoleID'], unset: 'private', countsAs: 'dialog' },
  identity: ['BasicRoleID', 'DialogID'],
  order: ['BasicRoleID.Rank', 'BasicRoleID.Name'],
  columns: ['BasicRoleID', 'DialogID', 'BasicRoleName', 'DialogDate', 'Description'],
  operations: () => ({
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
      { doc: 'Writes the entry, whether there was one or not.', reverse: 'update' },
    ),
  }),
});
