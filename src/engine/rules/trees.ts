// Trees of departments, of projects and of metrics: the place of a record, no loops, and their own rules (D10, D29).
import { type Fault, ServiceError } from '../../contract/errors.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Value } from '../../contract/resource.ts';
import type { Context, Writing } from '../context.ts';
import { ROLES } from '../records/defaults.ts';
import { type TreePlace, treePlaceOf, updateSubtree } from '../records/tree.ts';
import { mayRead } from '../rights/check.ts';
import type { Stored } from '../store/port.ts';
import { fillAncestorType } from './attached.ts';
import { changes, fillSite, member, type RecordToStore, type Rules } from './rule.ts';

/** In every tree no record is below itself, and all records below one that moved get a new place. */
const treeRules = {
  async check(toStore: RecordToStore): Promise<readonly Fault[]> {
    const { writing, resource, values, before = values } = toStore;
    if (!changes(toStore, 'ParentID')) return [];
    return loopFaults(writing, resource.name as ResourceName, 'ParentID', before, values.ParentID ?? null);
  },
  async follow({ writing, resource, values, before }: RecordToStore): Promise<void> {
    if (before && values.TreeKey !== undefined) await updateSubtree(writing, resource, { ...before, ...values });
  },
} satisfies Rules;

async function placeAfter(toStore: RecordToStore): Promise<TreePlace> {
  const { writing, resource, values, before } = toStore;
  const parent = await writing.lookup(resource.name as ResourceName, member(toStore, 'ParentID'));
  return treePlaceOf({ ...before, ...values }, parent);
}

/**
 * The fault of a loop where `start` is above the record `from`, each named by the field of the one before. It has the names of
 * the records as far as the caller may read them.
 */
export async function loopFaults(
  context: Context,
  resource: ResourceName,
  field: string,
  start: Stored,
  from: Value,
): Promise<readonly Fault[]> {
  const chain = [start];
  const visited = new Set<Value>();
  for (let at = from; at !== null && !visited.has(at); ) {
    visited.add(at);
    const row = await context.lookup(resource, at);
    if (!row) return [];
    chain.push(row);
    if (row.ID === start.ID) return [await loopFault(context, resource, field, chain)];
    at = row[field] ?? null;
  }
  return [];
}

async function loopFault(
  context: Context,
  resource: ResourceName,
  field: string,
  chain: readonly Stored[],
): Promise<Fault> {
  const names: string[] = [];
  for (const row of chain) {
    const isShown = await mayRead(context, resourceNamed(resource), row);
    names.push(isShown ? String(row.FullName ?? row.Name ?? row.ID) : 'another record');
  }
  const message = `makes a loop: ${names.join(' → ')}`;
  return { field, code: 'loop', message, hint: 'Name one that does not stand below it.' };
}

const ORGANIZATION = 4;
const DEPARTMENT = 56;

export const organizationRules: Rules = {
  ...treeRules,
  lists: [{ resource: 'organization', field: 'ParentID' }],
  fill(toStore) {
    fillSite(toStore);
    const { values, before, writing } = toStore;
    if (!before) values.ParentID ??= writing.site;
  },
  async prepare(toStore) {
    const { values, writing } = toStore;
    values.RowType = member(toStore, 'ParentID') === writing.site ? ORGANIZATION : DEPARTMENT;
    Object.assign(values, await placeAfter(toStore));
  },
  check: (toStore) => otherKind(toStore) ?? treeRules.check(toStore),
};

/** D10: an organization does not become a department, nor the reverse. */
function otherKind(toStore: RecordToStore): readonly Fault[] | undefined {
  const { values, before } = toStore;
  if (!before || before.RowType === values.RowType || !changes(toStore, 'ParentID')) return undefined;
  const message =
    before.RowType === ORGANIZATION
      ? 'would turn an organization into a department'
      : 'would turn a department into an organization';
  return [{ field: 'ParentID', code: 'immutable', message, hint: 'Make a new one in its place.' }];
}

export const projectRules: Rules = {
  ...treeRules,
  lists: [{ resource: 'project', field: 'ParentID' }],
  async prepare(toStore) {
    Object.assign(toStore.values, await placeAfter(toStore));
  },
};

export const teamMemberRules: Rules = {
  check(toStore): readonly Fault[] {
    const { values } = toStore;
    if (!changes(toStore, 'RoleID') || ROLES.some((role) => role.ID === values.RoleID)) return [];
    return [
      {
        field: 'RoleID',
        code: 'reference',
        message: `names ${String(values.RoleID)}, which is not a role`,
        hint: "The team members' operation roles lists them.",
      },
    ];
  },
};

export const metricRules: Rules = {
  ...treeRules,
  lists: [{ resource: 'metric', field: 'ParentID' }],
  async prepare(toStore) {
    await fillAncestorType(toStore);
    const { Level, TreeKey } = await placeAfter(toStore);
    Object.assign(toStore.values, { Level, TreeKey });
  },
};

export const metricValueRules: Rules = {
  prepare({ writing, before }) {
    if (before) refuseArchived(writing, before);
  },
  deleting: refuseArchived,
};

function refuseArchived(_change: Writing, { ID, ArchiveID, MetricID }: Stored): void {
  if (ArchiveID === null || ArchiveID === undefined) return;
  throw new ServiceError(
    'conflict',
    `the value ${String(ID)} is kept by the archive ${String(ArchiveID)}, which does not change`,
    {
      hint: 'Change the current value.',
      next: { do: 'list', resource: 'metricValue', within: { resource: 'metric', id: String(MetricID) } },
    },
  );
}
