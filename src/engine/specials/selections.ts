// Further conditions of lists, beyond the owners in their path.
import { invalid } from '../../contract/errors.ts';
import { type Contract, type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Operations } from '../../contract/operation.ts';
import type { Value } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { dashboardIn } from '../dashboards/build.ts';
import { daysBetween, periodOf } from '../records/periods.ts';
import { noSuch, readable } from '../records/read-record.ts';
import { findByID } from '../records/record-names.ts';
import { isChildType, mayRead } from '../rights/check.ts';
import { adminOnly, isAdministrator } from '../rights/labels.ts';
import type { CountedSet, Query } from '../store/port.ts';
import type { Target } from '../target.ts';

interface Narrowing extends Partial<Pick<Query, 'equals' | 'among' | 'between' | 'ids'>> {
  /** The owners in the path are not members of the records. */
  readonly ignoresOwners?: true;
}
type Selection = (context: Context, target: Target) => Promise<Narrowing> | Narrowing;

/** For every route of an operation that lists, or by the names of its routes. */
type OfOperations<O extends Operations> = {
  readonly [N in keyof O as O[N]['verb'] extends 'list' ? N : never]?:
    | Selection
    | { readonly [Route in keyof O[N]['routes']]?: Selection };
};

/** By resource and operation; the compiler refuses names that the contract does not have. */
type Selections = { readonly [R in ResourceName]?: OfOperations<Contract[R]['operations']> };

type ByName<T> = Readonly<Record<string, T | undefined>>;

/** The further conditions of this list. */
export async function selectionOf(context: Context, target: Target): Promise<Narrowing> {
  const { operation, resource, route } = target;
  const all: ByName<ByName<Selection | ByName<Selection>>> = SELECTIONS;
  const found = all[resource.name]?.[operation.name];
  const selection = typeof found === 'function' ? found : found?.[route];
  return selection?.(context, target) ?? {};
}

const firstID = (target: Target): string => target.named[0]?.id ?? '';

/** A resource, the member of it that is picked, and the member by which its records are found. */
type Link = readonly [resource: string, pick: string, by: string];

/** The records with a `field` that one of these links picks from the records that name this ID. */
const amongLinked = (field: string, id: Value, ...links: readonly Link[]): Narrowing => ({
  among: { field, sources: links.map(([resource, pick, by]) => ({ resource, pick, equals: { [by]: id } })) },
});

/** The same for the first record in the path. */
const linkedTo =
  (field: string, ...links: readonly Link[]): Selection =>
  (_context, target) =>
    amongLinked(field, firstID(target), ...links);

/** The same, where that record is no owner of the listed ones. */
const linkedOnlyTo =
  (field: string, ...links: readonly Link[]): Selection =>
  (_context, target) => ({ ignoresOwners: true, ...amongLinked(field, firstID(target), ...links) });

/** Where the query has this parameter, only the records with that member. */
const byQuery =
  (parameter: string, member: string): Selection =>
  (_context, { query: { [parameter]: value } }) =>
    value === undefined ? {} : { equals: { [member]: value } };

const membersOf = linkedTo('ID', ['organizationMember', 'IndividualID', 'OrganizationID']);
const departmentsOf = linkedTo('ID', ['organizationMember', 'OrganizationID', 'IndividualID']);
const organizationsOnly: Selection = () => ({ equals: { RowType: 4 } });

const rolesOf = (individual: Value): Narrowing =>
  amongLinked('BasicRoleID', individual, ['basicRole', 'ID', 'IndividualID']);
const indicatorsOfRole: Selection = (_context, { query }) =>
  query.individualid === undefined ? {} : rolesOf(query.individualid);
const indicatorsOfIndividual: Selection = (context, target) => ({
  ...rolesOf(firstID(target)),
  ...byQuery('basicroleid', 'BasicRoleID')(context, target),
});

/** D28: the period of the query, else the current one, else commitments that are due in the calendar quarter. */
const inPeriod: Selection = async (context, target) => {
  const { id, from, to } = await periodOf(context, target.query.period);
  return id === undefined ? { between: { field: 'DueDate', from, to } } : { equals: { PeriodID: id } };
};

