// Dashboards (D30 to D35): a company so small that every figure can be worked out by hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import type { Row, Value } from '../../src/contract/resource.ts';
import { refuses } from '../support/refuses.ts';
import type { TestSite } from '../support/site.ts';
import { type Company, company, dashboardOf } from './company.ts';

let ours: Company;
let site: TestSite;
beforeAll(async () => {
  ours = await company();
  site = ours.site;
});
afterAll(() => site.engine.end());

const colors = async (): Promise<readonly Value[]> => (await site.ada.list('color')).map(({ ID }) => ID ?? null);

describe('the organization, with the yard and the paint shop below it', () => {
  let row: Row;
  beforeAll(async () => {
    row = await dashboardOf(site.ada, { organization: ours.organization });
  });

  it('says whose it is, and of which days', () => {
    expect(row).toMatchObject({
      ID: ours.organization,
      SiteID: site.id,
      RowType: 4,
      Name: 'Test',
      FromDate: '2026-04-01T00:00:00+00:00',
      ToDate: '2026-06-30T00:00:00+00:00',
    });
  });

  it('shows what the site shows, against its thresholds', async () => {
    const { ID, ...settings } = await site.ada.get('siteSetting', site.id);
    expect(ID).toBe(site.id);
    expect(row).toMatchObject(settings);
  });

  it('holds every member of the document, in its order', () => {
    expect(Object.keys(row)).toEqual(Object.keys(contract.dashboard.fields));
  });

  it('sums the commitments of the period by their kind', () => {
    expect(row).toMatchObject({
      OrganizationCommitmentsCompleted: 1,
      OrganizationCommitmentsTotal: 2,
      // Two of three of the yard, none of one of the paint shop.
      DepartmentCommitmentsCompleted: 2,
      DepartmentCommitmentsTotal: 4,
      // Two of two of Bo, none of one of Cy; Ed has left, and Cy counts once although in both departments.
      IndividualCommitmentsCompleted: 2,
      IndividualCommitmentsTotal: 3,
    });
  });

  it('colors commitments by their level', async () => {
    const [below, minimum] = await colors();
    // 50 % and 50 % are below 60 %; 66.7 % reach the minimum.
    expect(row).toMatchObject({
      OrganizationCommitmentsColorValue: below,
      DepartmentCommitmentsColorValue: below,
      IndividualCommitmentsColorValue: minimum,
    });
  });

  it('grades seven metrics: three exceed, two meet, one reaches its minimum, one is below', () => {
    expect(row).toMatchObject({
      MetricsExceedsPercent: 42.9, // 3 / 7
      MetricsMeetsPercent: 28.6, // 2 / 7
      MetricsMinimumPercent: 14.3, // 1 / 7
      MetricsBelowPercent: 14.3, // 1 / 7
      Metrics8020Percent: 75, // 3 / 4
      Metrics8020CompositePercent: 58.3, // (2 / 3 of the yard with the paint shop + 1 / 2 of the paint shop) / 2
    });
  });

  it('counts projects of all units, and those of the departments below', () => {
    expect(row).toMatchObject({
      ProjectsActive: 4, // ferry, hull, crane, dock
      ProjectsOnTime: 3, // ferry, crane, mast
      ProjectsCompleted: 3, // crane, dock, mast
      ProjectsDateChanges: 3, // hull twice, plan once
      DeptProjectsActive: 3,
      DeptProjectsOnTime: 2,
      DeptProjectsCompleted: 3,
      DeptProjectsDateChanges: 3,
    });
  });

  it('counts dialogs by what they are about', () => {
    expect(row).toMatchObject({
      OrgDialogsExpected: 1,
      OrgDialogsOccurred: 1,
      DeptDialogsExpected: 3,
      DeptDialogsOccurred: 1,
      ProjDialogsExpected: 1,
      ProjDialogsOccurred: 1,
      IndDialogsExpected: 3,
      IndDialogsOccurred: 2,
      DialogsCompletedPercent: 62.5, // 5 / 8
    });
  });

  it('counts follow-ups made in the period, and those that ended in it', () => {
    expect(row).toMatchObject({
      OrgFollowUpsCreated: 1,
      OrgFollowUpsCompleted: 1,
      DeptFollowUpsCreated: 1,
      DeptFollowUpsCompleted: 1,
      ProjFollowUpsCreated: 1,
      ProjFollowUpsCompleted: 0,
      IndFollowUpsCreated: 2,
      IndFollowUpsCompleted: 1,
      FollowUpsCompletedPercent: 60, // 3 / 5
    });
  });

  it('counts the goals of its people and the criteria of its projects', () => {
    expect(row).toMatchObject({
      PersonalGoalsCompleted: 2,
      PersonalGoalsTotal: 4,
      EvaluationCriteriaPercent: 50, // 2 / 4
    });
  });

  it('invents nothing', () => {
    expect(row).toMatchObject({
      LeaderAssessmentPercent: null,
      TeamAssessmentPercent: null,
      IndividualPerformancePercent: null,
      IndividualCoreValuesPercent: null,
      IndividualBasicRolePercent: null,
    });
  });
});

