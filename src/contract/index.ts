// The contract: every resource of the service, in the one list that everything else is read from.
import type { Resource } from './resource.ts';
import { accountability, supervisoryScope } from './resources/accountabilities.ts';
import { archive } from './resources/archives.ts';
import { basicRole, indicator } from './resources/basic-roles.ts';
import { comment } from './resources/comments.ts';
import { commitment } from './resources/commitments.ts';
import { dashboard } from './resources/dashboards.ts';
import { organization, organizationMember } from './resources/departments.ts';
import { basicRoleDialog, dialog } from './resources/dialogs.ts';
import { individual } from './resources/individuals.ts';
import { metric, metricValue } from './resources/metrics.ts';
import { permission, securityGroup } from './resources/permissions.ts';
import { evaluationCriteria, phase, project, projectScope, status } from './resources/projects.ts';
import { color, coreValue, period, site, siteSetting } from './resources/sites.ts';
import { task, teamMember } from './resources/tasks.ts';
import { session, token } from './resources/tokens.ts';

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

/** The resources that have a table. */
export const storedResources: readonly Resource[] = resources.filter(({ unstored }) => !unstored);

const byName = new Map<string, Resource>(everyResource.map((resource) => [resource.name, resource]));

/** The resource of that name; asking for one that is not in the contract is a defect. */
export function resourceNamed(name: string): Resource {
  const resource = byName.get(name);
  if (!resource) throw new Error(`the contract has no resource ${name}`);
  return resource;
}