/** `/dashboards/{ancestorId}/commitments/{type}`: the commitments that the dashboard counts. */
const ofDashboard: Selection = async (context, { values, query: { period } }) => {
  const { query } = await dashboardIn(context, values.ancestorid, period);
  const set = `${String(values.type).toLowerCase()} commitments` as CountedSet;
  return { ids: await context.store.countedRecords(query, set) };
};

const rightsOn: Selection = (_context, { values, named, site }) => {
  const child = values.childtype ?? null;
  if (child !== null && !isChildType(child)) {
    const message = `is ${String(child)}, which is not a child type`;
    throw invalid('the list of permissions', [{ field: 'childtype', code: 'out_of_range', message }]);
  }
  return { equals: { ChildType: child, RowID: named[0]?.id ?? site } };
};

/** The individual's own metrics, and those of its organizations, departments and projects; deleted ones for administrators. */
const everyMetric: Selection = (context, target) => {
  if (target.query.deleted && !isAdministrator(context)) throw adminOnly('listing deleted metrics of an individual');
  return ofIndividual(context, target);
};
const ofIndividual = linkedOnlyTo(
  'AncestorID',
  ['individual', 'ID', 'ID'],
  ['organizationMember', 'OrganizationID', 'IndividualID'],
  ['teamMember', 'TaskID', 'IndividualID'],
);

/** Current values, or those of an archive; of whole days, the last one included. */
const valuesOfMetric: Selection = (context, { query, values, named }) => {
  const equals = { ArchiveID: query.archiveid ?? named.find((one) => one.resource === 'archive')?.id ?? null };
  const from = values.startdate ?? query.startdate;
  const to = values.enddate ?? query.enddate;
  return from || to ? { equals, between: daysBetween(context, 'Date', from, to) } : { equals };
};

const tasksOf: Selection = async (context, { query: { ancestorid: id } }) => {
  if (id === undefined) return {};
  const found = await findByID(context, id);
  const isReadable = found && (await mayRead(context, resourceNamed(found.resource), found.row));
  if (!isReadable) throw noSuch('dialog, individual or project', String(id), 'project');
  await readable(context, { resource: found.resource, id: String(id) }, 0);
  return found.resource === 'project' ? amongLinked('ID', id, ...IN_PROJECT) : { equals: { AncestorID: id } };
};

/** The tasks of a project have it as their owner or as their parent. */
const IN_PROJECT: readonly Link[] = [
  ['task', 'ID', 'AncestorID'],
  ['task', 'ID', 'ParentID'],
];

const SELECTIONS: Selections = {
  individual: {
    list: {
      department: membersOf,
      alsoDepartment: membersOf,
      project: linkedTo('ID', ['teamMember', 'IndividualID', 'TaskID']),
    },
  },
  organization: {
    list: {
      organizations: organizationsOnly,
      siteOrganizations: organizationsOnly,
      individual: departmentsOf,
      alsoIndividual: departmentsOf,
      mine: departmentsOf,
      alsoMine: departmentsOf,
    },
  },
  indicator: {
    list: {
      basicRole: indicatorsOfRole,
      alsoBasicRole: indicatorsOfRole,
      individual: indicatorsOfIndividual,
      alsoIndividual: indicatorsOfIndividual,
    },
  },
  project: {
    list: {
      site: byQuery('organizationid', 'AncestorID'),
      individual: linkedTo('ID', ['teamMember', 'TaskID', 'IndividualID']),
    },
  },
  dialog: { list: byQuery('ancestortype', 'AncestorType') },
  commitment: {
    list: { individual: inPeriod, department: inPeriod, alsoDepartment: inPeriod, dashboard: ofDashboard },
  },
  permission: { list: rightsOn },
  metric: { all: everyMetric },
  metricValue: { list: valuesOfMetric },
  task: {
    list: { plain: tasksOf, project: linkedOnlyTo('ID', ...IN_PROJECT) },
    all: linkedOnlyTo('ID', ['task', 'ID', 'Responsible'], ['task', 'ID', 'AncestorID']),
    dialogTasks: linkedOnlyTo('AncestorID', ['dialog', 'ID', 'AncestorID']),
  },
  /** D16: archives of the item, and of those that it directly owns. */
  archive: { list: linkedOnlyTo('ID', ['archive', 'ID', 'ItemID'], ['archive', 'ID', 'AncestorID']) },
};
