// What the rows of a batch read, for the engine to read ahead.
import type { BatchReads } from '../../contract/call.ts';
import type { Field } from '../../contract/field.ts';
import { resourceNamed, storedResources } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { guidsIn, idKey } from '../../contract/kinds.ts';
import type { Row } from '../../contract/resource.ts';
import { imageFields, imageIn, isOfSite } from '../../files/image.ts';
import { alsoOf } from '../plan/current-record.ts';

type IDs = Map<string, Set<string>>;

type Reads = Readonly<Record<keyof BatchReads, IDs>>;

export function readsOf(rows: readonly PlannedRow[]): BatchReads {
  const none = (): IDs => new Map();
  const reads: Reads = { changed: none(), deleted: none(), takenOut: none(), made: none(), named: none() };
  for (const row of rows) {
    const { fields, operations } = resourceNamed(row.resource);
    const verb = operations[row.operation]?.verb;
    const ofVerb = verb === 'create' ? 'made' : verb === 'delete' || verb === 'undelete' ? 'deleted' : 'changed';
    if (row.id !== undefined) add(reads[ofVerb], row.resource, row.id);
    for (const one of alsoOf(row)) if (one.id !== undefined) add(reads.changed, one.resource, one.id);
    for (const values of [row.body, row.patch]) addNamed(reads.named, fields, values ?? {});
    if (row.operation === 'restore' || row.operation === 'unrestore') addRestored(reads, row);
  }
  return reads;
}

/** A restored record is new, unless it takes the place of another one; the reverse finds it there. */
function addRestored(reads: Reads, { operation, body = {} }: PlannedRow): void {
  const resource = storedResources.find(({ name }) => name === body.Type);
  if (!resource || isOfSite(resource)) return;
  const isNew = operation === 'restore' && body.Instead == null;
  for (const image of [imageIn(body.Record), imageIn(body.Instead)]) {
    if (!image) continue;
    if (typeof image.ID === 'string') add(isNew ? reads.made : reads.changed, resource.name, image.ID);
    if (operation === 'unrestore') addTakenOut(reads.takenOut, resource.name, image);
    addNamed(reads.named, imageFields(resource), image);
  }
}

function addTakenOut(all: IDs, resource: string, { ID, UserID }: Row): void {
  if (typeof ID === 'string') add(all, resource, ID);
  if (typeof UserID === 'string') add(all, 'principal', UserID);
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

function add(all: IDs, resource: string, id: string): void {
  const ids = all.get(resource) ?? new Set();
  all.set(resource, ids.add(idKey(id)));
}
