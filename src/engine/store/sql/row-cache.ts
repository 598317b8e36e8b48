// Caches single records inside a transaction, such as the owner of a thousand new records, and permission rows of callers.
import type { Grant, Reads, RecordChange, Stored, Writes } from '../port.ts';
import type { Stepped, Steps } from './steps.ts';

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
  const clearGrants = (): void => grants.clear();
  const added = (resource: string): void => {
    if (resource === 'permission') clearGrants();
  };
  const changed = (resource: string, site: string, all: readonly RecordChange[]): void => {
    for (const { id, changes } of all) {
      rows.delete(`${resource} ${site} ${id}`);
      const decides = resource === 'permission' || resource === 'securityGroup';
      if (decides || DECIDE_GRANTS.some((name) => name in changes)) clearGrants();
    }
  };
  return {
    clear,
    share(cached) {
      ({ rows, grants } = cached ?? { rows, grants });
      return { rows, grants };
    },
    writes: {
      ...writes,
      insert: dropping(writes.insert, added),
      insertMany: dropping(writes.insertMany, added),
      update: dropping(writes.update, (resource, site, id, changes) => changed(resource, site, [{ id, changes }])),
      updateMany: dropping(writes.updateMany, changed),
      remove: dropping(writes.remove, clear),
      setDeleted: dropping(writes.setDeleted, clear),
      addMember: dropping(writes.addMember, clearGrants),
      deleteMember: dropping(writes.deleteMember, clearGrants),
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

/** The same write. The cache drops the changed rows when the write has its turn, since reads may come before it. */
const dropping = <Args extends readonly unknown[], T>(
  write: (...args: Args) => Steps<T>,
  drop: (...args: Args) => void,
) =>
  function* (...args: Args): Steps<T> {
    drop(...args);
    return yield* write(...args);
  };
