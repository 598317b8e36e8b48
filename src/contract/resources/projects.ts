// What organizations and departments undertake, with its scopes and criteria, phases and statuses.
import { boolean, day, decimal, guid, integer, text } from '../field.ts';
import { create, get, list, remove, special, undelete, update } from '../operation.ts';
import { defineResource } from '../resource.ts';
import { audit, deletion, knownFrom, listItem, listItems } from './shared.ts';

const hours = decimal('optional', { deprecated: true });

export const project = defineResource({
  name: 'project',
  command: 'projects',
  doc: 'Something an organization or department undertakes.',
  source: 'help pages',
  operationSource: 'help pages',
  segments: ['projects'],
  open: true,
  rowType: 15,
  fields: () => ({
    ID: guid('required on update'),
    ParentID: guid('optional', { doc: 'The project above it.', to: ['project'], owner: true, moves: true }),
    AncestorID: guid('required', { doc: 'The organization or department.', to: ['organization'], owner: true }),
    Rank: integer('optional', { doc: 'Its place among its neighbours.' }),
    Color: text('optional', {
      max: 6,
      pattern: /^[0-9a-f]{0,6}$/i,
      form: 'a hex color of at most six digits such as 2e9e4f',
    }),
    HoursActual: hours,
    HoursProjected: hours,
    StartDateActual: day('optional'),
    StartDateProjected: day('optional'),
    EndDateActual: day('optional'),
    EndDateProjected: day('optional'),
    TrackingLabel: text('optional'),
    NearHighlightOverride: integer('optional'),
    Name: text('optional', { max: 255, name: true }),
    Description: text('optional'),
    StatusID: integer('optional', { to: ['status'] }),
    PhaseID: integer('required', { to: ['phase'] }),
    AncestorName: text('read-only', { doc: 'Name of the organization or department.' }),
    RankOrder: text('read-only', { doc: 'The ranks from the top down, as 0001.0002.' }),
    DisplayRank: text('read-only', { doc: 'The ranks from the top down, as 1.2.' }),
    Level: integer('read-only', { doc: 'How deep it stands: 1 at the top.' }),
    SumHoursActual: decimal('read-only', { doc: 'Hours with those of the projects below it.' }),
    SumHoursProjected: decimal('read-only', { doc: 'Hours with those of the projects below it.' }),
    Status: text('read-only', { doc: 'Name of the status.' }),
    Phase: text('read-only', { doc: 'Name of the phase.' }),
    SiteID: guid('read-only', { to: ['site'], source: 'inferred' }),
    ...knownFrom('inferred', deletion),
    ...knownFrom('inferred', audit),
  }),
  rights: { from: ['ParentID', 'AncestorID'], unset: 'open', childTypes: [{ number: 15 }] },
  order: 'tree',
  names: ['Name'],
  key: ['AncestorID', 'Name'],
  columns: ['ID', 'DisplayRank', 'Name', 'AncestorName', 'Phase', 'Status', 'EndDateProjected'],
  operations: () => ({
    list: list({
      site: 'GET /sites/{siteid}/projects?organizationid&deleted&tz',
      department: 'GET /organizations/{organizationid}/projects?siteid&deleted&tz',
      individual: 'GET /individuals/{id}/projects?deleted&tz',
    }),
    get: get({ plain: 'GET /projects/{id}?tz' }),
    create: create({ plain: 'POST /projects?tz' }),
    update: update({ plain: 'PUT /projects/{id}?tz' }),
    delete: remove({ plain: 'DELETE /projects/{id}' }, { source: 'inferred', output: 'object' }),
    undelete: undelete({ plain: 'PUT /projects/{id}/undelete?tz' }, { source: 'inferred' }),
  }),
});

