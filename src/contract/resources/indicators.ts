// By what the work in a basic role is seen to be done well.
import { boolean, byte, date, guid, integer, text } from '../field.ts';
import { create, get, list, remove, undelete, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';
import { audit, deletion } from './shared.ts';

export const indicator = defineResource({
  name: 'indicator',
  command: 'indicators',
  aliases: ['indicator', 'performance-indicators', 'performance-indicator'],
  type: 'Indicator',
  doc: 'By what work in a basic role is seen to be done well.',
  source: 'help pages',
  fields: {
    ID: guid('required on update'),
    BasicRoleID: guid('optional', { to: ['basicRole'], owner: true }),
    Rank: integer('optional', { doc: 'Its place in the list.' }),
    Name: text('required', { max: 200 }),
    Description: text('optional'),
    SiteID: guid('read-only', { to: ['site'] }),
    BasicRoleName: text('read-only'),
    BasicRolePercentTime: byte('read-only'),
    BasicRoleRank: integer('read-only'),
    Deleted: boolean('read-only', deletion.Deleted),
    DeletedByRef: boolean('read-only', deletion.DeletedByRef),
    Updated: date('read-only', audit.Updated),
    UpdatedBy: guid('read-only', audit.UpdatedBy),
    Created: date('read-only', audit.Created),
    CreatedBy: guid('read-only', audit.CreatedBy),
  },
  rights: { from: ['BasicRoleID'], unset: 'own list' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['BasicRoleID', 'Name'],
  columns: ['ID', 'Rank', 'Name', 'BasicRoleName', 'Description'],
  operations: {
    list: list(
      {
        basicRole: 'GET /basicroles/{basicroleid}/indicators?individualid&deleted',
        individual: 'GET /individuals/{individualid}/indicators?basicroleid&deleted',
        alsoBasicRole: 'GET /basicroles/{basicroleid}/performanceindicators?individualid&deleted',
        alsoIndividual: 'GET /individuals/{individualid}/performanceindicators?basicroleid&deleted',
      },
      { source: 'help pages' },
    ),
    get: get({ plain: 'GET /indicators/{id}', alsoPlain: 'GET /performanceindicators/{id}' }, { source: 'help pages' }),
    create: create({ plain: 'POST /indicators', alsoPlain: 'POST /performanceindicators' }, { source: 'help pages' }),
    update: update(
      { plain: 'PUT /indicators/{id}', alsoPlain: 'PUT /performanceindicators/{id}' },
      { source: 'help pages', sources: { alsoPlain: 'inferred' } },
    ),
    delete: remove(
      { plain: 'DELETE /indicators/{id}', alsoPlain: 'DELETE /performanceindicators/{id}' },
      { source: 'inferred', output: 'object' },
    ),
    undelete: undelete(
      { plain: 'PUT /indicators/{id}/undelete', alsoPlain: 'PUT /performanceindicators/{id}/undelete' },
      { source: 'help pages' },
    ),
  },
});
export interface Indicator extends RecordOf<typeof indicator> {}
