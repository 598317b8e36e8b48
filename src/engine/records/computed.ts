// Fields that are not stored but worked out when a record is read: names of other records, rights, sums, hours.
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { mayRead, mayReadBelow, PERMISSION_FIELDS, readableName, readPermission, rightsOn } from '../rights/check.ts';
import { isAdministrator } from '../rights/labels.ts';
import type { Stored } from '../store/port.ts';
import { ROLES } from './defaults.ts';
import { findByID } from './record-names.ts';
import { placeOf, rankPath } from './tree.ts';

interface Computed {
  readonly fields: readonly string[];
  read(row: Stored, context: Context): Promise<Row> | Row;
}

const RIGHTS = ['CanRead', 'CanUpdate', 'CanDelete', 'CanDelegate'] as const;

/** By resource; the store keeps no column for the fields named here. */
export const COMPUTED: Readonly<Partial<Record<ResourceName, Computed>>> = {
  individual: {
    fields: ['PrimaryOrganizationName', 'UserEmail', 'SendEvalSurvey', 'ParentID', 'LastCommentBy', ...RIGHTS],
    read: async (row, context) => ({
      PrimaryOrganizationName: await memberOf(context, 'organization', row.PrimaryOrganizationID, 'Name'),
      UserEmail: row.Email ?? null,
      SendEvalSurvey: false,
      ParentID: null,
      LastCommentBy: await memberOf(context, 'individual', row.LastCommentByID, 'FullName'),
      ...(await rightsOn(resourceNamed('individual'), row, context)),
    }),
  },
  organization: {
    fields: ['RankPath', 'Values', 'LastCommentBy', ...RIGHTS],
    read: async (row, context) => ({
      RankPath: rankPath(row.DisplayRank),
      Values: null,
      LastCommentBy: await memberOf(context, 'individual', row.LastCommentByID, 'FullName'),
      ...(await rightsOn(resourceNamed('organization'), row, context)),
    }),
  },
  organizationMember: {
    fields: ['Name', 'ReportsToFull', 'ReportsToOrderedName'],
    read: async (row, context) => ({
      Name: await memberOf(context, 'individual', row.IndividualID, 'FullName'),
      ReportsToFull: await memberOf(context, 'individual', row.ReportsToID, 'FullName'),
      ReportsToOrderedName: await memberOf(context, 'individual', row.ReportsToID, 'FullOrderedName'),
    }),
  },
  basicRole: {
    fields: ['PerformanceIndicators'],
    read: async (row, context) => ({
      PerformanceIndicators: await indicatorNames(row, context),
    }),
  },
  basicRoleDialog: {
    fields: ['BasicRoleName', 'BasicRoleRank', 'DialogDate'],
    read: async (row, context) => ({
      BasicRoleName: await memberOf(context, 'basicRole', row.BasicRoleID, 'Name'),
      BasicRoleRank: await memberOf(context, 'basicRole', row.BasicRoleID, 'Rank'),
      DialogDate: await memberOf(context, 'dialog', row.DialogID, 'DialogDate'),
    }),
  },
  indicator: {
    fields: ['BasicRoleName', 'BasicRolePercentTime', 'BasicRoleRank'],
    read: async (row, context) => ({
      BasicRoleName: await memberOf(context, 'basicRole', row.BasicRoleID, 'Name'),
      BasicRolePercentTime: await memberOf(context, 'basicRole', row.BasicRoleID, 'PercentTime'),
      BasicRoleRank: await memberOf(context, 'basicRole', row.BasicRoleID, 'Rank'),
    }),
  },
  comment: {
    fields: ['CreatedByName'],
    read: async (row, context) => ({
      CreatedByName: await memberOf(context, 'individual', row.CreatedBy, 'FullName'),
    }),
  },
  period: {
    fields: ['TotalProjects', 'TotalCommitments', 'Permissions'],
    read: async (row, context) => {
      const sums = await context.store.totals(context.site, String(row.StartDate), endOfDay(String(row.EndDate)));
      return {
        TotalProjects: sums.projects,
        TotalCommitments: sums.commitments,
        Permissions: null,
      };
    },
  },
  permission: {
    fields: PERMISSION_FIELDS,
    read: readPermission,
  },
  project: {
    fields: ['AncestorName', 'SumHoursActual', 'SumHoursProjected', 'Status', 'Phase'],
    read: async (row, context) => ({
      AncestorName: await memberOf(context, 'organization', row.AncestorID, 'Name'),
      ...(await sumHours(row, context)),
      Status: await memberOf(context, 'status', row.StatusID, 'Name'),
      Phase: await memberOf(context, 'phase', row.PhaseID, 'Name'),
    }),
  },
  teamMember: {
    fields: [
      'RoleName',
      'HoursActualRollup',
      'HoursProjectedRollup',
      'IndividualFullName',
      'IndividualFullOrderedName',
    ],
    read: async (row, context) => ({
      RoleName: ROLES.find((role) => role.ID === row.RoleID)?.Group ?? null,
      HoursActualRollup: row.HoursActual ?? null,
      HoursProjectedRollup: row.HoursProjected ?? null,
      IndividualFullName: await memberOf(context, 'individual', row.IndividualID, 'FullName'),
      IndividualFullOrderedName: await memberOf(context, 'individual', row.IndividualID, 'FullOrderedName'),
    }),
  },
  dialog: {
    fields: ['Template', 'Draft', 'LastCommentBy', ...RIGHTS],
    read: async (row, context) => ({
      Template: false,
      Draft: false,
      LastCommentBy: await memberOf(context, 'individual', row.LastCommentByID, 'FullName'),
      ...(await rightsOn(resourceNamed('dialog'), row, context)),
    }),
  },
  metric: {
    fields: ['AncestorName'],
    read: async (row, context) => {
      const object = await findByID(context, row.AncestorID ?? null);
      return { AncestorName: object ? await readableName(context, object) : null };
    },
  },
  metricValue: {
    fields: ['MetricName', 'ArchiveName', 'ArchiveDate'],
    read: async (row, context) => ({
      MetricName: await memberOf(context, 'metric', row.MetricID, 'Name'),
      ArchiveName: await memberOf(context, 'archive', row.ArchiveID, 'ArchiveName'),
      ArchiveDate: await memberOf(context, 'archive', row.ArchiveID, 'ArchiveDate'),
    }),
  },
  task: {
    fields: ['RankPath', 'RankOrder', 'DisplayRank', 'Level', 'SumHoursActual', 'SumHoursProjected'],
    read: async (row, context) => {
      const project =
        (await context.lookup('project', row.ParentID)) ?? (await context.lookup('project', row.AncestorID));
      const { RankOrder, DisplayRank, Level } = placeOf(row, project);
      return {
        RankPath: rankPath(DisplayRank),
        RankOrder,
        DisplayRank,
        Level,
        SumHoursActual: row.HoursActual ?? null,
        SumHoursProjected: row.HoursProjected ?? null,
      };
    },
  },
  site: {
    fields: ['SecretKeyPartial', 'Nickname', 'AuthServiceUrl', 'SsoLoginLabel', 'RowType', 'BelowThresholdColor'],
    read: async (row, context) => ({
      SecretKeyPartial: null,
      Nickname: null,
      AuthServiceUrl: null,
      SsoLoginLabel: null,
      RowType: 1,
      BelowThresholdColor: await lowestColor(String(row.ID), context),
    }),
  },
};

