// Further conditions of lists, beyond the owners in their path: metrics, values, tasks and archives.
import { type Contract, type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Operations } from '../../contract/operation.ts';
import type { Context } from '../context.ts';
import { lastOfDay, startOfDay } from '../records/periods.ts';
import { noSuch, readable } from '../records/read-record.ts';
import { findByID } from '../records/record-names.ts';
import { mayRead } from '../rights/check.ts';
import { adminOnly, isAdministrator } from '../rights/labels.ts';
import type { Query } from '../store/port.ts';
import type { Target } from '../target.ts';

export interface Narrowing extends Partial<Pick<Query, 'equals' | 'among' | 'between' | 'ids'>> {
  /** The owners in the path are not members of the records. */
  readonly ignoresOwners?: true;
}
export type Selection = (context: Context, target: Target) => Promise<Narrowing> | Narrowing;

/** For every route of an operation that lists, or by the names of its routes. */
type OfOperations<O extends Operations> = {
  readonly [N in keyof O as O[N]['verb'] extends 'list' ? N : never]?:
    | Selection
    | { readonly [Route in keyof O[N]['routes']]?: Selection };
};

/** By resource and operation; the compiler refuses names that the contract does not have. */
export type Selections = { readonly [R in ResourceName]?: OfOperations<Contract[R]['operations']> };

/** The ID of the first record in the path. */
export const firstID = (target: Target): string => target.named[0]?.id ?? '';

/** The individual's own metrics, and those of its organizations, departments and projects; deleted ones for administrators. */
const everyMetric: Selection = (context, target) => {
  if (target.query.deleted && !isAdministrator(context)) throw adminOnly('listing deleted metrics of an individual');
  const individual = { IndividualID: firstID(target) };
  return {
    ignoresOwners: true,
    among: {
      field: 'AncestorID',
      resource: 'individual',
      pick: 'ID',
      equals: { ID: firstID(target) },
      or: [
        { resource: 'organizationMember', pick: 'OrganizationID', equals: individual },
        { resource: 'teamMember', pick: 'TaskID', equals: individual },
      ],
    },
  };
};

/** Current values, or those of an archive; of whole days, the last one included. */
const valuesOfMetric: Selection = (context, target) => {
  const archive = target.query.archiveid ?? target.named.find((one) => one.resource === 'archive')?.id ?? null;
  const from = target.values.startdate ?? target.query.startdate;
  const to = target.values.enddate ?? target.query.enddate;
  const equals = { ArchiveID: archive };
  if (!from && !to) return { equals };
  const between = {
    field: 'Date',
    from: startOfDay(context, String(from || '0001-01-01')),
    to: lastOfDay(context, String(to || '9999-12-31')),
  };
  return { equals, between };
};

/** The tasks of a project have it as their owner or as their parent. */
const inProject = (id: string): Narrowing => ({
  ignoresOwners: true,
  among: {
    field: 'ID',
    resource: 'task',
    pick: 'ID',
    equals: { AncestorID: id },
    or: [{ resource: 'task', pick: 'ID', equals: { ParentID: id } }],
  },
});

const tasksOf: Selection = async (context, target) => {
  const id = target.query.ancestorid;
  if (id === undefined) return {};
  const found = await findByID(context, id);
  const isReadable = found && (await mayRead(context, resourceNamed(found.resource), found.row));
  if (!isReadable) throw noSuch('dialog, individual or project', String(id), 'project');
  await readable(context, { resource: found.resource, id: String(id) }, 0);
  return found.resource === 'project' ? inProject(String(id)) : { equals: { AncestorID: id } };
};

const tasksFor: Selection = (_context, target) => ({
  ignoresOwners: true,
  among: {
    field: 'ID',
    resource: 'task',
    pick: 'ID',
    equals: { Responsible: firstID(target) },
    or: [{ resource: 'task', pick: 'ID', equals: { AncestorID: firstID(target) } }],
  },
});

const tasksFromDialogs: Selection = (_context, target) => ({
  ignoresOwners: true,
  among: { field: 'AncestorID', resource: 'dialog', pick: 'ID', equals: { AncestorID: firstID(target) } },
});

/** D16: archives of the item, and of what it directly owns. */
const archivesOf: Selection = (_context, target) => ({
  ignoresOwners: true,
  among: {
    field: 'ID',
    resource: 'archive',
    pick: 'ID',
    equals: { ItemID: firstID(target) },
    or: [{ resource: 'archive', pick: 'ID', equals: { AncestorID: firstID(target) } }],
  },
});

export const OF_WORK: Selections = {
  metric: { all: everyMetric },
  metricValue: { list: valuesOfMetric },
  task: {
    list: { plain: tasksOf, project: (_context, target) => inProject(firstID(target)) },
    all: tasksFor,
    dialogTasks: tasksFromDialogs,
  },
  archive: { list: archivesOf },
};
