// Organizations and departments, one type with two RowTypes, and their members.
import { boolean, bytes, guid, integer, text } from '../field.ts';
import { create, get, list, remove, undelete, update } from '../operation.ts';
import { defineResource } from '../resource.ts';
import { audit, deletion, knownFrom, lastComment, mayDo } from './shared.ts';

export const organization = defineResource({
  name: 'organization',
  command: 'departments',
  aliases: ['department', 'organizations', 'organization'],
  doc: 'An organization, or a department below one.',
  source: 'help pages',
  segments: ['organizations', 'departments'],
  open: true,
  fields: () => ({
    ID: guid('required on update'),
    SiteID: guid('optional', { to: ['site'], keeps: true }),
    ParentID: guid('optional', {
      doc: 'What it is part of: the site (then it is an organization), an organization or a department.',
      to: ['organization', 'site'],
      owner: true,
      moves: true,
    }),
    Rank: integer('required', { doc: 'Its place among its neighbours.' }),
    Name: text('required', { max: 100, name: true }),
    EmotionalGoal: text('optional', { max: 1000 }),
    Focus: text('optional'),
    Picture: bytes('optional'),
    RowType: integer('read-only', { doc: '4 organization, 56 department.' }),
    RankPath: bytes('read-only', { doc: 'The ranks from the top down, four bytes each.' }),
    RankOrder: text('read-only', { doc: 'The ranks from the top down, as 0001.0002.' }),
    DisplayRank: text('read-only', { doc: 'The ranks from the top down, as 1.2.' }),
    Level: integer('read-only', { doc: 'How deep it stands: 1 at the top.' }),
    Values: text('read-only'),
    ...knownFrom('document', deletion),
    ...audit,
    ...knownFrom('inferred', lastComment),
    LastComment: lastComment.LastComment,
    ...knownFrom('inferred', mayDo),
  }),
  rights: {
    from: ['ParentID'],
    unset: 'open',
    childTypes: [
      { number: 4, type: 'organization' },
      { number: 19, type: 'department' },
    ],
  },
  order: 'tree',
  names: ['Name'],
  key: ['ParentID', 'Name'],
  columns: ['ID', 'DisplayRank', 'Name', 'RowType', 'Focus'],
  operations: () => ({
    list: list(
      {
        plain: 'GET /departments?deleted',
        organizations: 'GET /organizations?deleted',
        site: 'GET /sites/{siteid}/departments?deleted',
        siteOrganizations: 'GET /sites/{siteid}/organizations?deleted',
        individual: 'GET /individuals/{id}/departments?deleted',
        alsoIndividual: 'GET /individuals/{id}/organizations?deleted',
        mine: 'GET /me/departments?deleted',
        alsoMine: 'GET /me/organizations?deleted',
      },
      {
        sources: {
          organizations: 'help pages',
          siteOrganizations: 'help pages',
          alsoIndividual: 'help pages',
          alsoMine: 'help pages',
        },
      },
    ),
    get: get(
      { plain: 'GET /departments/{id}', alsoOrganization: 'GET /organizations/{id}' },
      { sources: { alsoOrganization: 'help pages' } },
    ),
    create: create(
      { plain: 'POST /departments', alsoOrganization: 'POST /organizations' },
      { sources: { alsoOrganization: 'help pages' } },
    ),
    update: update(
      { plain: 'PUT /departments/{id}', alsoOrganization: 'PUT /organizations/{id}' },
      { sources: { alsoOrganization: 'help pages' } },
    ),
    delete: remove(
      { plain: 'DELETE /departments/{id}', alsoOrganization: 'DELETE /organizations/{id}' },
      { output: 'object', sources: { alsoOrganization: 'inferred' } },
    ),
    undelete: undelete(
      { plain: 'PUT /departments/{id}/undelete', alsoOrganization: 'PUT /organizations/{id}/undelete' },
      { sources: { alsoOrganization: 'help pages' } },
    ),
  }),
});

export const organizationMember = defineResource({
  name: 'organizationMember',
  command: 'department-members',
  aliases: ['department-member', 'organization-members', 'organization-member'],
  doc: 'The membership of an individual in an organization or department.',
  source: 'help pages',
  fields: () => ({
    ID: guid('required on update'),
    SiteID: guid('optional', { to: ['site'], keeps: true }),
    IndividualID: guid('required', { to: ['individual'], owner: true }),
    OrganizationID: guid('required', { to: ['organization'], owner: true, moves: true }),
    ReportsToID: guid('optional', { doc: 'Whom the individual reports to here.', to: ['individual'] }),
    Title: text('optional', { name: true }),
    Primary: boolean('optional', { doc: 'Is it the primary membership of the individual?' }),
    Leader: boolean('optional', { doc: 'Does the individual lead the department?' }),
    Name: text('read-only', { doc: 'Name of the individual.' }),
    ReportsToFull: text('read-only', { doc: 'Name of whom the individual reports to.' }),
    ReportsToOrderedName: text('read-only', { doc: 'The same, last name first.' }),
  }),
  rights: { from: ['IndividualID', 'OrganizationID'], unset: 'open' },
  order: ['IndividualID.FullOrderedName'],
  identity: ['IndividualID', 'OrganizationID'],
  columns: ['ID', 'Name', 'OrganizationID', 'Title', 'Primary', 'Leader', 'ReportsToFull'],
  operations: () => ({
    list: list(
      {
        department: 'GET /departments/{id}/departmentmembers',
        individual: 'GET /individuals/{id}/departmentmembers',
      },
      { output: 'object' },
    ),
    get: get(
      { individual: 'GET /individuals/{individualID}/departments/{departmentID}/departmentmembers' },
      { output: 'object' },
    ),
    create: create(
      {
        plain: 'POST /departmentmembers',
        alsoPlain: 'POST /organizationmembers',
        alsoIndividual: 'POST /individuals/{individualID}/departments/{departmentID}/departmentmembers',
        alsoDepartment: 'POST /departments/{departmentID}/individuals/{individualID}/departmentmembers',
        alsoOrganization: 'POST /individuals/{individualID}/organizations/{organizationID}/organizationmembers',
      },
      { source: 'help pages' },
    ),
    update: update(
      {
        plain: 'PUT /departmentmembers/{id}',
        alsoPlain: 'PUT /organizationmembers/{id}',
        individual: 'PUT /individuals/{individualID}/departments/{departmentID}/departmentmembers',
        alsoDepartment: 'PUT /departments/{departmentID}/individuals/{individualID}/departmentmembers',
        alsoIndividual: 'PUT /individuals/{individualID}/organizations/{organizationID}/organizationmembers',
        alsoOrganization: 'PUT /organizations/{organizationID}/individuals/{individualID}/organizationmembers',
      },
      { source: 'help pages', sources: { alsoPlain: 'inferred', individual: 'document' } },
    ),
    delete: remove(
      { plain: 'DELETE /departmentmembers/{id}', alsoPlain: 'DELETE /organizationmembers/{id}' },
      { source: 'inferred', output: 'object' },
    ),
  }),
});