/** Field names not stored, by resource. */
export const computedFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(COMPUTED).map(([name, computed]) => [name, computed.fields]),
);

/** A member of another record, as far as the caller may read that one. */
async function memberOf(
  context: Context,
  resource: ResourceName,
  id: Value | undefined,
  field: string,
): Promise<Value> {
  if (id === undefined || id === null) return null;
  const row = await context.lookup(resource, id);
  const isThere = row && (isAdministrator(context) || (await mayRead(context, resourceNamed(resource), row)));
  return isThere ? (row[field] ?? null) : null;
}

async function indicatorNames(row: Stored, context: Context): Promise<Value> {
  if (!(await mayReadBelow(context, 'indicator', { resource: 'basicRole', row }))) return null;
  const found = await context.store.find({
    resource: 'indicator',
    site: context.site,
    equals: { BasicRoleID: row.ID ?? null },
    deleted: 0,
    ordered: true,
  });
  return found.length === 0 ? null : found.map((indicator) => indicator.Name).join('; ');
}

/** The last moment of a period's last day, which belongs to the period (D13). */
export const endOfDay = (date: string): string => date.replace(/T\d{2}:\d{2}(:\d{2})?(\.\d+)?/, 'T23:59:59.999');

async function lowestColor(site: string, context: Context): Promise<Value> {
  const [lowest] = await context.store.find({
    resource: 'color',
    site,
    deleted: 0,
    ordered: true,
    limit: 1,
  });
  return lowest?.Code ?? null;
}

/** Null where nobody has said any. */
async function sumHours(
  row: Stored,
  context: Context,
): Promise<{
  SumHoursActual: number | null;
  SumHoursProjected: number | null;
}> {
  const below = await context.store.find({
    resource: 'project',
    site: context.site,
    equals: { ParentID: row.ID ?? null },
    deleted: 0,
  });
  const sums = await Promise.all(below.map((project) => sumHours(project, context)));
  return {
    SumHoursActual: total([row.HoursActual, ...sums.map((sum) => sum.SumHoursActual)]),
    SumHoursProjected: total([row.HoursProjected, ...sums.map((sum) => sum.SumHoursProjected)]),
  };
}

function total(hours: readonly (Value | undefined)[]): number | null {
  const known = hours.filter((value) => typeof value === 'number');
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
