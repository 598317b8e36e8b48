// Who owns what (D6), read off the fields that are marked as owners: one table, both ways round.
import type { Field } from './field.ts';
import { oncePer } from './once-per.ts';
import type { Resource, Row } from './resource.ts';

export interface Ownership {
  readonly resource: Resource;
  readonly field: string;
  readonly targets: readonly string[];
}

/** The owner fields of a resource, each with what it may name. */
export const ownersOf = oncePer((resource: Resource): readonly Ownership[] =>
  Object.entries(resource.fields)
    .filter(([, field]) => field.owner)
    .map(([name, field]) => ({ resource, field: name, targets: field.to ?? [] })),
);

/** Every field through which a record of `target` owns others. */
export function ownedBy(resources: readonly Resource[], target: string): readonly Ownership[] {
  return resources.flatMap(ownersOf).filter((ownership) => ownership.targets.includes(target));
}

/** The owner field of a resource that can name a record of `target`; undefined where it has none. */
export const ownerFieldFor = (resource: Resource, target: string): string | undefined =>
  ownersOf(resource).find((ownership) => ownership.targets.includes(target))?.field;

/** May a PUT never change this member (D10)? */
export const isImmutable = (field: Field): boolean => field.owner === true && !field.moves;

/** The fields through which a record inherits rights (D19), where that is not `AncestorID`; the first that is set counts. */
const HEIRS: Readonly<Record<string, readonly string[]>> = {
  organization: ['ParentID'],
  organizationMember: ['OrganizationID'],
  project: ['ParentID', 'AncestorID'],
  teamMember: ['TaskID'],
  basicRole: ['IndividualID'],
  indicator: ['BasicRoleID'],
  basicRoleDialog: ['BasicRoleID'],
  metricValue: ['MetricID'],
  archive: ['ItemID'],
  dashboard: ['ID'],
  permission: ['RowID'],
};
const NONE: readonly string[] = [];
const ANCESTOR: readonly string[] = ['AncestorID'];

/** Those fields of a resource; one that has none stands right below the site. */
export const heirFields = ({ name, fields }: Resource): readonly string[] =>
  HEIRS[name] ?? ('AncestorID' in fields ? ANCESTOR : NONE);

/** What one of those fields may name, but for the site, where every walk ends; the items of archives and dashboards stand in no field's line. */
export const heirTargets = (resource: Resource, field: string): readonly string[] =>
  (resource.fields[field]?.to ?? ITEMS).filter((target) => target !== 'site');
const ITEMS: readonly string[] = ['metric', 'project', 'individual', 'organization'];

/** The one owner through which this record inherits rights; undefined where that is the site. */
export function heirOf(
  resource: Resource,
  row: Row,
): { readonly id: string; readonly targets: readonly string[] } | undefined {
  for (const field of heirFields(resource)) {
    const id = row[field];
    if (typeof id === 'string') return { id, targets: heirTargets(resource, field) };
  }
  return undefined;
}
