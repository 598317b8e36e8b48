// The roles of an individual, and the indicators of good work in each.
import { byte, date, guid, integer, text } from '../field.ts';
import { create, get, list, remove, special, undelete, update } from '../operation.ts';
import { defineResource } from '../resource.ts';
import { audit, deletion, knownFrom } from './shared.ts';

export const basicRole = defineResource({
  name: 'basicRole',
  command: 'basic-roles',
  doc: 'A role that an individual fills.',
  source: 'help pages',
  segments: ['basicroles'],
  fields: () => ({
    ID: guid('required on update'),
    IndividualID: guid('optional', { doc: 'Whose role it is; without it, yours.', to: ['individual'], owner: true }),
    Name: text('required', { max: 255, name: true }),
    Rank: integer('optional', { doc: 'Its place in the list.' }),
    Description: text('optional'),
    PercentTime: byte('optional', { doc: 'How much time the role takes, in percent.' }),
    ...audit,
    PerformanceIndicators: text('read-only', { doc: 'The names of its performance indicators.' }),
    ...knownFrom('document', deletion),
  }),
  rights: { from: ['IndividualID'], unset: 'own list' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['IndividualID', 'Name'],
  columns: ['ID', 'Rank', 'Name', 'PercentTime', 'PerformanceIndicators'],
  operations: () => ({
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
  }),
});

export const indicator = defineResource({
  name: 'indicator',
  command: 'indicators',
  aliases: ['indicator', 'performance-indicators', 'performance-indicator'],
  doc: 'How good work in a basic role shows.',
  source: 'help pages',
  operationSource: 'help pages',
  fields: () => ({
    ID: guid('required on update'),
    BasicRoleID: guid('optional', { to: ['basicRole'], owner: true }),
    Rank: integer('optional', { doc: 'Its place in the list.' }),
    Name: text('required', { max: 200, name: true }),
    Description: text('optional'),
    SiteID: guid('read-only', { to: ['site'] }),
    BasicRoleName: text('read-only'),
    BasicRolePercentTime: byte('read-only'),
    BasicRoleRank: integer('read-only'),
    ...deletion,
    Updated: date('read-only', audit.Updated),
    UpdatedBy: guid('read-only', audit.UpdatedBy),
    Created: date('read-only', audit.Created),
    CreatedBy: guid('read-only', audit.CreatedBy),
  }),
  rights: { from: ['BasicRoleID'], unset: 'own list' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['BasicRoleID', 'Name'],
  columns: ['ID', 'Rank', 'Name', 'BasicRoleName', 'Description'],
  operations: () => ({
    list: list({
      basicRole: 'GET /basicroles/{basicroleid}/indicators?individualid&deleted',
      individual: 'GET /individuals/{individualid}/indicators?basicroleid&deleted',
      alsoBasicRole: 'GET /basicroles/{basicroleid}/performanceindicators?individualid&deleted',
      alsoIndividual: 'GET /individuals/{individualid}/performanceindicators?basicroleid&deleted',
    }),
    get: get({ plain: 'GET /indicators/{id}', alsoPlain: 'GET /performanceindicators/{id}' }),
    create: create({ plain: 'POST /indicators', alsoPlain: 'POST /performanceindicators' }),
    update: update(
      { plain: 'PUT /indicators/{id}', alsoPlain: 'PUT /performanceindicators/{id}' },
      { sources: { alsoPlain: 'inferred' } },
    ),
    delete: remove(
      { plain: 'DELETE /indicators/{id}', alsoPlain: 'DELETE /performanceindicators/{id}' },
      { source: 'inferred', output: 'object' },
    ),
    undelete: undelete({
      plain: 'PUT /indicators/{id}/undelete',
      alsoPlain: 'PUT /performanceindicators/{id}/undelete',
    }),
  }),
});
