// What organizations and departments undertake.
import { boolean, day, decimal, guid, integer, text } from '../field.ts';
import { create, get, list, remove, undelete, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';
import { audit, deletion } from './shared.ts';

const hours = decimal('optional', { deprecated: true });

export const project = defineResource({
  name: 'project',
  command: 'projects',
  aliases: ['project'],
  type: 'Project',
  doc: 'Something an organization or department undertakes.',
  source: 'help pages',
  segments: ['projects'],
  open: true,
  rowType: 15,
  fields: {
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
    Name: text('optional', { max: 255 }),
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
    Deleted: boolean('read-only', { ...deletion.Deleted, source: 'inferred' }),
    DeletedByRef: boolean('read-only', { ...deletion.DeletedByRef, source: 'inferred' }),
    Created: { ...audit.Created, source: 'inferred' },
    CreatedBy: { ...audit.CreatedBy, source: 'inferred' },
    Updated: { ...audit.Updated, source: 'inferred' },
    UpdatedBy: { ...audit.UpdatedBy, source: 'inferred' },
  },
  rights: { from: ['ParentID', 'AncestorID'], unset: 'open', childTypes: [{ number: 15 }] },
  order: 'tree',
  names: ['Name'],
  key: ['AncestorID', 'Name'],
  columns: ['ID', 'DisplayRank', 'Name', 'AncestorName', 'Phase', 'Status', 'EndDateProjected'],
  operations: {
    list: list(
      {
        site: 'GET /sites/{siteid}/projects?organizationid&deleted&tz',
        department: 'GET /organizations/{organizationid}/projects?siteid&deleted&tz',
        individual: 'GET /individuals/{id}/projects?deleted&tz',
      },
      { source: 'help pages' },
    ),
    get: get({ plain: 'GET /projects/{id}?tz' }, { source: 'help pages' }),
    create: create({ plain: 'POST /projects?tz' }, { source: 'help pages' }),
    update: update({ plain: 'PUT /projects/{id}?tz' }, { source: 'help pages' }),
    delete: remove({ plain: 'DELETE /projects/{id}' }, { source: 'inferred', output: 'object' }),
    undelete: undelete({ plain: 'PUT /projects/{id}/undelete?tz' }, { source: 'inferred' }),
  },
});
export interface Project extends RecordOf<typeof project> {}
