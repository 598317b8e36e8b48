// Runs a batch of changes: finds out which records they will need, and has the store read these ahead.
import type { BatchReads, IDsByResource } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import { guidsIn } from '../../contract/kinds.ts';
import type { Resource } from '../../contract/resource.ts';
import { valueAt } from '../../text/once-per.ts';
import { referencesOf } from '../records/references.ts';
import { rulesFor } from '../rules/index.ts';
import type { Stored, Writer } from '../store/port.ts';
import { type BatchWriter, batchWriterOn } from './batch-writer.ts';
import { isTree } from './pending-writes.ts';

/** Runs work on many records of one site. */
export async function inBatch<T>(
  writer: Writer,
  site: string,
  reads: BatchReads,
  work: (writer: Writer) => T | Promise<T>,
): Promise<T> {
  const batch = batchWriterOn(writer);
  await readAhead(batch, site, reads);
  const answer = await work(batch.writer);
  await batch.end();
  return answer;
}

async function readAhead(batch: BatchWriter, site: string, reads: BatchReads): Promise<void> {
  const { changed, deleted, made, named } = reads;
  const existing = [...changed, ...deleted];
  const records = new Map([...named].map(([resource, ids]) => [resource, new Set(ids)]));
  for (const [resource, ids] of existing) for (const id of ids) addTo(records, resource, id);
  const owning = new Map([...deleted].filter(([resource]) => answersOwned(resource)));
  const lists = [...changed, ...made, ...owning].flatMap(listsOf);
  const naming = [...lists, ...usersIn(records)];
  await batch.readAhead(site, { records, made: withGuids(made), deleted: owning, naming });
  // The records that the changed ones name.
  const further = new Map<string, Set<string>>();
  for (const [resource, ids] of existing)
    for (const id of ids) addReferences(further, resourceNamed(resource), await batch.writer.get(resource, site, id));
  const users = usersIn(further);
  await batch.readAhead(site, { records: further, naming: users });
}

/**
 * Of a tree each record may be below another one, and a basic role is answered with its indicators. Of the others it is enough
 * to know whether they own any.
 */
const answersOwned = (resource: string): boolean => isTree(resource) || resource === 'basicRole';

/** The store gives the numbers of the others. */
const withGuids = (made: IDsByResource): IDsByResource =>
  new Map([...made].filter(([resource]) => resourceNamed(resource).id === 'guid'));

const listsOf = ([resource, ids]: readonly [string, ReadonlySet<string>]) =>
  (rulesFor(resourceNamed(resource)).lists ?? []).map((list) => ({ ...list, ids }));

/** A user is found by another ID than that of its record, by which people mistake it. */
function usersIn(records: Map<string, Set<string>>) {
  const ids = records.get('principal');
  records.delete('principal');
  for (const id of ids ?? []) addTo(records, 'individual', id);
  return ids ? [{ resource: 'individual', field: 'UserID', ids }] : [];
}

function addReferences(found: Map<string, Set<string>>, resource: Resource, row: Stored | undefined): void {
  for (const [name, { to = [], kind }] of referencesOf(resource)) {
    const value = row?.[name] ?? null;
    const ids = kind === 'guids' ? guidsIn(value) : [value];
    for (const target of to) for (const id of ids) addTo(found, target, id);
  }
}

function addTo(found: Map<string, Set<string>>, resource: string, id: unknown): void {
  if (typeof id !== 'string' && typeof id !== 'number') return;
  valueAt(found, resource, () => new Set()).add(String(id));
}
