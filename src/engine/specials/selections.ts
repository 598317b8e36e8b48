// Further conditions of lists, beyond the owners in their path: memberships, periods, child types.
import { invalid } from '../../contract/errors.ts';
import type { Value } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { dashboardOwner, frameOf, rollupQuery } from '../dashboards/build.ts';
import { periodOf } from '../records/periods.ts';
import { isChildType } from '../rights/check.ts';
import type { CountedSet } from '../store/port.ts';
import type { Target } from '../target.ts';
import { firstID, type Narrowing, OF_WORK, type Selection, type Selections } from './selections-of-work.ts';

type ByName<T> = Readonly<Record<string, T | undefined>>;

/** The further conditions of this list. */
export async function selectionOf(context: Context, target: Target): Promise<Narrowing> {
  const { operation, resource, route } = target;
  const all: ByName<ByName<Selection | ByName<Selection>>> = SELECTIONS;
  const found = all[resource.name]?.[operation.name];
  const selection = typeof found === 'function' ? found : found?.[route];
  return selection?.(context, target) ?? {};
}

const membersOf: Selection = (_context, target) => ({
  among: {
    field: 'ID',
    resource: 'organizationMember',
    pick: 'IndividualID',
    equals: { OrganizationID: firstID(target) },
  },
});
const departmentsOf: Selection = (_context, target) => ({
  among: {
    field: 'ID',
    resource: 'organizationMember',
    pick: 'OrganizationID',
    equals: { IndividualID: firstID(target) },
  },
});
const organizationsOnly: Selection = () => ({ equals: { RowType: 4 } });

const indicatorsOfRole: Selection = (_context, target) =>
  target.query.individualid === undefined ? {} : rolesOf(target.query.individualid);
const indicatorsOfIndividual: Selection = (_context, target) => ({
  ...rolesOf(firstID(target)),
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
    equals: { IndividualID: firstID(target) },
  },
});
const ofAncestorType: Selection = (_context, target) =>
  target.query.ancestortype === undefined ? {} : { equals: { AncestorType: target.query.ancestortype } };

/** D28: the period of the query, else the current one, else what is due in the calendar quarter. */
const inPeriod: Selection = async (context, target) => {
  const { id, from, to } = await periodOf(context, target.query.period);
  return id === undefined ? { between: { field: 'DueDate', from, to } } : { equals: { PeriodID: id } };
};

/** `/dashboards/{ancestorId}/commitments/{type}`: the commitments that the dashboard counts. */
const ofDashboard: Selection = async (context, target) => {
  const owner = await dashboardOwner(context, String(target.values.ancestorid));
  const frame = await frameOf(context, target.query.period);
  const query = rollupQuery(context, frame, [String(owner.ID)]);
  return {
    ids: await context.store.countedRecords(
      query,
      `${String(target.values.type).toLowerCase()} commitments` as CountedSet,
    ),
  };
};

const rightsOn: Selection = (_context, target) => {
  const child = target.values.childtype ?? null;
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

const SELECTIONS: Selections = {
  individual: {
    list: {
      department: membersOf,
      alsoDepartment: membersOf,
      project: (_context, target) => ({
        among: {
          field: 'ID',
          resource: 'teamMember',
          pick: 'IndividualID',
          equals: { TaskID: firstID(target) },
        },
      }),
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
  project: { list: { site: ofOrganization, individual: projectsOf } },
  dialog: { list: ofAncestorType },
  commitment: {
    list: {
      individual: inPeriod,
      department: inPeriod,
      alsoDepartment: inPeriod,
      dashboard: ofDashboard,
    },
  },
  permission: { list: rightsOn },
  ...OF_WORK,
};
