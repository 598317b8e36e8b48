// Which resource has rules of its own; the one list.
import type { ResourceName } from '../../contract/index.ts';
import type { Resource } from '../../contract/resource.ts';
import { commentRules } from './attached.ts';
import { basicRoleRules } from './basic-roles.ts';
import { commitmentRules } from './commitments.ts';
import { membershipRules } from './department-members.ts';
import { organizationRules } from './departments.ts';
import { hangsOn } from './hangs-on.ts';
import { individualRules } from './individuals.ts';
import { metricValueRules } from './metric-values.ts';
import { metricRules } from './metrics.ts';
import { periodRules } from './periods.ts';
import { permissionRules } from './permissions.ts';
import { projectRules } from './projects.ts';
import type { Rules } from './rule.ts';
import { ownSite } from './site-own.ts';
import { siteRules } from './sites.ts';
import { teamMemberRules } from './team-members.ts';

const RULES: Readonly<Partial<Record<ResourceName, Rules>>> = {
  site: siteRules,
  individual: individualRules,
  organization: organizationRules,
  organizationMember: membershipRules,
  basicRole: basicRoleRules,
  comment: commentRules,
  commitment: commitmentRules,
  dialog: hangsOn,
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
