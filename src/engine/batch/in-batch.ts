// What a batch of changes reads: turned into what the store reads ahead.
import type { BatchReads, IDsByResource } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import { guidsIn } from '../../contract/kinds.ts';
import type { Resource } from '../../contract/resource.ts';
import { WITH_GUID } from '../records/bodies.ts';
import { referencesOf } from '../records/references.ts';
import { rulesFor } from '../rules/index.ts';
import type { Stored, Writer } from '../store/port.ts';
import { type BatchWriter, batchWriterOn } from './batch-writer.ts';
import { isTree } from './deletion-reach.ts';

/** Runs work on many records of one site. */
export async function inBatch<T>(
  writer: Writer,
  site: string,
  reads: BatchReads,
  work: (writer: Writer) => Promise<T>,
): Promise<T> {
  const batch = batchWriterOn(writer);
  await readAhead(batch, site, reads);
  const answer = await work(batch.writer);
  await batch.flush();
  return answer;
}

async function readAhead(batch: BatchWriter, site: string, reads: BatchReads): Promise<void> {
  const { changed, deleted, made, named } = reads;
  const existing = [...changed, ...deleted];
  const records = new Map([...named].map(([resource, ids]) => [resource, new Set(ids)]));
  for (const [resource, ids] of existing) for (const id of ids) addTo(records, resource, id);
  const naming = [...listsOf(changed), ...listsOf(made)];
  await batch.readAhead(site, { records, made: withGuids(made), kinds: WITH_GUID, deleted: treesIn(deleted), naming });
  // What the changed records name themselves.
  const further = new Map<string, Set<string>>();
  for (const [resource, ids] of existing) {
    for (const id of ids) addReferences(further, resourceNamed(resource), await batch.writer.get(resource, site, id));
  }
  await batch.readAhead(site, { records: further, made: NOTHING, kinds: [], deleted: NOTHING, naming: [] });
}

const NOTHING: IDsByResource = new Map();

/** Of a tree each record may be below another one; of the others it is enough to know what they may own. */
const treesIn = (deleted: IDsByResource): IDsByResource =>
  new Map([...deleted].filter(([resource]) => isTree(resource)));

/** The store gives the numbers of the others. */
const withGuids = (made: IDsByResource): IDsByResource =>
  new Map([...made].filter(([resource]) => resourceNamed(resource).id === 'guid'));

const listsOf = (owners: IDsByResource) =>
  [...owners].flatMap(([resource, ids]) =>
    (rulesFor(resourceNamed(resource)).lists ?? []).map((list) => ({ ...list, ids })),
  );

function addReferences(found: Map<string, Set<string>>, resource: Resource, row: Stored | undefined): void {
  for (const [name, { to = [], kind }] of referencesOf(resource)) {
    const value = row?.[name] ?? null;
    const ids = kind === 'guids' ? guidsIn(value) : [value];
    for (const target of to) for (const id of ids) addTo(found, target, id);
  }
}

/** A user is found by another ID than that of its record. */
function addTo(found: Map<string, Set<string>>, resource: string, id: unknown): void {
  if (resource === 'principal' || (typeof id !== 'string' && typeof id !== 'number')) return;
  const ids = found.get(resource) ?? new Set();
  found.set(resource, ids.add(String(id)));
}
