// What the rows of a batch read, for the engine to read ahead.
import type { BatchReads } from '../../contract/call.ts';
import type { Field } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { guidsIn, idKey } from '../../contract/kinds.ts';
import { alsoOf } from '../plan/current-record.ts';

type IDs = Map<string, Set<string>>;

export function readsOf(rows: readonly PlannedRow[]): BatchReads {
  const changed: IDs = new Map();
  const deleted: IDs = new Map();
  const made: IDs = new Map();
  const named: IDs = new Map();
  for (const row of rows) {
    const { fields, operations } = resourceNamed(row.resource);
    const verb = operations[row.operation]?.verb;
    const ofVerb = verb === 'create' ? made : verb === 'delete' || verb === 'undelete' ? deleted : changed;
    if (row.id !== undefined) add(ofVerb, row.resource, row.id);
    for (const one of alsoOf(row)) if (one.id !== undefined) add(changed, one.resource, one.id);
    for (const values of [row.body, row.patch]) addNamed(named, fields, values ?? {});
  }
  return { changed, deleted, made, named };
}

function addNamed(
  named: IDs,
  fields: Readonly<Record<string, Field>>,
  values: Readonly<Record<string, unknown>>,
): void {
  for (const name in values) {
    const { to = [], kind } = fields[name] ?? {};
    if (to.length === 0) continue;
    const value = values[name];
    const ids = kind === 'guids' && typeof value === 'string' ? guidsIn(value).map(String) : [value];
    for (const target of to) for (const id of ids) if (typeof id === 'string') add(named, target, id);
  }
}

/** A user is named by another ID than that of its record. */
function add(all: IDs, resource: string, id: string): void {
  if (resource === 'principal') return;
  const ids = all.get(resource) ?? new Set();
  all.set(resource, ids.add(idKey(id)));
}
