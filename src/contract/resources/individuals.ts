// The people of a site.
import { boolean, date, guid, text } from '../field.ts';
import { create, get, list, local, remove, undelete, update } from '../operation.ts';
import { defineResource } from '../resource.ts';
import { audit, deletion, lastComment, mayDo } from './shared.ts';

const userDefined = text('optional', { max: 255, doc: 'Free for the site to use.' });

export const individual = defineResource({
  name: 'individual',
  command: 'individuals',
  doc: 'A person of the site, who may log in.',
  operationSource: 'help pages',
  segments: ['individuals'],
  rowType: 39,
  fields: () => ({
    ID: guid('required on update'),
    SiteID: guid('read-only', { to: ['site'] }),
    IsAdmin: boolean('optional', { doc: 'Administrator of the site?', keeps: true }),
    UserID: guid('read-only', { doc: 'The ID under which rights are given.' }),
    Prefix: text('optional', { max: 25, name: true }),
    Suffix: text('optional', { max: 25, name: true }),
    FirstName: text('required', { max: 50, name: true }),
    LastName: text('required', { max: 50, name: true }),
    UserDefined1: userDefined,
    UserDefined2: userDefined,
    UserDefined3: userDefined,
    UserDefined4: userDefined,
    Email: text('required on create', { max: 255, name: true }),
    PrimaryOrganizationID: guid('required on create', {
      doc: 'The department of the primary membership.',
      to: ['organization'],
    }),
    PrimaryTitle: text('required on create', { max: 255, name: true, doc: 'The title in the primary membership.' }),
    PrimaryReportsTo: guid('required on create', {
      doc: 'Whom the individual reports to; at the top, the individual itself.',
      to: ['individual'],
    }),
    UserName: text('required', {
      max: 255,
      name: true,
      unique: true,
      pattern: /^[^:\\]*$/,
      form: 'a user name without : and \\',
      doc: 'The name to log in with; no two are alike in the whole database.',
    }),
    Password: text('optional', { deprecated: true, keeps: true, writeOnly: true }),
    ParentID: guid('required on create', { deprecated: true, nullOnly: true, doc: 'Always null.' }),
    PrimaryOrganizationName: text('read-only'),
    FullName: text('read-only', { doc: 'First and last name.' }),
    FormalName: text('read-only', { doc: 'With prefix and suffix.' }),
    FullOrderedName: text('read-only', { doc: 'Last name first.' }),
    ...deletion,
    Created: audit.Created,
    Updated: audit.Updated,
    CreatedBy: audit.CreatedBy,
    UpdatedBy: audit.UpdatedBy,
    IsGlobalAdmin: boolean('read-only', { doc: 'Administrator of every site?' }),
    UserEmail: text('required on create', { deprecated: true, doc: 'The same as Email.' }),
    ...lastComment,
    ...mayDo,
    SendEvalSurvey: boolean('read-only'),
    HireDate: date('optional', { floating: true }),
  }),
  rights: { from: [], unset: 'own record' },
  order: ['FullOrderedName'],
  names: ['UserName', 'Email', 'FullName'],
  key: ['UserName'],
  columns: ['ID', 'UserName', 'FullName', 'PrimaryTitle', 'PrimaryOrganizationName'],
  operations: () => ({
    list: list(
      {
        plain: 'GET /users?deleted&tz',
        site: 'GET /sites/{siteId}/individuals?deleted&tz',
        department: 'GET /departments/{id}/individuals?tz',
        alsoDepartment: 'GET /organizations/{id}/individuals?tz',
        project: 'GET /projects/{id}/individuals',
      },
      { doc: 'List individuals; of a department also those who have a second place there.' },
    ),
    get: get({ plain: 'GET /individuals/{id}?tz', mine: 'GET /me?tz' }),
    create: create({ plain: 'POST /individuals?tz' }, { labels: ['Admin'] }),
    update: update({ plain: 'PUT /individuals/{id}?tz' }),
    delete: remove({ plain: 'DELETE /individuals/{id}' }, { source: 'inferred', output: 'object' }),
    undelete: undelete({ plain: 'PUT /individuals/{id}/undelete?tz' }),
    setPassword: local({
      doc: 'Sets the password of an individual.',
      reverse: 'none',
      adds: {},
      takes: { Individual: guid('required', { to: ['individual'] }), Password: text('required', { writeOnly: true }) },
    }),
    grantGlobal: local({
      doc: 'Makes an individual administrator of every site.',
      reverse: 'none',
      adds: { 'Global administrator': 'Individual' },
      takes: { Individual: guid('required', { to: ['individual'] }) },
    }),
  }),
});
