// The default records of a new site.

/** Colors by rank: below, minimum, meets, exceeds (D28, D31). */
export const COLORS = [
  { Rank: 1, Name: 'Below', Code: 'c0392b' },
  { Rank: 2, Name: 'Minimum', Code: 'e6a117' },
  { Rank: 3, Name: 'Meets', Code: '2e9e4f' },
  { Rank: 4, Name: 'Exceeds', Code: '2471a3' },
] as const;

export const PHASES = [
  { Rank: 1, Name: 'Idea' },
  { Rank: 2, Name: 'Planning' },
  { Rank: 3, Name: 'Work' },
  { Rank: 4, Name: 'Closing' },
] as const;

export const STATUSES = [
  { Rank: 1, Name: 'On track', ShowForInd: true },
  { Rank: 2, Name: 'At risk', ShowForInd: true },
  { Rank: 3, Name: 'On hold', ShowForInd: false },
  { Rank: 4, Name: 'Done', ShowForInd: true },
] as const;

export const GROUPS = [
  { Group: 'Leaders', Description: 'Those who lead a department.' },
  { Group: 'Human resources', Description: 'Those who keep the records of individuals.' },
  { Group: 'Readers', Description: 'Those who may look and change nothing.' },
] as const;

/** The roles of team members, alike in every site. */
export const ROLES = [
  { ID: '5b0f6a52-0001-4c6e-9d0a-7f1c2e4b8a10', Group: 'Sponsor', Rank: 1 },
  { ID: '5b0f6a52-0002-4c6e-9d0a-7f1c2e4b8a10', Group: 'Leader', Rank: 2 },
  { ID: '5b0f6a52-0003-4c6e-9d0a-7f1c2e4b8a10', Group: 'Member', Rank: 3 },
  { ID: '5b0f6a52-0004-4c6e-9d0a-7f1c2e4b8a10', Group: 'Adviser', Rank: 4 },
] as const;

export const SETTINGS = {
  Threshold1: 60,
  Threshold2: 80,
  Threshold3: 100,
  ShowMetrics: true,
  ShowDialogs: true,
  ShowFollowUps: true,
  ShowProjectLoad: true,
  ShowEvaluationCriteria: true,
  ShowLeaderAssessment: false,
  ShowTeamAssessment: false,
  ShowGoals: true,
  ShowOrgCommitments: true,
  ShowDeptCommitments: true,
  ShowIndCommitments: true,
  Show8020Metrics: true,
} as const;

/** The features of a new site; performance management and the interface are on (D3). */
export const FEATURES = {
  FeatureCopyLink: false,
  FeatureRollup: true,
  FeatureApi: true,
  FeatureProject: true,
  FeatureUpload: false,
  FeatureOutlook: false,
  FeaturePerformance: true,
  FeatureFacebookLogin: false,
  FeatureTwitterLogin: false,
} as const;

/** The four quarters of a year, whole days, end included. */
export function quartersOf(year: number): readonly { StartDate: string; EndDate: string }[] {
  return [0, 1, 2, 3].map((quarter) => {
    const last = new Date(Date.UTC(year, quarter * 3 + 3, 0)).toISOString().slice(0, 10);
    return {
      StartDate: `${year}-${String(quarter * 3 + 1).padStart(2, '0')}-01T00:00:00+00:00`,
      EndDate: `${last}T00:00:00+00:00`,
    };
  });
}
