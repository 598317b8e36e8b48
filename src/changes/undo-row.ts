// The reverse of one row that was done: what it changed goes back, and nothing else.
import { resourceNamed } from '../contract/index.ts';
import type { JobRow, PlannedRow } from '../contract/jobs.ts';
import { placeIn } from '../contract/record-address.ts';
import { isSoft, type Resource, type Row, type Value } from '../contract/resource.ts';
import { writableBody } from './plan/change.ts';
import { takesID } from './plan/planner.ts';

type Reverse = Omit<PlannedRow, 'number'>;

/**
 * The row that takes this one back; undefined where it changed nothing, or cannot be taken back. `was` holds what the
 * row left: the reverse is only made while the record still says so.
 */
export function reverseOf(row: JobRow): Reverse | undefined {
  const resource = resourceNamed(row.resource);
  const verb = resource.operations[row.operation]?.verb;
  switch (verb) {
    case 'create':
      return ofCreate(resource, row);
    case 'delete':
      return isSoft(resource) ? ofTurn(resource, row, 'undelete', true) : ofFinalDelete(resource, row);
    case 'undelete':
      return ofTurn(resource, row, 'delete', false);
    case 'update':
    case 'special':
      return ofUpdate(resource, row);
    case 'local':
      return ofLocal(resource, row);
    default:
      return undefined;
  }
}

/** A record that was there already (D12) was not made by the row. */
function ofCreate(resource: Resource, row: JobRow): Reverse | undefined {
  const id = row.result?.id ?? row.id;
  if (id === undefined || row.result?.before || !('delete' in resource.operations)) return undefined;
  const { body = {} } = row;
  return {
    resource: row.resource,
    operation: 'delete',
    id,
    ...placed(resource, row),
    was: left(resource, body, false),
  };
}

function ofTurn(resource: Resource, row: JobRow, operation: 'delete' | 'undelete', now: boolean): Reverse | undefined {
  const changed = row.result?.before && 'Deleted' in row.result.before;
  if (!changed || row.id === undefined || !(operation in resource.operations)) return undefined;
  return { resource: row.resource, operation, id: row.id, ...placed(resource, row), was: { Deleted: now } };
}

/** D8: the last image makes a new record, with the same ID where the service takes one. */
function ofFinalDelete(resource: Resource, row: JobRow): Reverse | undefined {
  const image = row.result?.before;
  if (!image || Object.keys(image).length === 0) return undefined;
  const { ID, ...body } = writableBody(resource, image);
  const id = takesID(resource) && typeof ID === 'string' ? { id: ID } : {};
  return { resource: row.resource, operation: 'create', ...id, body };
}

/** The changed members as they were, by the address that the row took. */
function ofUpdate(resource: Resource, row: JobRow): Reverse | undefined {
  const { before = {} } = row.result ?? {};
  const isNamed = row.id !== undefined || row.params !== undefined;
  if (Object.keys(before).length === 0 || !isNamed) return undefined;
  const sent = row.patch ?? row.body ?? {};
  const changed = Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(before, name)));
  return {
    resource: row.resource,
    operation: row.operation,
    ...(row.by === undefined ? {} : { by: row.by }),
    ...(row.params ? { params: row.params } : {}),
    ...(row.id === undefined ? {} : { id: row.id }),
    patch: before,
    ...placed(resource, row),
    was: left(resource, changed, false),
  };
}

/** By the opposite operation, where there is one. */
function ofLocal({ operations }: Resource, { resource, operation, id, body }: JobRow): Reverse | undefined {
  const reverse = operations[operation]?.reverse;
  if (reverse === undefined) return undefined;
  return { resource, operation: reverse, ...(id === undefined ? {} : { id }), ...(body ? { body } : {}) };
}

/** Where the row left it. */
function placed(resource: Resource, { was, place, patch, body }: JobRow): Pick<PlannedRow, 'place'> {
  const known = placeIn(resource, was, place, body, patch);
  return Object.keys(known).length > 0 ? { place: known } : {};
}

/** What a row left behind, as far as it can be read again. */
function left(resource: Resource, sent: Readonly<Record<string, unknown>>, deleted: boolean): Row {
  const members: Record<string, Value> = 'Deleted' in resource.fields ? { Deleted: deleted } : {};
  for (const [name, value] of Object.entries(sent)) {
    const field = resource.fields[name];
    const hidden = field ? field.writeOnly || field.rule === 'read-only' || name === 'ID' : !resource.open;
    // Bodies hold what the contract lets them hold: the values of a record.
    if (!hidden) members[name] = (value ?? null) as Value;
  }
  return members;
}
