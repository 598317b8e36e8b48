// What a dry run prints: one row for each member that would change.
import type { Outcome } from '../changes/change.ts';
import { isWritable } from '../contract/field.ts';
import { isSoft, type Row } from '../contract/resource.ts';
import { type Context, rowsOf } from './context.ts';
import { nameIn, nameless, plannedShape } from './planned-shape.ts';

export async function printPlan(context: Context, outcomes: readonly Outcome[]): Promise<number> {
  const rows = outcomes.flatMap(rowsFor);
  await context.printWhole({
    shape: rows.some(({ Name }) => Name !== null) ? plannedShape() : nameless(plannedShape()),
    rows: rowsOf(rows),
    one: false,
  });
  if (rows.length === 0) context.note('Nothing would change.');
  return 0;
}

function rowsFor({ change, before, after }: Outcome): readonly Row[] {
  const { resource, operation } = change;
  const isFinal = operation.verb === 'delete' && !isSoft(resource);
  const fresh = operation.verb === 'create' || operation.many;
  const head = {
    Operation: operation.verb === 'special' ? operation.name : operation.verb,
    Name: nameIn(resource, { ...before, ...after }),
  };
  const tail = { Resource: resource.command, ID: fresh ? null : String(after.ID ?? change.id ?? '') };
  if (isFinal) return [{ ...head, Field: 'ID', Before: tail.ID, After: null, ...tail }];
  return Object.keys(resource.fields)
    .filter((name) => name !== 'ID' && shown(change, name) && !same(before?.[name], after[name]))
    .map((name) => ({ ...head, Field: name, Before: written(before?.[name]), After: written(after[name]), ...tail }));
}

/** Of a deletion its marks, otherwise what a body can set. */
function shown(change: Outcome['change'], name: string): boolean {
  const field = change.resource.fields[name];
  const mark = name === 'Deleted' || name === 'DeletedByRef';
  return change.operation.verb === 'delete' || change.operation.verb === 'undelete'
    ? mark
    : field !== undefined && isWritable(field);
}

const same = (a: unknown, b: unknown): boolean => (a ?? null) === (b ?? null);

const written = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
