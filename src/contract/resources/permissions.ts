// Permissions on objects, and the groups to which rights are given.
import { boolean, guid, integer, text } from '../field.ts';
import { create, get, list, local, remove, special, undelete, update } from '../operation.ts';
import { defineResource } from '../resource.ts';
import { individual } from './individuals.ts';
import { audit, deletion } from './shared.ts';

/** The engine's numbers for the state of an action (D18). */
export const STATES = { 0: 'Not Set', 1: 'Allow', 2: 'Deny' } as const;

/** Permission rows stand on records of these kinds, and hold there and below. */
export const HOLDERS = ['site', 'individual', 'organization', 'project', 'metric', 'task'] as const;

const state = (action: string) => integer('required', { doc: `Is it allowed to ${action}?`, choices: STATES });
const stateText = text('read-only', { doc: 'The same in words: Not Set, Allow or Deny.' });

export const permission = defineResource({
  name: 'permission',
  command: 'permissions',
  doc: 'What one user or security group may do with one object.',
  fields: () => ({
    ID: guid('required on update'),
    RowID: guid('required on create', { doc: 'The object.', to: HOLDERS, owner: true }),
    PrincipalID: guid('required on create', {
      doc: "Who: an individual's UserID or a security group's ID.",
      to: ['principal', 'securityGroup'],
      owner: true,
    }),
    ChildType: integer('required on create', {
      doc: 'The type of child objects it is about, as department; null for the object itself.',
      nullable: true,
    }),
    CreateState: state('create'),
    ReadState: state('read'),
    UpdateState: state('change'),
    DeleteState: state('delete'),
    DelegateState: state('give others rights'),
    SiteID: guid('read-only', { to: ['site'] }),
    RowType: integer('read-only', { doc: 'The row type of the object.' }),
    PrincipalName: text('read-only'),
    PrincipalType: integer('read-only', { doc: '1 user, 2 security group.' }),
    RowName: text('read-only', { doc: 'The name of the object.' }),
    CreateText: stateText,
    ReadText: stateText,
    UpdateText: stateText,
    DeleteText: stateText,
    DelegateText: stateText,
  }),
  rights: { from: ['RowID'], unset: 'delegated' },
  identity: ['RowID', 'PrincipalID', 'ChildType'],
  columns: [
    'ID',
    'PrincipalName',
    'RowName',
    'ChildType',
    'CreateText',
    'ReadText',
    'UpdateText',
    'DeleteText',
    'DelegateText',
  ],
  operations: () => ({
    list: list(
      {
        site: 'GET /sites/{id}/security',
        individual: 'GET /individuals/{id}/security',
        department: 'GET /departments/{id}/security',
        alsoDepartment: 'GET /organizations/{id}/security',
        project: 'GET /projects/{id}/security',
        metric: 'GET /metrics/{id}/security',
        task: 'GET /tasks/{id}/security',
        siteChildren: 'GET /sites/{id}/security/{childtype}',
        individualChildren: 'GET /individuals/{id}/security/{childtype}',
        departmentChildren: 'GET /departments/{id}/security/{childtype}',
        alsoDepartmentChildren: 'GET /organizations/{id}/security/{childtype}',
        projectChildren: 'GET /projects/{id}/security/{childtype}',
        metricChildren: 'GET /metrics/{id}/security/{childtype}',
        taskChildren: 'GET /tasks/{id}/security/{childtype}',
      },
      {
        doc: 'List the permissions on the site itself, or with a flag those on one record.',
        source: 'inferred',
        sources: { siteChildren: 'help pages', individualChildren: 'help pages', projectChildren: 'help pages' },
      },
    ),
    create: create({ plain: 'POST /security' }, { source: 'help pages' }),
    update: update({ plain: 'PUT /security/{id}' }, { source: 'help pages' }),
    delete: remove({ plain: 'DELETE /security/{id}' }, { source: 'inferred', output: 'object' }),
  }),
});

const group = guid('required', { doc: 'The group.', to: ['securityGroup'] });
const membership = {
  Group: group,
  Individual: guid('required', { doc: 'Whom it is about.', to: ['individual'] }),
} as const;

export const securityGroup = defineResource({
  name: 'securityGroup',
  command: 'security-groups',
  doc: 'A group to which rights are given.',
  source: 'help pages',
  operationSource: 'help pages',
  segments: ['securitygroups'],
  fields: () => ({
    ID: guid('required on update'),
    Group: text('required', { max: 100, name: true, doc: 'Its name.' }),
    Description: text('optional'),
    SiteID: guid('required', { to: ['site'] }),
    ...audit,
    ...deletion,
  }),
  rights: { from: [], unset: 'open' },
  order: ['Group'],
  names: ['Group'],
  key: ['Group'],
  columns: ['ID', 'Group', 'Description'],
  operations: () => ({
    list: list({ plain: 'GET /securitygroups?siteId', site: 'GET /sites/{siteId}/securitygroups' }),
    defaults: special(
      { site: 'GET /sites/{siteId}/securitygroups/defaults' },
      { doc: 'The groups a new site begins with.', labels: ['GA'], many: true, writes: false },
    ),
    get: get({ plain: 'GET /securitygroups/{id}' }),
    create: create({ plain: 'POST /securitygroups' }, { labels: ['Admin'] }),
    update: update({ plain: 'PUT /securitygroups/{id}' }, { labels: ['Admin'] }),
    delete: remove(
      { plain: 'DELETE /securitygroups/{id}' },
      { source: 'inferred', labels: ['Admin'], output: 'object' },
    ),
    undelete: undelete({ plain: 'PUT /securitygroups/{id}/undelete' }, { source: 'inferred', labels: ['Admin'] }),
    members: local({
      doc: 'Lists the individuals of a group.',
      many: true,
      writes: false,
      takes: { Group: group, Deleted: boolean('optional', { doc: 'Deleted ones too, and those of a deleted group?' }) },
      answers: individual.fields,
    }),
    addMember: local({
      doc: 'Puts an individual into a group.',
      labels: ['Admin'],
      takes: membership,
      reverse: 'deleteMember',
      adds: { Member: 'Individual' },
    }),
    deleteMember: local({
      doc: 'Takes an individual out of a group.',
      labels: ['Admin'],
      takes: membership,
      reverse: 'addMember',
      removes: { Member: 'Individual' },
    }),
  }),
});
