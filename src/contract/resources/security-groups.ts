// Groups to which rights are given.
import { guid, text } from '../field.ts';
import { create, get, list, local, remove, special, undelete, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';
import { individual } from './individuals.ts';
import { audit, deletion } from './shared.ts';

const group = guid('required', { doc: 'The group.', to: ['securityGroup'] });
const membership = {
  Group: group,
  Individual: guid('required', { doc: 'Whom it is about.', to: ['individual'] }),
} as const;

export const securityGroup = defineResource({
  name: 'securityGroup',
  command: 'security-groups',
  aliases: ['security-group'],
  type: 'SecurityGroup',
  doc: 'A group to which rights are given.',
  source: 'help pages',
  segments: ['securitygroups'],
  fields: {
    ID: guid('required on update'),
    Group: text('required', { max: 100, doc: 'Its name.' }),
    Description: text('optional'),
    SiteID: guid('required', { to: ['site'] }),
    ...audit,
    ...deletion,
  },
  rights: { from: [], unset: 'open' },
  order: ['Group'],
  names: ['Group'],
  key: ['Group'],
  columns: ['ID', 'Group', 'Description'],
  operations: {
    list: list(
      { plain: 'GET /securitygroups?siteId', site: 'GET /sites/{siteId}/securitygroups' },
      { source: 'help pages' },
    ),
    defaults: special(
      { site: 'GET /sites/{siteId}/securitygroups/defaults' },
      { doc: 'The groups a new site begins with.', source: 'help pages', labels: ['GA'], many: true, writes: false },
    ),
    get: get({ plain: 'GET /securitygroups/{id}' }, { source: 'help pages' }),
    create: create({ plain: 'POST /securitygroups' }, { source: 'help pages', labels: ['Admin'] }),
    update: update({ plain: 'PUT /securitygroups/{id}' }, { source: 'help pages', labels: ['Admin'] }),
    delete: remove(
      { plain: 'DELETE /securitygroups/{id}' },
      { source: 'inferred', labels: ['Admin'], output: 'object' },
    ),
    undelete: undelete({ plain: 'PUT /securitygroups/{id}/undelete' }, { source: 'inferred', labels: ['Admin'] }),
    members: local({
      doc: 'Lists the individuals of a group.',
      many: true,
      writes: false,
      takes: { Group: group },
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
  },
});
export interface SecurityGroup extends RecordOf<typeof securityGroup> {}
