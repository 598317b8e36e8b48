// Who works in which project, in which role.
import { boolean, date, decimal, guid, integer, text } from '../field.ts';
import { create, get, list, remove, special, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';
import { audit } from './shared.ts';

export const teamMember = defineResource({
  name: 'teamMember',
  command: 'team-members',
  aliases: ['team-member'],
  type: 'TeamMember',
  doc: 'The part an individual has in a project.',
  source: 'help pages',
  fields: {
    TaskID: guid('required', { doc: 'The project.', to: ['project'], owner: true }),
    IndividualID: guid('required', { to: ['individual'], owner: true }),
    RoleID: guid('required', { doc: 'A role: the operation roles lists them.' }),
    HoursProjected: decimal('required'),
    HoursActual: decimal('required'),
    ID: guid('read-only'),
    RoleName: text('read-only'),
    HoursActualRollup: decimal('read-only'),
    HoursProjectedRollup: decimal('read-only'),
    IndividualFullName: text('read-only'),
    Created: date('read-only', audit.Created),
    CreatedBy: guid('read-only', audit.CreatedBy),
    SiteID: guid('read-only', { to: ['site'] }),
    Updated: date('read-only', audit.Updated),
    UpdatedBy: guid('read-only', audit.UpdatedBy),
    IndividualFullOrderedName: text('read-only'),
    RoleDescription: text('optional', { max: 50 }),
    TeamSurvey: boolean('optional', { doc: 'Is the team survey sent?' }),
  },
  rights: { from: ['TaskID'], unset: 'open' },
  identity: ['TaskID', 'IndividualID'],
  order: [],
  key: ['TaskID', 'IndividualID'],
  columns: ['ID', 'IndividualFullName', 'RoleName', 'HoursProjected', 'HoursActual'],
  operations: {
    list: list({ project: 'GET /projects/{projectId}/teammembers' }, { source: 'help pages' }),
    roles: special(
      { plain: 'GET /teammembers/roles?siteId' },
      {
        doc: 'The roles that an individual can have in a project.',
        output: 'TeamMemberRole',
        source: 'help pages',
        many: true,
        writes: false,
        answers: {
          ID: guid('read-only'),
          Group: text('read-only', { doc: 'Name of the role.' }),
          Rank: integer('read-only'),
          Site_ID: guid('read-only', { to: ['site'] }),
        },
      },
    ),
    get: get(
      {
        plain: 'GET /teammembers/{id}',
        individual: 'GET /individuals/{individualId}/projects/{projectId}/teammembers',
        alsoProject: 'GET /projects/{projectId}/individuals/{individualId}/teammembers',
      },
      { source: 'help pages' },
    ),
    create: create({ plain: 'POST /teammembers' }, { source: 'help pages' }),
    update: update({ plain: 'PUT /teammembers/{id}' }, { source: 'help pages' }),
    delete: remove({ plain: 'DELETE /teammembers/{id}' }, { source: 'inferred', output: 'object' }),
  },
});
export interface TeamMember extends RecordOf<typeof teamMember> {}
