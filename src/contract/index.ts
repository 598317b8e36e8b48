// The contract: every resource of the service, in the one list that everything else is read from.
import type { Resource } from './resource.ts';
import { accountability } from './resources/accountabilities.ts';
import { archive } from './resources/archives.ts';
import { basicRoleDialog } from './resources/basic-role-dialogs.ts';
import { basicRole } from './resources/basic-roles.ts';
import { color } from './resources/colors.ts';
import { comment } from './resources/comments.ts';
import { commitment } from './resources/commitments.ts';
import { coreValue } from './resources/core-values.ts';
import { dashboard } from './resources/dashboards.ts';
import { organizationMember } from './resources/department-members.ts';
import { organization } from './resources/departments.ts';
import { dialog } from './resources/dialogs.ts';
import { evaluationCriteria } from './resources/evaluation-criteria.ts';
import { indicator } from './resources/indicators.ts';
import { individual } from './resources/individuals.ts';
import { metricValue } from './resources/metric-values.ts';
import { metric } from './resources/metrics.ts';
import { period } from './resources/periods.ts';
import { permission } from './resources/permissions.ts';
import { phase } from './resources/project-phases.ts';
import { projectScope } from './resources/project-scopes.ts';
import { status } from './resources/project-statuses.ts';
import { project } from './resources/projects.ts';
import { securityGroup } from './resources/security-groups.ts';
import { session } from './resources/session.ts';
import { siteSetting } from './resources/site-settings.ts';
import { site } from './resources/sites.ts';
import { supervisoryScope } from './resources/supervisory-scopes.ts';
import { task } from './resources/tasks.ts';
import { teamMember } from './resources/team-members.ts';
import { token } from './resources/tokens.ts';

export const contract = {
  site,
  siteSetting,
  organization,
  individual,
  organizationMember,
  accountability,
  supervisoryScope,
  basicRole,
  indicator,
  dialog,
  basicRoleDialog,
  comment,
  period,
  commitment,
  coreValue,
  color,
  phase,
  status,
  project,
  projectScope,
  evaluationCriteria,
  teamMember,
  metric,
  metricValue,
  task,
  archive,
  dashboard,
  securityGroup,
  permission,
  session,
  token,
} as const;

export type Contract = typeof contract;
export type ResourceName = keyof Contract;

/** Every resource that has an operation or an address. */
export const everyResource: readonly Resource[] = Object.values(contract);

/** The resources that have commands, as generic code walks them. */
export const resources: readonly Resource[] = everyResource.filter(({ hidden }) => !hidden);

/** The resources whose records are kept. */
export const storedResources: readonly Resource[] = resources.filter(({ unstored }) => !unstored);

const byName = new Map<string, Resource>(everyResource.map((resource) => [resource.name, resource]));

/** The resource of that name; asking for one that is not in the contract is a defect. */
export function resourceNamed(name: string): Resource {
  const resource = byName.get(name);
  if (!resource) throw new Error(`the contract has no resource ${name}`);
  return resource;
}
