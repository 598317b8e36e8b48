// What a row changed in its record: read off the answer and the record as it was before.
import { isWritable } from '../../contract/field.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { sameID } from '../../contract/kinds.ts';
import type { Operation } from '../../contract/operation.ts';
import { isSoft, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { defined, nonEmpty } from '../../text/defined.ts';
import { isSame, isUnaltered } from '../plan/drift.ts';

export interface Effect {
  readonly after: Row;
  /** The ID that the service gave, where it is another one than the row's. */
  readonly id?: string | undefined;
  /** The members that changed, as they were; of a final deletion the whole record. */
  readonly before?: Row | undefined;
  /** Those of them that are otherwise than they were sent, as they are now. */
  readonly left?: Row | undefined;
}

/** What a row changed: `now` is its record before, `after` the answer; an empty one says nothing. */
export function effectOf(
  resource: Resource,
  operation: Operation,
  row: PlannedRow,
  now: Row | undefined,
  after: Row,
): Effect {
  switch (operation.verb) {
    case 'create':
      return createEffect(row, now, after);
    case 'delete':
      return { after, before: isSoft(resource) ? deletedBefore(resource, now, false) : (now ?? {}) };
    case 'undelete':
      return { after, before: deletedBefore(resource, now, true) };
    default:
      return now ? changeEffect(resource, operation, row, now, after) : { after };
  }
}

/** A record that existed already (D12) was not made by this row: it is kept as `before`. */
function createEffect(row: PlannedRow, now: Row | undefined, after: Row): Effect {
  const id = after.ID == null || sameID(after.ID, row.id) ? undefined : String(after.ID);
  return { after, id, before: now };
}

/** The value of `Deleted` before; empty where it does not change (D7). */
function deletedBefore(resource: Resource, now: Row | undefined, from: boolean): Row {
  // A single read does not show deleted records (D5).
  const stood = now ? now.Deleted === true : from || resource.operations.get?.routes.plain !== undefined;
  return stood === from ? { Deleted: from } : {};
}

function changeEffect(resource: Resource, operation: Operation, row: PlannedRow, now: Row, after: Row): Effect {
  const before = changedBefore(resource, operation, row, now, after);
  const sent: Readonly<Record<string, unknown>> = row.patch ?? row.body ?? {};
  const other = Object.keys(before).filter((name) => !isSame(resource, name, sent[name], after[name]));
  const left = Object.keys(after).length === 0 ? [] : other.map((name) => [name, after[name] ?? null] as const);
  return defined({ after, before, left: nonEmpty(Object.fromEntries(left)) });
}

/** The writable members that changed, as they were. What the answer to an update leaves out is null in the record. */
function changedBefore(resource: Resource, { verb }: Operation, row: PlannedRow, now: Row, after: Row): Row {
  const before: Record<string, Value> = {};
  const said = nonEmpty(after);
  const values: Readonly<Record<string, unknown>> = said ?? row.patch ?? {};
  const compare = (name: string): void => {
    const field = resource.fields[name];
    if (field && (!isWritable(field) || field.writeOnly)) return;
    if (!isUnaltered(resource, name, now[name], values[name])) before[name] = now[name] ?? null;
  };
  for (const name in values) compare(name);
  if (said && verb === 'update') for (const name in now) if (!(name in said)) compare(name);
  return before;
}
