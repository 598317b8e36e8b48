// Lists that are narrowed by more than an owner field: memberships, periods, child types.
import { invalid } from '../../contract/errors.ts';
import type { ResourceName } from '../../contract/index.ts';
import type { Value } from '../../contract/resource.ts';
import { isChildType } from '../computed.ts';
import type { Context } from '../context.ts';
import { currentPeriod } from '../periods.ts';
import { noSuch, readable } from '../reading.ts';
import { rowTypeOf } from '../row-types.ts';
import type { Query } from '../store/port.ts';
import type { Target } from '../target.ts';

type Narrowing = Partial<Pick<Query, 'equals' | 'among' | 'between'>>;
type Selection = (context: Context, target: Target) => Promise<Narrowing> | Narrowing;

/** What narrows this list besides the owners in its path. */
export async function selectionOf(context: Context, target: Target): Promise<Narrowing> {
  const own = SELECTIONS[target.resource.name as ResourceName]?.[target.route];
  return own ? own(context, target) : {};
}

const membersOf: Selection = (_context, target) => ({
  among: {
    field: 'ID',
    resource: 'organizationMember',
    pick: 'IndividualID',
    equals: { OrganizationID: first(target) },
  },
});
const departmentsOf: Selection = (_context, target) => ({
  among: {
    field: 'ID',
    resource: 'organizationMember',
    pick: 'OrganizationID',
    equals: { IndividualID: first(target) },
  },
});
const organizationsOnly: Selection = () => ({ equals: { RowType: 4 } });

const indicatorsOfRole: Selection = (_context, target) =>
  target.query.individualid === undefined ? {} : rolesOf(target.query.individualid);
const indicatorsOfIndividual: Selection = (_context, target) => ({
  ...rolesOf(first(target)),
  ...(target.query.basicroleid === undefined ? {} : { equals: { BasicRoleID: target.query.basicroleid } }),
});
const rolesOf = (individual: Value): Narrowing => ({
  among: {
    field: 'BasicRoleID',
    resource: 'basicRole',
    pick: 'ID',
    equals: { IndividualID: individual },
  },
});

const ofOrganization: Selection = (_context, target) =>
  target.query.organizationid === undefined ? {} : { equals: { AncestorID: target.query.organizationid } };
const projectsOf: Selection = (_context, target) => ({
  among: {
    field: 'ID',
    resource: 'teamMember',
    pick: 'TaskID',
    equals: { IndividualID: first(target) },
  },
});
const ofAncestorType: Selection = (_context, target) =>
  target.query.ancestortype === undefined ? {} : { equals: { AncestorType: target.query.ancestortype } };

/** D28: the period that is asked for, else the current one, else what is due in the calendar quarter. */
const inPeriod: Selection = async (context, target) => {
  const asked = target.query.period;
  if (asked !== undefined) return { equals: { PeriodID: asked } };
  const current = await currentPeriod(context);
  return 'id' in current ? { equals: { PeriodID: current.id } } : { between: { field: 'DueDate', ...current } };
};

/** `/dashboards/{ancestorId}/commitments/{type}`: the ID must be of that type. */
const ofDashboard: Selection = async (context, target) => {
  const type = String(target.words.type).toLowerCase();
  const id = String(target.words.ancestorid);
  const found = await rowTypeOf(context, id);
  const wanted = { organization: 4, department: 56, individual: 39 }[type];
  if (!found || found.rowType !== wanted) throw noSuch(type, id);
  await readable(context, { resource: found.resource, id }, 0);
  const narrowed = await inPeriod(context, target);
  return { ...narrowed, equals: { ...narrowed.equals, AncestorID: id } };
};

const rightsOn: Selection = (_context, target) => {
  const child = target.words.childtype ?? null;
  if (child !== null && !isChildType(child)) {
    throw invalid('the list of permissions', [
      {
        field: 'childtype',
        code: 'out_of_range',
        message: `is ${String(child)}, which is no child type`,
      },
    ]);
  }
  return {
    equals: { ChildType: child, RowID: target.named[0]?.id ?? target.site },
  };
};

const SELECTIONS: Partial<Record<ResourceName, Readonly<Record<string, Selection>>>> = {
  individual: {
    department: membersOf,
    alsoDepartment: membersOf,
    project: (_context, target) => ({
      among: {
        field: 'ID',
        resource: 'teamMember',
        pick: 'IndividualID',
        equals: { TaskID: first(target) },
      },
    }),
  },
  organization: {
    organizations: organizationsOnly,
    siteOrganizations: organizationsOnly,
    individual: departmentsOf,
    alsoIndividual: departmentsOf,
    mine: departmentsOf,
    alsoMine: departmentsOf,
  },
  indicator: {
    basicRole: indicatorsOfRole,
    alsoBasicRole: indicatorsOfRole,
    individual: indicatorsOfIndividual,
    alsoIndividual: indicatorsOfIndividual,
  },
  project: { site: ofOrganization, individual: projectsOf },
  dialog: { plain: ofAncestorType, site: ofAncestorType },
  commitment: {
    individual: inPeriod,
    department: inPeriod,
    alsoDepartment: inPeriod,
    dashboard: ofDashboard,
  },
  permission: {
    site: rightsOn,
    individual: rightsOn,
    department: rightsOn,
    alsoDepartment: rightsOn,
    project: rightsOn,
    siteChildren: rightsOn,
    individualChildren: rightsOn,
    departmentChildren: rightsOn,
    alsoDepartmentChildren: rightsOn,
    projectChildren: rightsOn,
  },
};

const first = (target: Target): string => target.named[0]?.id ?? '';
