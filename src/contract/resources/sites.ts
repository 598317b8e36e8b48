// The sites of the service, each a world of its own.
import { boolean, bytes, date, guid, integer, text } from '../field.ts';
import { list, local, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';

const feature = (doc: string) => boolean('optional', { doc, keeps: true });

export const site = defineResource({
  name: 'site',
  command: 'sites',
  aliases: ['site'],
  type: 'Site',
  doc: 'A site: nothing in it is seen from another one.',
  source: 'help pages',
  segments: ['sites'],
  open: true,
  rowType: 1,
  fields: {
    ID: guid('required on update'),
    Name: text('required', { max: 200 }),
    Comment: text('required'),
    Category: text('required', { max: 50, doc: 'Groups sites.' }),
    FeatureCopyLink: feature('Are links to copies shown?'),
    FeatureRollup: feature('Are metrics rolled up?'),
    FeatureApi: feature('May the site be used over the interface?'),
    FeatureProject: feature('Are projects used?'),
    FeatureUpload: feature('May files be uploaded?'),
    Logo: bytes('optional'),
    ReportLogo: bytes('optional'),
    FeatureOutlook: feature('Is the calendar connected?'),
    FeaturePerformance: feature('Is performance management used?'),
    FeatureFacebookLogin: feature('May people log in with Facebook?'),
    FeatureTwitterLogin: feature('May people log in with Twitter?'),
    SecretKeyPartial: text('read-only'),
    Nickname: text('read-only'),
    AuthServiceUrl: text('read-only'),
    SsoLoginLabel: text('read-only'),
    RowType: integer('read-only', { doc: '1.' }),
    Deleted: boolean('read-only'),
    BelowThresholdColor: text('read-only', { doc: 'The color of what is below its threshold.' }),
    Created: date('read-only'),
  },
  rights: { from: [], unset: 'open' },
  order: ['Name'],
  names: ['Name'],
  key: ['Name'],
  columns: ['ID', 'Name', 'Category', 'Comment', 'FeaturePerformance', 'FeatureApi'],
  operations: {
    list: list({ plain: 'GET /sites?deleted' }, { source: 'help pages' }),
    update: update({ plain: 'PUT /sites/{id}' }, { source: 'help pages' }),
    create: local({
      doc: 'Makes a site with one organization, default periods and colors, and an administrator.',
      repeatable: false,
      adds: { Site: 'Name', Administrator: 'Admin' },
      takes: {
        Name: text('required', { max: 200 }),
        Admin: text('required', { max: 255, doc: 'User name of its administrator.' }),
      },
    }),
  },
});
export interface Site extends RecordOf<typeof site> {}
