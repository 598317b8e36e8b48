// Caches single records inside a transaction, such as the owner of a thousand new records, and permission rows of callers.
import type { Grant, Reads, RecordChange, Stored, Writes } from '../port.ts';
import type { Stepped } from './steps.ts';

export interface RowCache {
  /** The same reads, with cached single records. */
  readonly reads: Stepped<Reads>;
  /** The same writes, which drop what they change from the cache. */
  readonly writes: Stepped<Writes>;
  /** Goes on with what another cache of the same transaction has read, and answers what it reads into from now on. */
  share(cached: Cached | undefined): Cached;
  /** To be called where others may have written meanwhile, and where a savepoint was rolled back. */
  clear(): void;
}

export interface Cached {
  readonly rows: Map<string, Stored>;
  /** Permission rows, by site and individual. */
  readonly grants: Map<string, readonly Grant[]>;
}

const MAX_ROWS = 1_000;
/** Kinds that can own a record. */
const FEW = 8;
const NO_KINDS: readonly string[] = [];
/** Members by which an individual or a group gets its permission rows, or loses them. */
const DECIDE_GRANTS = ['Deleted', 'DeletedByRef', 'UserID'];

export function rowCacheOver(reads: Stepped<Reads>, writes: Stepped<Writes>): RowCache {
  let { rows, grants }: Cached = { rows: new Map(), grants: new Map() };
  const clear = (): void => {
    rows.clear();
    grants.clear();
  };
  const changed = (resource: string, site: string, { id, changes }: RecordChange): void => {
    rows.delete(`${resource} ${site} ${id}`);
    const decides = resource === 'permission' || resource === 'securityGroup';
    if (decides || DECIDE_GRANTS.some((name) => name in changes)) grants.clear();
  };
  return {
    clear,
    share(cached) {
      ({ rows, grants } = cached ?? { rows, grants });
      return { rows, grants };
    },
    writes: {
      ...writes,
      *insert(resource, row) {
        if (resource === 'permission') grants.clear();
        return yield* writes.insert(resource, row);
      },
      *insertMany(resource, some) {
        if (resource === 'permission') grants.clear();
        yield* writes.insertMany(resource, some);
      },
      *update(resource, site, id, changes) {
        changed(resource, site, { id, changes });
        yield* writes.update(resource, site, id, changes);
      },
      *updateMany(resource, site, all) {
        for (const one of all) changed(resource, site, one);
        yield* writes.updateMany(resource, site, all);
      },
      *remove(resource, site, ids) {
        clear();
        yield* writes.remove(resource, site, ids);
      },
      *setDeleted(...args) {
        clear();
        yield* writes.setDeleted(...args);
      },
      *addMember(site, group, individual) {
        grants.clear();
        yield* writes.addMember(site, group, individual);
      },
      *deleteMember(site, group, individual) {
        grants.clear();
        yield* writes.deleteMember(site, group, individual);
      },
    },
    reads: {
      ...reads,
      *get(resource, site, id) {
        const key = `${resource} ${site} ${id}`;
        const row = rows.get(key) ?? (yield* reads.get(resource, site, id));
        if (rows.size >= MAX_ROWS) clear();
        if (row) rows.set(key, row);
        return row;
      },
      *kindOf(resources, site, id) {
        // Among all kinds a new record is looked for, which is not there.
        const known = resources.length > FEW ? NO_KINDS : resources;
        const found = known.find((resource) => rows.has(`${resource} ${site} ${id}`));
        return found ?? (yield* reads.kindOf(resources, site, id));
      },
      *grants(site, individual) {
        const key = `${site} ${individual}`;
        const found = grants.get(key) ?? (yield* reads.grants(site, individual));
        if (grants.size >= MAX_ROWS) grants.clear();
        grants.set(key, found);
        return found;
      },
    },
  };
}
