// Roll-ups of an organization, a department or an individual over a period (D30 to D36).
import { date, decimal, type Fields, guid, integer, text } from '../field.ts';
import { special } from '../operation.ts';
import { defineResource } from '../resource.ts';
import { ITEMS } from './archives.ts';
import { project } from './projects.ts';
import { siteSetting } from './sites.ts';

const count = (doc: string) => integer('read-only', { doc });
const percent = (doc: string) => decimal('read-only', { doc: `${doc}, in percent; null without data.` });
const color = (whose: string) => integer('read-only', { doc: `The color of the commitments of ${whose}; 0 for none.` });

/** The settings of a site, without its ID. */
function shown() {
  const { ID: _itsSite, ...rest } = siteSetting.fields;
  return rest;
}

/** A metric as the sub-lists of a dashboard show it. */
const metricPM = () =>
  ({
    ID: guid('read-only'),
    RowType: integer('read-only'),
    Name: text('read-only'),
    AncestorID: guid('read-only'),
    Color: text('read-only'),
    ColorRank: integer('read-only'),
    ColorName: text('read-only'),
    Format: text('read-only'),
    Minimum: decimal('read-only'),
    Meets: decimal('read-only'),
    Exceeds: decimal('read-only'),
    Current: decimal('read-only', { doc: 'The newest value of the period.' }),
    CurrentDate: date('read-only'),
    FormattedMinimum: text('read-only'),
    FormattedMeets: text('read-only'),
    FormattedExceeds: text('read-only'),
    FormattedCurrent: text('read-only'),
    ThresholdLevel: integer('read-only', { doc: '1 below, 2 minimum, 3 meets, 4 exceeds.' }),
  }) as const satisfies Fields;

const reading = { labels: ['PM'], writes: false } as const;
const projects = () =>
  ({
    ...reading,
    many: true,
    source: 'help pages',
    output: 'Project',
    answers: project.fields,
  }) as const;