export const phase = defineResource({
  name: 'phase',
  command: 'project-phases',
  aliases: ['project-phase'],
  doc: "A phase that the site's projects go through.",
  source: 'help pages',
  operationSource: 'help pages',
  segments: ['projectphases'],
  id: 'integer',
  fields: () => ({
    ID: integer('required on update'),
    SiteID: guid('required', { to: ['site'] }),
    Name: text('required', { max: 50, name: true }),
    Rank: integer('required', { doc: 'Its place in the list.' }),
  }),
  rights: { from: [], unset: 'open' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['Name'],
  columns: ['ID', 'Rank', 'Name'],
  operations: () => ({
    list: list({ site: 'GET /sites/{siteid}/projectphases' }),
    defaults: special(
      { site: 'GET /sites/{siteid}/projectphases/defaults' },
      { doc: 'The phases a new site begins with.', many: true, writes: false },
    ),
    create: create({ plain: 'POST /projectphases' }),
    update: update({ plain: 'PUT /projectphases/{id}' }),
  }),
});

export const projectScope = defineResource({
  ...listItems,
  name: 'projectScope',
  command: 'project-scopes',
  doc: 'What a project covers.',
  operationSource: 'help pages',
  fields: () => listItem('project'),
  rights: { from: ['AncestorID'], unset: 'open' },
  operations: () => ({
    list: list({ project: 'GET /projects/{projectid}/projectscopes?deleted' }),
    get: get({ plain: 'GET /projectscopes/{id}' }),
    create: create({ plain: 'POST /projectscopes' }),
    update: update({ plain: 'PUT /projectscopes/{id}' }, { source: 'inferred' }),
    delete: remove({ plain: 'DELETE /projectscopes/{id}' }, { source: 'inferred', output: 'object' }),
    undelete: undelete({ plain: 'PUT /projectscopes/{id}/undelete' }),
  }),
});

export const status = defineResource({
  name: 'status',
  command: 'project-statuses',
  aliases: ['project-status'],
  doc: 'A status that projects of the site can have.',
  source: 'help pages',
  operationSource: 'help pages',
  segments: ['projectstatuses'],
  id: 'integer',
  fields: () => ({
    ID: integer('required on update'),
    Name: text('required', { max: 50, name: true }),
    Rank: integer('required', { doc: 'Its place in the list.' }),
    ShowForInd: boolean('required on create', { doc: 'Is it shown for individuals?' }),
    SiteID: guid('required on create', { to: ['site'] }),
  }),
  rights: { from: [], unset: 'open' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['Name'],
  columns: ['ID', 'Rank', 'Name', 'ShowForInd'],
  operations: () => ({
    list: list({ site: 'GET /sites/{siteid}/projectstatuses' }, { source: 'inferred' }),
    create: create({ plain: 'POST /projectstatuses' }),
    update: update({ plain: 'PUT /projectstatuses/{id}' }),
  }),
});

export const evaluationCriteria = defineResource({
  ...listItems,
  name: 'evaluationCriteria',
  command: 'evaluation-criteria',
  aliases: ['evaluation-criterion'],
  type: 'EvaluationCriteria',
  doc: 'A criterion that judges a project, and whether it is reached.',
  operationSource: 'help pages',
  fields: () => ({
    Completed: boolean('optional', { doc: 'Is it reached?', source: 'help pages' }),
    ...listItem('project'),
  }),
  rights: { from: ['AncestorID'], unset: 'open' },
  columns: ['ID', 'Rank', 'Name', 'Completed', 'Description'],
  operations: () => ({
    list: list({ project: 'GET /projects/{projectid}/evaluationcriteria?deleted' }),
    get: get({
      plain: 'GET /evaluationcriteria/{evaluationcriteriaid}',
      project: 'GET /projects/{projectid}/evaluationcriteria/{evaluationcriteriaid}',
    }),
    create: create({ plain: 'POST /evaluationcriteria' }),
    update: update({ plain: 'PUT /evaluationcriteria/{id}' }),
    delete: remove({ plain: 'DELETE /evaluationcriteria/{id}' }, { source: 'inferred', output: 'object' }),
    undelete: undelete({ plain: 'PUT /evaluationcriteria/{id}/undelete' }, { source: 'inferred' }),
  }),
});
