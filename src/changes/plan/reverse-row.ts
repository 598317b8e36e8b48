// The row that takes back what another row did.
import { resourceNamed } from '../../contract/index.ts';
import type { FurtherUpdate, JobRow, PlannedRow, RowResult } from '../../contract/jobs.ts';
import { listValuesIn } from '../../contract/record-address.ts';
import { isSoft, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { defined, type Loose, nonEmpty } from '../../text/defined.ts';
import { writableBody } from './change.ts';
import { takesID } from './planner.ts';

type Reverse = Omit<PlannedRow, 'number'>;

/**
 * The row that undoes this one; undefined if it changed nothing, or cannot be undone. `was` holds what the row left: the
 * reverse runs only while the record is still so.
 */
export function reverseOf(row: JobRow): Reverse | undefined {
  const reverse = ofOwnRecord(row);
  return reverse && defined({ ...reverse, also: nonEmpty(furtherUpdates(row.result)) });
}

/** The other records that it changed, as they were. */
const furtherUpdates = ({ effects = [] }: RowResult = {}): readonly FurtherUpdate[] =>
  effects.map(({ before, after, ...one }) => ({ ...one, operation: 'update', patch: before, was: after }));

function ofOwnRecord(row: JobRow): Loose<Reverse> | undefined {
  const resource = resourceNamed(row.resource);
  const verb = resource.operations[row.operation]?.verb;
  switch (verb) {
    case 'create':
      return ofCreate(resource, row);
    case 'delete':
      return isSoft(resource) ? ofDeletionMark(resource, row, 'undelete') : ofFinalDelete(resource, row);
    case 'undelete':
      return ofDeletionMark(resource, row, 'delete');
    case 'update':
    case 'special':
      return ofUpdate(resource, row);
    case 'local':
      return ofLocal(resource, row);
    default:
      return undefined;
  }
}

/** A record that existed already (D12) was not made by the row. */
function ofCreate(resource: Resource, row: JobRow): Loose<Reverse> | undefined {
  const id = row.result?.id ?? row.id;
  if (id === undefined || row.result?.before || !('delete' in resource.operations)) return undefined;
  return reverseRow(resource, row, {
    operation: 'delete',
    id,
    was: expectedState(resource, { ...row.body, ...row.result?.after }),
  });
}

function ofDeletionMark(resource: Resource, row: JobRow, operation: 'delete' | 'undelete'): Loose<Reverse> | undefined {
  const changed = row.result?.before && 'Deleted' in row.result.before;
  if (!changed || row.id === undefined || !(operation in resource.operations)) return undefined;
  return reverseRow(resource, row, { operation, id: row.id, was: { Deleted: operation === 'undelete' } });
}

/** D8: the record is created again from its last image, with the same ID where the service takes one. The engine does of all. */
function ofFinalDelete(resource: Resource, row: JobRow): Loose<Reverse> | undefined {
  const image = nonEmpty(row.result?.before ?? {});
  if (!image) return undefined;
  const { ID, ...body } = writableBody(resource, image);
  const id = takesID(resource) && typeof ID === 'string' ? ID : row.result?.id;
  return { resource: row.resource, operation: 'create', id, body };
}

/** The changed members as they were; of an operation that is not ordinary by the one that the contract names. */
function ofUpdate(resource: Resource, row: JobRow): Loose<Reverse> | undefined {
  const { by, params, id } = row;
  const operation = resource.operations[row.operation]?.reverse ?? row.operation;
  const before = nonEmpty(row.result?.before ?? {});
  if (operation === 'none' || !before || (id === undefined && params === undefined)) return undefined;
  const sent = Object.entries(row.patch ?? row.body ?? {});
  const changed = Object.fromEntries(sent.filter(([name]) => Object.hasOwn(before, name)));
  const was = expectedState(resource, { ...changed, ...row.result?.after });
  const address = operation === row.operation ? { by, params } : {};
  return reverseRow(resource, row, { operation, ...address, id, patch: before, was });
}

/** The opposite operation, where there is one. */
function ofLocal({ operations }: Resource, { resource, operation, id, body }: JobRow): Loose<Reverse> | undefined {
  const { reverse = 'none' } = operations[operation] ?? {};
  return reverse === 'none' ? undefined : { resource, operation: reverse, id, body };
}

/** With the place where the row left the record. */
function reverseRow(resource: Resource, row: JobRow, { was, ...change }: Omit<Loose<Reverse>, 'resource'>) {
  const place = nonEmpty(listValuesIn(resource, row.was, row.place, row.body, row.patch));
  return { resource: resource.name, ...change, place, was };
}

/** The values that a row left, of the members that can be read. */
function expectedState(resource: Resource, sent: Readonly<Record<string, unknown>> = {}): Row {
  const members: Record<string, Value> = 'Deleted' in resource.fields ? { Deleted: false } : {};
  for (const [name, value] of Object.entries(sent)) {
    const field = resource.fields[name];
    const hidden = field && (field.writeOnly || field.rule === 'read-only' || name === 'ID');
    // The contract lets bodies hold the values of a record only.
    if (!hidden) members[name] = (value ?? null) as Value;
  }
  return members;
}
