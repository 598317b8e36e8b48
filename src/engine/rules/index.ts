// The rules by resource.
import type { ResourceName } from '../../contract/index.ts';
import type { Resource } from '../../contract/resource.ts';
import { ancestorTypeRules, commentRules, commitmentRules, permissionRules } from './attached.ts';
import { membershipRules } from './department-members.ts';
import { basicRoleRules, individualRules } from './individuals.ts';
import { ownSite, periodRules, type Rules, siteRules } from './rule.ts';
import { metricRules, metricValueRules, organizationRules, projectRules, teamMemberRules } from './trees.ts';

const RULES: Readonly<Partial<Record<ResourceName, Rules>>> = {
  site: siteRules,
  individual: individualRules,
  organization: organizationRules,
  organizationMember: membershipRules,
  basicRole: basicRoleRules,
  comment: commentRules,
  commitment: commitmentRules,
  dialog: ancestorTypeRules,
  metric: metricRules,
  metricValue: metricValueRules,
  period: periodRules,
  permission: permissionRules,
  project: projectRules,
  teamMember: teamMemberRules,
  color: ownSite,
  phase: ownSite,
  status: ownSite,
  securityGroup: ownSite,
};
const NONE: Rules = {};

export const rulesFor = (resource: Resource): Rules => RULES[resource.name as ResourceName] ?? NONE;
