// The roles an individual fills, and how much time each takes.
import { boolean, byte, guid, integer, text } from '../field.ts';
import { create, get, list, remove, special, undelete, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';
import { audit, deletion } from './shared.ts';

export const basicRole = defineResource({
  name: 'basicRole',
  command: 'basic-roles',
  aliases: ['basic-role'],
  type: 'BasicRole',
  doc: 'A role that an individual fills.',
  source: 'help pages',
  segments: ['basicroles'],
  fields: {
    ID: guid('required on update'),
    IndividualID: guid('optional', { doc: 'Whose role it is; without it, yours.', to: ['individual'], owner: true }),
    Name: text('required', { max: 255 }),
    Rank: integer('optional', { doc: 'Its place in the list.' }),
    Description: text('optional'),
    PercentTime: byte('optional', { doc: 'How much time the role takes, in percent.' }),
    Created: audit.Created,
    CreatedBy: audit.CreatedBy,
    Updated: audit.Updated,
    UpdatedBy: audit.UpdatedBy,
    PerformanceIndicators: text('read-only', { doc: 'The names of its performance indicators.' }),
    Deleted: boolean('read-only', { ...deletion.Deleted, source: 'document' }),
    DeletedByRef: boolean('read-only', { ...deletion.DeletedByRef, source: 'document' }),
  },
  rights: { from: ['IndividualID'], unset: 'own list' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['IndividualID', 'Name'],
  columns: ['ID', 'Rank', 'Name', 'PercentTime', 'PerformanceIndicators'],
  operations: {
    list: list({
      individual: 'GET /individuals/{individualid}/basicroles?deleted',
      mine: 'GET /me/basicroles?deleted',
    }),
    get: get({ plain: 'GET /basicroles/{id}', individual: 'GET /individuals/{individualid}/basicroles/{id}' }),
    create: create({ plain: 'POST /basicroles' }),
    update: update({ plain: 'PUT /basicroles/{id}' }),
    delete: remove({ plain: 'DELETE /basicroles/{id}' }, { output: 'object' }),
    undelete: undelete({ plain: 'PUT /basicroles/{id}/undelete' }),
    summary: special(
      { site: 'GET /sites/{siteid}/individuals/basicroles' },
      {
        doc: 'How many basic roles each individual of the site has.',
        output: 'IndividualBasicRolesCount',
        many: true,
        writes: false,
        answers: {
          IndividualID: guid('read-only', { source: 'inferred', to: ['individual'] }),
          FullOrderedName: text('read-only', { source: 'inferred' }),
          Count: integer('read-only', { source: 'inferred' }),
        },
      },
    ),
  },
});
export interface BasicRole extends RecordOf<typeof basicRole> {}
