// The reads of a batch: known records are answered at once. A read that may see a waiting write has it sent before.
import { resourceNamed } from '../../contract/index.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { isGone } from '../../contract/resource.ts';
import type { Query, Reader, Stored, Writer } from '../store/port.ts';
import { type KnownRecords, UNKNOWN } from './known-records.ts';
import type { PendingWrites } from './pending-writes.ts';

export interface Batch {
  readonly writer: Writer;
  readonly known: KnownRecords;
  readonly pending: PendingWrites;
  flush(): Promise<void>;
}

/**
 * Is it known that no waiting deletion changes this record? They change records below their own alone, so that the owners of
 * this one tell; and it keeps its owners while they wait.
 */
export function isApart({ known, pending }: Batch, resource: string, site: string, id: string): boolean {
  const seen = new Set<string>();
  const mayHide = (owner: string, one: string): boolean =>
    owner === 'principal' || pending.isRoot(owner, one) || (pending.hides(owner) && !isClear(owner, one));
  const isClear = (name: string, one: string): boolean => {
    if (!known.has(name, site, one)) return false;
    if (seen.has(one)) return true;
    seen.add(one);
    const row = known.get(name, site, one);
    return ownersOf(resourceNamed(name)).every(({ field, targets }) => {
      const owner = row?.[field] ?? null;
      return owner === null || !targets.some((target) => mayHide(target, String(owner)));
    });
  };
  return !pending.hides(resource) || isClear(resource, id);
}

type BatchReader = Pick<Reader, 'isLive' | 'get' | 'kindOf' | 'isTaken' | 'takenAmong' | 'grants' | 'find' | 'iterate'>;

export function readsOf(batch: Batch): BatchReader {
  const { writer, known, pending, flush } = batch;
  const flushFor = async (query: Query): Promise<void> => {
    if (sees(query, pending)) await flush();
  };
  /** Who looks for an ID in the store does not find it where its record was removed. */
  const flushRemovals = async (): Promise<void> => {
    if (pending.hasRemovals()) await flush();
  };
  const isTaken = async (resources: readonly string[], site: string, id: string): Promise<boolean> => {
    const is = known.isTaken(site, id);
    if (is !== undefined) return is;
    await flushRemovals();
    return writer.isTaken(resources, site, id);
  };
  return {
    isTaken,
    isLive(resource, site, id) {
      const row = known.get(resource, site, id);
      return row !== undefined && !isGone(row) && isApart(batch, resource, site, id);
    },
    async get(resource, site, id) {
      if (!isApart(batch, resource, site, id)) await flush();
      if (!known.has(resource, site, id)) known.set(resource, site, id, await writer.get(resource, site, id));
      return known.get(resource, site, id);
    },
    async kindOf(resources, site, id) {
      const kind = known.kindOf(resources, site, id);
      if (kind !== UNKNOWN) return kind;
      await flushRemovals();
      const found = await writer.kindOf(resources, site, id);
      if (found !== undefined) known.setKind(site, id, found);
      return found;
    },
    async takenAmong(resources, site, ids) {
      const taken: string[] = [];
      for (const id of ids) if (await isTaken(resources, site, id)) taken.push(id);
      return taken;
    },
    async grants(site, individual) {
      const key = `${site} ${individual}`;
      const found = known.grants.get(key);
      if (found) return found;
      await flush();
      const grants = await writer.grants(site, individual);
      known.grants.set(key, grants);
      return grants;
    },
    async find(query) {
      const list = pending.hides(query.resource) ? undefined : listedIn(known, query);
      if (list) return list;
      await flushFor(query);
      return writer.find(query);
    },
    async *iterate(query) {
      await flushFor(query);
      yield* writer.iterate(query);
    },
  };
}

/** The records of a query for all that name one record by one field, where they were read ahead. */
function listedIn(known: KnownRecords, query: Query): readonly Stored[] | undefined {
  const { resource, site, equals = {}, deleted, ordered = false, limit, ...others } = query;
  const [named, more] = Object.entries(equals);
  if (site === undefined || !named || more || deleted === 1 || Object.values(others).some((one) => one !== undefined))
    return undefined;
  const [field, id] = named;
  const rows = typeof id === 'string' ? known.naming({ resource, site, field }, id) : undefined;
  const found = deleted === 2 ? rows : rows?.filter((row) => !isGone(row));
  // Their order only the store knows.
  return ordered && found && found.length > 1 ? undefined : found?.slice(0, limit);
}

/** May a query see a waiting write? */
function sees({ resource, equals = {}, among, readFilter }: Query, pending: PendingWrites): boolean {
  if (readFilter || pending.hides(resource) || pending.mayMatch(resource, equals)) return true;
  return among?.sources.some((one) => pending.touches(one.resource) || pending.hides(one.resource)) ?? false;
}
