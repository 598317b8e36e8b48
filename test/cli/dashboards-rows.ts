// Dashboards written by hand, for the tests of how they are drawn.
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';

export const COLORS: readonly Row[] = [
  { ID: 11, Rank: 1, Name: 'Below', Code: 'c0392b' },
  { ID: 12, Rank: 2, Name: 'Minimum', Code: 'e6a117' },
  { ID: 13, Rank: 3, Name: 'Meets', Code: '#2E9E4F' },
  { ID: 14, Rank: 4, Name: 'Exceeds', Code: '2471a3' },
];

/** A dashboard of a quarter without any data, all of whose areas are shown. */
export function empty(members: Row = {}): Row {
  const blank = Object.entries(contract.dashboard.fields).map(([name, field]): [string, Row[string]] => {
    if (field.kind === 'boolean') return [name, true];
    return [name, field.kind === 'integer' ? 0 : null];
  });
  return {
    ...Object.fromEntries(blank),
    ID: '00000000-0000-4000-8000-000000000001',
    RowType: 56,
    Name: 'Sales',
    FromDate: '2026-01-01T00:00:00Z',
    ToDate: '2026-03-31T00:00:00Z',
    Threshold1: 60,
    Threshold2: 80,
    Threshold3: 100,
    ...members,
  };
}

/** One with figures of every level: no two of its bars show the same ones. */
export const full = (members: Row = {}): Row =>
  empty({
    OrganizationCommitmentsCompleted: 4,
    OrganizationCommitmentsTotal: 4,
    OrganizationCommitmentsColorValue: 14,
    DepartmentCommitmentsCompleted: 12,
    DepartmentCommitmentsTotal: 20,
    DepartmentCommitmentsColorValue: 12,
    IndividualCommitmentsCompleted: 1234,
    IndividualCommitmentsTotal: 5678,
    IndividualCommitmentsColorValue: 11,
    MetricsExceedsPercent: 25,
    MetricsMeetsPercent: 41.7,
    MetricsMinimumPercent: 8.3,
    MetricsBelowPercent: 25,
    Metrics8020Percent: 83.3,
    Metrics8020CompositePercent: 62.5,
    ProjectsActive: 9,
    ProjectsOnTime: 6,
    ProjectsCompleted: 2,
    ProjectsDateChanges: 3,
    DeptProjectsActive: 30,
    DeptProjectsOnTime: 21,
    DeptProjectsCompleted: 11,
    DeptProjectsDateChanges: 5,
    EvaluationCriteriaPercent: 0,
    LeaderAssessmentPercent: null,
    TeamAssessmentPercent: 95.5,
    DialogsCompletedPercent: 80,
    OrgDialogsExpected: 1,
    OrgDialogsOccurred: 1,
    DeptDialogsExpected: 6,
    DeptDialogsOccurred: 5,
    ProjDialogsExpected: 4,
    ProjDialogsOccurred: 3,
    IndDialogsExpected: 9,
    IndDialogsOccurred: 7,
    FollowUpsCompletedPercent: 0.4,
    OrgFollowUpsCreated: 2,
    DeptFollowUpsCreated: 3,
    ProjFollowUpsCreated: 5,
    IndFollowUpsCreated: 240,
    IndFollowUpsCompleted: 1,
    PersonalGoalsCompleted: 3,
    PersonalGoalsTotal: 5,
    IndividualPerformancePercent: 88.8,
    IndividualCoreValuesPercent: 77.7,
    IndividualBasicRolePercent: 66.6,
    ...members,
  });