it('of a department sums it with those below', async () => {
  const [below, minimum] = await colors();
  expect(await dashboardOf(site.ada, { department: ours.yard })).toMatchObject({
    RowType: 56,
    Name: 'Yard',
    OrganizationCommitmentsTotal: 0,
    OrganizationCommitmentsColorValue: 0,
    DepartmentCommitmentsCompleted: 2,
    DepartmentCommitmentsTotal: 4,
    DepartmentCommitmentsColorValue: below,
    IndividualCommitmentsCompleted: 2,
    IndividualCommitmentsTotal: 3,
    IndividualCommitmentsColorValue: minimum,
    MetricsExceedsPercent: 33.3, // 2 / 6
    MetricsMeetsPercent: 33.3,
    MetricsMinimumPercent: 16.7, // 1 / 6
    MetricsBelowPercent: 16.7,
    Metrics8020Percent: 66.7, // 2 / 3
    Metrics8020CompositePercent: 50, // the paint shop alone
    ProjectsActive: 3,
    ProjectsOnTime: 2,
    ProjectsCompleted: 3,
    ProjectsDateChanges: 3,
    DeptProjectsActive: 1,
    DeptProjectsOnTime: 1,
    DeptProjectsCompleted: 1,
    DeptProjectsDateChanges: 2,
    OrgDialogsExpected: 0,
    DeptDialogsExpected: 3,
    DialogsCompletedPercent: 57.1, // 4 / 7
    FollowUpsCompletedPercent: 50, // 2 / 4
    PersonalGoalsCompleted: 2,
    PersonalGoalsTotal: 3,
    EvaluationCriteriaPercent: 0, // 0 / 1
  });
});

it('of the lowest department sums nothing of those above', async () => {
  expect(await dashboardOf(site.ada, { department: ours.paint })).toMatchObject({
    DepartmentCommitmentsCompleted: 0,
    DepartmentCommitmentsTotal: 1,
    IndividualCommitmentsTotal: 1,
    MetricsExceedsPercent: 50, // 2 / 4
    MetricsMeetsPercent: 25,
    MetricsMinimumPercent: 0,
    MetricsBelowPercent: 25,
    Metrics8020Percent: 50,
    Metrics8020CompositePercent: null,
    ProjectsActive: 1,
    DeptProjectsActive: 0,
    DeptProjectsDateChanges: 0,
    DialogsCompletedPercent: 50, // 2 / 4
    FollowUpsCompletedPercent: 0, // 0 / 2
    PersonalGoalsCompleted: 1,
    PersonalGoalsTotal: 1,
  });
});

