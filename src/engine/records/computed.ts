// Fields that are not stored but computed when a record is read: members of other records, rights, sums, hours.
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { valueAt } from '../../text/once-per.ts';
import { type Context, findIn, type Hours } from '../context.ts';
import { mayRead, mayReadBelow, PERMISSION_FIELDS, readableName, readPermission, rightsOn } from '../rights/check.ts';
import { isAdministrator } from '../rights/labels.ts';
import { readFilterOf } from '../rights/permissions.ts';
import type { Stored } from '../store/port.ts';
import { ROLES } from './defaults.ts';
import { findByID } from './record-names.ts';
import { rankPath, treePlaceOf } from './tree.ts';

/** A member of another record: its resource, the field that names the record, the member there. */
type Borrowed = readonly [resource: ResourceName, by: string, member: string];

interface Computed {
  readonly borrowed?: Readonly<Record<string, Borrowed>>;
  /** The other computed fields; null where `read` leaves them out. */
  readonly fields?: readonly string[];
  read?(row: Stored, context: Context): Promise<Row> | Row;
  /** Also the caller's rights on the record. */
  readonly showsRights?: true;
}

const RIGHTS = ['CanRead', 'CanUpdate', 'CanDelete', 'CanDelegate'] as const;
const LAST_COMMENT_BY: Borrowed = ['individual', 'LastCommentByID', 'FullName'];

const COMPUTED: Readonly<Partial<Record<ResourceName, Computed>>> = {
  individual: {
    borrowed: {
      PrimaryOrganizationName: ['organization', 'PrimaryOrganizationID', 'Name'],
      LastCommentBy: LAST_COMMENT_BY,
    },
    fields: ['UserEmail', 'SendEvalSurvey', 'ParentID', ...RIGHTS],
    read: (row) => ({ UserEmail: row.Email ?? null, SendEvalSurvey: false }),
    showsRights: true,
  },
  organization: {
    borrowed: { LastCommentBy: LAST_COMMENT_BY },
    fields: ['RankPath', 'Values', ...RIGHTS],
    read: (row) => ({ RankPath: rankPath(row.DisplayRank) }),
    showsRights: true,
  },
  organizationMember: {
    borrowed: {
      Name: ['individual', 'IndividualID', 'FullName'],
      ReportsToFull: ['individual', 'ReportsToID', 'FullName'],
      ReportsToOrderedName: ['individual', 'ReportsToID', 'FullOrderedName'],
    },
  },
  basicRole: {
    fields: ['PerformanceIndicators'],
    read: async (row, context) => ({ PerformanceIndicators: await indicatorNames(row, context) }),
  },
  basicRoleDialog: {
    borrowed: {
      BasicRoleName: ['basicRole', 'BasicRoleID', 'Name'],
      BasicRoleRank: ['basicRole', 'BasicRoleID', 'Rank'],
      DialogDate: ['dialog', 'DialogID', 'DialogDate'],
    },
  },
  indicator: {
    borrowed: {
      BasicRoleName: ['basicRole', 'BasicRoleID', 'Name'],
      BasicRolePercentTime: ['basicRole', 'BasicRoleID', 'PercentTime'],
      BasicRoleRank: ['basicRole', 'BasicRoleID', 'Rank'],
    },
  },
  comment: { borrowed: { CreatedByName: ['individual', 'CreatedBy', 'FullName'] } },
  period: {
    fields: ['TotalProjects', 'TotalCommitments', 'Permissions'],
    read: async (row, context) => {
      const [from, to] = [String(row.StartDate), endOfDay(String(row.EndDate))];
      const [project, commitment] = await Promise.all([
        readFilterOf(context, resourceNamed('project')),
        readFilterOf(context, resourceNamed('commitment')),
      ]);
      const readFilters = { project, commitment };
      const sums = await context.store.totals({ site: context.site, period: Number(row.ID), from, to, readFilters });
      return { TotalProjects: sums.projects, TotalCommitments: sums.commitments };
    },
  },
  permission: { fields: PERMISSION_FIELDS, read: readPermission },
  project: {
    borrowed: {
      AncestorName: ['organization', 'AncestorID', 'Name'],
      Status: ['status', 'StatusID', 'Name'],
      Phase: ['phase', 'PhaseID', 'Name'],
    },
    fields: ['SumHoursActual', 'SumHoursProjected'],
    read: sumHours,
  },
  teamMember: {
    borrowed: {
      IndividualFullName: ['individual', 'IndividualID', 'FullName'],
      IndividualFullOrderedName: ['individual', 'IndividualID', 'FullOrderedName'],
    },
    fields: ['RoleName', 'HoursActualRollup', 'HoursProjectedRollup'],
    read: (row) => ({
      RoleName: ROLES.find((role) => role.ID === row.RoleID)?.Group ?? null,
      HoursActualRollup: row.HoursActual ?? null,
      HoursProjectedRollup: row.HoursProjected ?? null,
    }),
  },
  dialog: {
    borrowed: { LastCommentBy: LAST_COMMENT_BY },
    fields: ['Template', 'Draft', ...RIGHTS],
    read: () => ({ Template: false, Draft: false }),
    showsRights: true,
  },
  metric: {
    fields: ['AncestorName'],
    read: async (row, context) => ({
      AncestorName: await readableName(context, await findByID(context, row.AncestorID ?? null)),
    }),
  },
  metricValue: {
    borrowed: {
      MetricName: ['metric', 'MetricID', 'Name'],
      ArchiveName: ['archive', 'ArchiveID', 'ArchiveName'],
      ArchiveDate: ['archive', 'ArchiveID', 'ArchiveDate'],
    },
  },
  task: {
    fields: ['RankPath', 'RankOrder', 'DisplayRank', 'Level', 'SumHoursActual', 'SumHoursProjected'],
    read: async (row, context) => {
      const { RankOrder, DisplayRank, Level } = treePlaceOf(row, await projectOf(row, context));
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
    read: async (row, context) => ({ RowType: 1, BelowThresholdColor: await lowestColor(String(row.ID), context) }),
  },
};

/** The computed fields by resource; the store has no column for them. */
export const computedFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(COMPUTED).map(([name, { borrowed = {}, fields = [] }]) => [
    name,
    [...Object.keys(borrowed), ...fields],
  ]),
);

