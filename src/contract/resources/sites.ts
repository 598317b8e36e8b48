// The sites of the service, each a world of its own, with its settings, colors, core values and periods.
import { boolean, bytes, date, guid, integer, text } from '../field.ts';
import { create, get, list, local, remove, special, update } from '../operation.ts';
import { defineResource } from '../resource.ts';

const feature = (doc: string) => boolean('optional', { doc, keeps: true });

export const site = defineResource({
  name: 'site',
  command: 'sites',
  doc: 'A site: nothing in it is seen from another one.',
  source: 'help pages',
  operationSource: 'help pages',
  segments: ['sites'],
  open: true,
  rowType: 1,
  fields: () => ({
    ID: guid('required on update'),
    Name: text('required', { max: 200, name: true }),
    Comment: text('required'),
    Category: text('required', { max: 50, name: true, doc: 'Groups sites.' }),
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
  }),
  rights: { from: [], unset: 'open' },
  order: ['Name'],
  names: ['Name'],
  key: ['Name'],
  columns: ['ID', 'Name', 'Category', 'Comment', 'FeaturePerformance', 'FeatureApi'],
  operations: () => ({
    list: list({ plain: 'GET /sites?deleted' }),
    update: update({ plain: 'PUT /sites/{id}' }),
    create: local({
      doc: 'Makes a site with one organization, default periods and colors, and an administrator.',
      reverse: 'none',
      repeatable: false,
      adds: { Site: 'Name', Administrator: 'Admin' },
      takes: {
        Name: text('required', { max: 200, name: true }),
        Admin: text('required', { max: 255, name: true, doc: 'User name of its administrator.' }),
      },
    }),
  }),
});

const shown = (what: string) => boolean('required', { doc: `Does the site show ${what}?` });

export const siteSetting = defineResource({
  name: 'siteSetting',
  command: 'site-settings',
  doc: 'What the site shows, and its thresholds for metrics.',
  fields: () => ({
    ID: guid('required on update', { doc: 'The site.' }),
    Threshold1: integer('required', { doc: 'From here on a metric reaches its minimum.' }),
    Threshold2: integer('required', { doc: 'From here on a metric meets what is expected.' }),
    Threshold3: integer('required', { doc: 'From here on a metric exceeds what is expected.' }),
    ShowMetrics: shown('metrics'),
    ShowDialogs: shown('dialogs'),
    ShowFollowUps: shown('follow-ups'),
    ShowProjectLoad: shown('project load'),
    ShowEvaluationCriteria: shown('evaluation criteria'),
    ShowLeaderAssessment: shown('the assessment of leaders'),
    ShowTeamAssessment: shown('the assessment of teams'),
    ShowGoals: shown('personal goals'),
    ShowOrgCommitments: shown('commitments of organizations'),
    ShowDeptCommitments: shown('commitments of departments'),
    ShowIndCommitments: shown('commitments of individuals'),
    Show8020Metrics: shown('80/20 metrics'),
  }),
  rights: { from: [], unset: 'open' },
  columns: ['ID', 'Threshold1', 'Threshold2', 'Threshold3'],
  operations: () => ({
    get: get({ plain: 'GET /sites/{id}/settings' }, { source: 'inferred' }),
    update: update({ plain: 'PUT /sites/{id}/settings' }, { source: 'inferred', labels: ['Admin'] }),
  }),
});

export const color = defineResource({
  name: 'color',
  command: 'colors',
  doc: 'A color in which the site shows a level of performance.',
  source: 'help pages',
  segments: ['colors'],
  id: 'integer',
  fields: () => ({
    ID: integer('required on update', { source: 'document' }),
    SiteID: guid('required', { to: ['site'] }),
    Rank: integer('required', { doc: '1 is the lowest level.' }),
    Name: text('required', { max: 50, name: true }),
    Code: text('required', {
      pattern: /^#?[0-9a-f]{6}$/i,
      form: 'a hex color of six digits such as 2e9e4f',
      doc: 'The color as six hex digits.',
    }),
  }),
  rights: { from: [], unset: 'open' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['Name'],
  columns: ['ID', 'Rank', 'Name', 'Code'],
  operations: () => ({
    list: list({ plain: 'GET /colors', site: 'GET /sites/{siteid}/colors' }),
    defaults: special(
      { plain: 'GET /colors/defaults', site: 'GET /sites/{siteid}/colors/defaults' },
      { doc: 'The colors a new site begins with.', many: true, writes: false },
    ),
    get: get({ plain: 'GET /colors/{id}' }),
    create: create({ plain: 'POST /colors' }, { labels: ['Admin'] }),
    update: update({ plain: 'PUT /colors/{id}' }, { labels: ['Admin'] }),
    delete: remove({ plain: 'DELETE /colors/{id}' }, { labels: ['Admin'], output: 'object' }),
  }),
});

export const coreValue = defineResource({
  name: 'coreValue',
  command: 'core-values',
  doc: 'Something the site stands for.',
  source: 'inferred',
  fields: () => ({
    ID: guid('required on update'),
    SiteID: guid('read-only', { to: ['site'] }),
    Rank: integer('required', { doc: 'Its place in the list.' }),
    Name: text('required', { max: 255, name: true }),
    Description: text('optional'),
  }),
  rights: { from: [], unset: 'open' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['Name'],
  columns: ['ID', 'Rank', 'Name', 'Description'],
  operations: () => ({
    list: list({ plain: 'GET /corevalues', site: 'GET /sites/{siteId}/corevalues' }, { labels: ['PM'] }),
    create: create({ plain: 'POST /corevalues' }, { labels: ['PM', 'Admin'] }),
    update: update({ plain: 'PUT /corevalues/{id}' }, { labels: ['PM', 'Admin'] }),
    delete: remove({ plain: 'DELETE /corevalues/{id}' }, { labels: ['PM', 'Admin'], output: 'object' }),
  }),
});

export const period = defineResource({
  name: 'period',
  command: 'periods',
  doc: 'A span of whole days in which the site plans and looks back.',
  source: 'help pages',
  operationSource: 'help pages',
  id: 'integer',
  fields: () => ({
    ID: integer('required on update'),
    SiteID: guid('required on create', { to: ['site'] }),
    StartDate: date('required', { floating: true, doc: 'Its first day.' }),
    EndDate: date('required', { floating: true, doc: 'Its last day, which belongs to it.' }),
    TotalProjects: integer('read-only', { doc: 'Projects under way in it.' }),
    TotalCommitments: integer('read-only', { doc: 'Commitments of it.' }),
    DateSpan: text('read-only', { doc: 'Its first and last day, as text.' }),
    Permissions: integer('read-only'),
  }),
  rights: { from: [], unset: 'open' },
  xmlOrder: ['DateSpan', 'Permissions', 'TotalCommitments', 'TotalProjects', 'ID', 'SiteID', 'StartDate', 'EndDate'],
  order: ['StartDate'],
  names: ['DateSpan'],
  key: ['StartDate', 'EndDate'],
  columns: ['ID', 'DateSpan', 'TotalProjects', 'TotalCommitments'],
  operations: () => ({
    list: list({ site: 'GET /sites/{siteid}/periods' }, { labels: ['PM'] }),
    create: create({ plain: 'POST /periods' }, { labels: ['PM', 'Admin'] }),
    update: update({ plain: 'PUT /periods/{id}' }, { labels: ['PM', 'Admin'] }),
  }),
});