it('of an individual sums what is its own', async () => {
  const [, , , exceeds] = await colors();
  expect(await dashboardOf(site.ada, { individual: ours.bo })).toMatchObject({
    RowType: 39,
    Name: 'Bo Berg',
    DepartmentCommitmentsTotal: 0,
    IndividualCommitmentsCompleted: 2,
    IndividualCommitmentsTotal: 2,
    IndividualCommitmentsColorValue: exceeds,
    MetricsExceedsPercent: null,
    Metrics8020Percent: null,
    ProjectsActive: 0,
    ProjectsDateChanges: 0,
    IndDialogsExpected: 1,
    IndDialogsOccurred: 1,
    DialogsCompletedPercent: 100,
    IndFollowUpsCreated: 1,
    FollowUpsCompletedPercent: 100,
    PersonalGoalsCompleted: 1,
    PersonalGoalsTotal: 2,
    EvaluationCriteriaPercent: null,
    IndividualPerformancePercent: 100,
    IndividualCoreValuesPercent: null,
    IndividualBasicRolePercent: 33.3, // 1 / 3
  });
  expect(await dashboardOf(site.ada, { individual: ours.cy })).toMatchObject({
    MetricsExceedsPercent: 100,
    MetricsBelowPercent: 0,
    IndividualPerformancePercent: 0,
    IndividualBasicRolePercent: null,
  });
});

describe('the period', () => {
  it('is the one that is asked for', async () => {
    expect(await dashboardOf(site.ada, { organization: ours.organization }, { period: 1 })).toMatchObject({
      FromDate: '2026-01-01T00:00:00+00:00',
      ToDate: '2026-03-31T00:00:00+00:00',
      DepartmentCommitmentsCompleted: 1,
      DepartmentCommitmentsTotal: 1,
      MetricsBelowPercent: 100,
      ProjectsDateChanges: 1,
      IndDialogsExpected: 2, // Di's and Bo's
      DeptFollowUpsCreated: 1,
      DeptFollowUpsCompleted: 0,
    });
  });
});

it('of what was deleted, or is no such thing, is not there', async () => {
  await refuses(dashboardOf(site.ada, { individual: ours.ed })).with('deleted', /Ed/);
  await refuses(dashboardOf(site.ada, { department: ours.bo })).with('not_found');
});

it('of an individual is for that one and the chain above', async () => {
  const bo = await site.as('bo');
  expect(await dashboardOf(bo, { individual: ours.bo })).toMatchObject({ Name: 'Bo Berg' });
  expect(await dashboardOf(bo, { individual: ours.cy })).toMatchObject({ Name: 'Cy Cole' });
  expect(await dashboardOf(bo, { organization: ours.organization })).toMatchObject({ IndividualCommitmentsTotal: 3 });
  await refuses(dashboardOf(await site.as('cy'), { individual: ours.bo })).with('forbidden', /Bo Berg/);
});

it('lists those that the caller may see: units in tree order, then individuals by name', async () => {
  const names = async (user: string): Promise<unknown[]> =>
    (await (await site.as(user)).answers('dashboard', 'list')).map(({ Name }) => Name);
  expect(await names('ada')).toEqual(['Test', 'Yard', 'Paint', 'ada Administrator', 'Bo Berg', 'Cy Cole', 'Di Dahl']);
  expect(await names('bo')).toEqual(['Test', 'Yard', 'Paint', 'Bo Berg', 'Cy Cole']);
  expect(await names('di')).toEqual(['Test', 'Yard', 'Paint', 'Di Dahl']);
});

it('is the same in the list and by itself', async () => {
  const listed = await site.ada.answers('dashboard', 'list');
  const [organization, yard, paint, , bo] = listed;
  expect(organization).toEqual(await dashboardOf(site.ada, { organization: ours.organization }));
  expect(yard).toEqual(await dashboardOf(site.ada, { department: ours.yard }));
  expect(paint).toEqual(await dashboardOf(site.ada, { department: ours.paint }));
  expect(bo).toEqual(await dashboardOf(site.ada, { individual: ours.bo }));
});
