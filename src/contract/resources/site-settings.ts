// What a site shows and from where on a metric counts as met.
import { boolean, guid, integer } from '../field.ts';
import { get, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';

const shown = (what: string) => boolean('required', { doc: `Does the site show ${what}?` });

export const siteSetting = defineResource({
  name: 'siteSetting',
  command: 'site-settings',
  aliases: ['site-setting'],
  type: 'SiteSetting',
  doc: 'What the site shows, and its thresholds for metrics.',
  fields: {
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
  },
  rights: { from: [], unset: 'open' },
  order: [],
  columns: ['ID', 'Threshold1', 'Threshold2', 'Threshold3'],
  operations: {
    get: get({ plain: 'GET /sites/{id}/settings' }, { source: 'inferred' }),
    update: update({ plain: 'PUT /sites/{id}/settings' }, { source: 'inferred', labels: ['Admin'] }),
  },
});
export interface SiteSetting extends RecordOf<typeof siteSetting> {}
