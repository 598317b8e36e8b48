// The figures of the sample dashboard (D36): those of a company that does well, and not in everything.
import type { Row } from '../../contract/resource.ts';
import type { Rollup } from '../store/port.ts';

const sum = (done: number, of: number) => ({ done, of });

/** Sums as a store would answer them, so that the sample adds up. */
export const SAMPLE: Rollup = {
  commitments: { organization: sum(4, 5), department: sum(19, 26), project: sum(0, 0), individual: sum(88, 104) },
  dialogs: { organization: sum(1, 1), department: sum(9, 12), project: sum(6, 7), individual: sum(31, 40) },
  followUps: { organization: sum(2, 3), department: sum(14, 20), project: sum(11, 12), individual: sum(37, 52) },
  goals: sum(21, 34),
  criteria: sum(27, 36),
  roles: sum(3, 4),
  projects: { active: 14, onTime: 11, completed: 3, dateChanges: 6 },
  departmentProjects: { active: 10, onTime: 8, completed: 2, dateChanges: 5 },
  levels: { below: 3, minimum: 7, meets: 22, exceeds: 9 },
  key: sum(13, 16),
  departments: [sum(5, 6), sum(4, 4), sum(2, 4)],
};

/** What the service knows of sites that assess, and this engine does not. */
export const ASSESSED: Row = { LeaderAssessmentPercent: 84.5, TeamAssessmentPercent: 78.2 };