export const dashboard = defineResource({
  name: 'dashboard',
  command: 'dashboards',
  doc: 'How an organization, a department or an individual stands in a period.',
  unstored: true,
  fields: () => ({
    ID: guid('read-only', { doc: 'The organization, department or individual.' }),
    SiteID: guid('read-only', { to: ['site'] }),
    RowType: integer('read-only', { doc: '4 organization, 56 department, 39 individual.' }),
    Name: text('read-only'),
    FromDate: date('read-only', { floating: true, doc: 'The first day of the period.' }),
    ToDate: date('read-only', { floating: true, doc: 'The last day of the period.' }),
    ...shown(),
    OrganizationCommitmentsCompleted: count('Completed commitments of organizations.'),
    OrganizationCommitmentsTotal: count('All commitments of organizations.'),
    DepartmentCommitmentsCompleted: count('Completed commitments of departments.'),
    DepartmentCommitmentsTotal: count('All commitments of departments.'),
    IndividualCommitmentsCompleted: count('Completed commitments of individuals.'),
    IndividualCommitmentsTotal: count('All commitments of individuals.'),
    OrganizationCommitmentsColorValue: color('organizations'),
    DepartmentCommitmentsColorValue: color('departments'),
    IndividualCommitmentsColorValue: color('individuals'),
    MetricsExceedsPercent: percent('Metrics that exceed what is expected'),
    MetricsMeetsPercent: percent('Metrics that meet what is expected'),
    MetricsMinimumPercent: percent('Metrics that reach their minimum'),
    MetricsBelowPercent: percent('Metrics below their minimum'),
    Metrics8020Percent: percent('80/20 metrics that meet what is expected'),
    Metrics8020CompositePercent: percent('The mean of the 80/20 percents of the departments'),
    ProjectsActive: count('Projects under way.'),
    ProjectsOnTime: count('Projects on time.'),
    ProjectsCompleted: count('Projects that ended in the period.'),
    ProjectsDateChanges: count('How often a projected end was changed.'),
    DeptProjectsActive: count('Projects of departments below that are under way.'),
    DeptProjectsOnTime: count('Projects of departments below that are on time.'),
    DeptProjectsCompleted: count('Projects of departments below that ended in the period.'),
    DeptProjectsDateChanges: count('How often a projected end was changed in departments below.'),
    EvaluationCriteriaPercent: percent('Evaluation criteria that are completed'),
    LeaderAssessmentPercent: percent('Always null: the assessment of leaders'),
    TeamAssessmentPercent: percent('Always null: the assessment of teams'),
    DialogsCompletedPercent: percent('Dialogs that were held, of those expected'),
    FollowUpsCompletedPercent: percent('Follow-ups that are completed, of those made'),
    PersonalGoalsCompleted: count('Personal goals that are reached.'),
    PersonalGoalsTotal: count('All personal goals.'),
    OrgDialogsExpected: count('Dialogs of organizations that were expected.'),
    OrgDialogsOccurred: count('Dialogs of organizations that were held.'),
    DeptDialogsExpected: count('Dialogs of departments that were expected.'),
    DeptDialogsOccurred: count('Dialogs of departments that were held.'),
    ProjDialogsExpected: count('Dialogs of projects that were expected.'),
    ProjDialogsOccurred: count('Dialogs of projects that were held.'),
    IndDialogsExpected: count('Dialogs of individuals that were expected.'),
    IndDialogsOccurred: count('Dialogs of individuals that were held.'),
    OrgFollowUpsCreated: count('Follow-ups made in dialogs of organizations.'),
    OrgFollowUpsCompleted: count('Follow-ups of organizations that are completed.'),
    DeptFollowUpsCreated: count('Follow-ups made in dialogs of departments.'),
    DeptFollowUpsCompleted: count('Follow-ups of departments that are completed.'),
    ProjFollowUpsCreated: count('Follow-ups made in dialogs of projects.'),
    ProjFollowUpsCompleted: count('Follow-ups of projects that are completed.'),
    IndFollowUpsCreated: count('Follow-ups made in dialogs of individuals.'),
    IndFollowUpsCompleted: count('Follow-ups of individuals that are completed.'),
    IndividualPerformancePercent: percent("The individual's own commitments that are completed"),
    IndividualCoreValuesPercent: percent('Always null: how the individual lives the core values'),
    IndividualBasicRolePercent: percent("The individual's basic roles that a dialog spoke of"),
  }),
  rights: { from: { member: 'ID', kinds: ITEMS }, unset: 'private' },
  columns: ['ID', 'Name', 'FromDate', 'ToDate'],
  operations: () => ({
    list: special(
      { plain: 'GET /dashboards' },
      { ...reading, doc: 'The dashboards you may see, for the current period.', output: 'Dashboards', many: true },
    ),
    get: special(
      {
        organization: 'GET /organizations/{id}/dashboards?period',
        department: 'GET /departments/{id}/dashboards?period',
        individual: 'GET /individuals/{id}/dashboards?period',
      },
      { ...reading, doc: 'The dashboard of an organization, a department or an individual.' },
    ),
    sample: special(
      { plain: 'GET /dashboards/sample?period&id' },
      { ...reading, doc: 'A sample dashboard for trials.' },
    ),
    metrics: special(
      { of: 'GET /dashboards/{id}/metrics/{metricType}?period' },
      {
        ...reading,
        doc: 'The metrics of a dashboard that are of one level.',
        many: true,
        source: 'help pages',
        output: 'MetricPM',
        answers: metricPM(),
      },
    ),
    activeProjects: special(
      { of: 'GET /dashboards/{id}/projects/active?period&tz' },
      { ...projects(), doc: 'The projects of a dashboard that are under way.' },
    ),
    completedProjects: special(
      { of: 'GET /dashboards/{id}/projects/completed?period&tz' },
      { ...projects(), doc: 'The projects of a dashboard that ended in the period.' },
    ),
    deptActiveProjects: special(
      { of: 'GET /dashboards/{id}/projects/deptactive?period&tz' },
      { ...projects(), doc: 'The projects under way in the departments below.' },
    ),
  }),
});
