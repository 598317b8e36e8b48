// Who belongs to which organization or department, under which title, and reports to whom.
import { boolean, guid, text } from '../field.ts';
import { create, get, list, remove, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';

export const organizationMember = defineResource({
  name: 'organizationMember',
  command: 'department-members',
  aliases: ['department-member', 'organization-members', 'organization-member'],
  type: 'OrganizationMember',
  doc: 'The membership of an individual in an organization or department.',
  source: 'help pages',
  fields: {
    ID: guid('required on update'),
    SiteID: guid('optional', { to: ['site'], keeps: true }),
    IndividualID: guid('required', { to: ['individual'], owner: true }),
    OrganizationID: guid('required', { to: ['organization'], owner: true, moves: true }),
    ReportsToID: guid('optional', { doc: 'Whom the individual reports to here.', to: ['individual'] }),
    Title: text('optional'),
    Primary: boolean('optional', { doc: 'Is it the primary membership of the individual?' }),
    Leader: boolean('optional', { doc: 'Does the individual lead the department?' }),
    Name: text('read-only', { doc: 'Name of the individual.' }),
    ReportsToFull: text('read-only', { doc: 'Name of whom the individual reports to.' }),
    ReportsToOrderedName: text('read-only', { doc: 'The same, last name first.' }),
  },
  rights: { from: ['OrganizationID'], unset: 'open' },
  identity: ['IndividualID', 'OrganizationID'],
  order: [],
  key: ['IndividualID', 'OrganizationID'],
  columns: ['ID', 'Name', 'Title', 'Primary', 'Leader', 'ReportsToFull'],
  operations: {
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
  },
});
export interface OrganizationMember extends RecordOf<typeof organizationMember> {}