/** The computed members of a record. */
export async function computedOf(resource: string, row: Stored, context: Context): Promise<Row> {
  const { borrowed = {}, read, showsRights } = COMPUTED[resource as ResourceName] ?? {};
  const members: Record<string, Value> = {};
  for (const name in borrowed) members[name] = await memberOf(context, row, borrowed[name] as Borrowed);
  if (showsRights) Object.assign(members, await rightsOn(resourceNamed(resource), row, context));
  return Object.assign(members, await read?.(row, context));
}

/** Null where the caller may not read the other record. */
async function memberOf(context: Context, row: Stored, [resource, by, member]: Borrowed): Promise<Value> {
  const id = row[by] ?? null;
  const other = id === null ? undefined : await context.lookup(resource, id);
  const isReadable = other && (isAdministrator(context) || (await mayRead(context, resourceNamed(resource), other)));
  return isReadable ? (other[member] ?? null) : null;
}

async function indicatorNames(row: Stored, context: Context): Promise<Value> {
  if (!(await mayReadBelow(context, 'indicator', { resource: 'basicRole', row }))) return null;
  const found = await findIn(context, 'indicator', { equals: { BasicRoleID: row.ID ?? null }, ordered: true });
  return found.length === 0 ? null : found.map((indicator) => indicator.Name).join('; ');
}

/** The project of a task: its parent, else its owner. */
export const projectOf = async ({ ParentID, AncestorID }: Stored, { lookup }: Context): Promise<Stored | undefined> =>
  (await lookup('project', ParentID)) ?? lookup('project', AncestorID);

/** The last moment of a period's last day, which belongs to the period (D13). */
export const endOfDay = (date: string): string => date.replace(/T\d{2}:\d{2}(:\d{2})?(\.\d+)?/, 'T23:59:59.9999999');

async function lowestColor(site: string, context: Context): Promise<Value> {
  const [lowest] = await findIn({ store: context.store, site }, 'color', { ordered: true, limit: 1 });
  return lowest?.Code ?? null;
}

/** Of a project and all below it; null where no hours are set. A list asks for those of a project once for each above it. */
function sumHours(row: Stored, context: Context): Promise<Hours> {
  context.cache.hours ??= new Map();
  return valueAt(context.cache.hours, String(row.ID), () => summedHours(row, context));
}

async function summedHours(row: Stored, context: Context): Promise<Hours> {
  const below = await findIn(context, 'project', { equals: { ParentID: row.ID ?? null } });
  // Those of most projects are read twice at most: to keep them takes memory for each row of a list.
  if (below.length === 0) context.cache.hours?.delete(String(row.ID));
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
