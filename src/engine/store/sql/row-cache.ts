// Caches single records inside a transaction, such as the owner of a thousand new records, and permission rows of callers.
import type { Grant, Reads, Stored } from '../port.ts';
import type { Stepped } from './steps.ts';

export interface RowCache {
  /** The same reads, with cached single records. */
  readonly reads: Stepped<Reads>;
  /** Goes on with what another cache of the same transaction has read, and answers what it reads into from now on. */
  share(cached: Cached | undefined): Cached;
  /** To be called before each writing statement: clears the cache where that may change a cached record. */
  writing(sql: string, params: readonly unknown[]): void;
  /** To be called where others may have written meanwhile. */
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
/** A change of one record by its key, which is bound last: the site, and the ID. */
const ONE_ROW = /^UPDATE "(\w+)" SET (.*) WHERE "SiteID" = \? AND "ID" = \?$/;
/** Insertions, and the begin and the commit of a savepoint, change no stored record. */
const KEEPS_ROWS = /^(?:INSERT|SAVEPOINT|RELEASE|WITH(?!.*(?<!DO )(?:UPDATE|DELETE) ))/s;
const ADDS_GRANTS = /\bINSERT INTO "?(?:permission|group_member)\b/;

/** What a statement leaves of the cache. */
interface Effect {
  /** The table of the one record that it changes. */
  readonly table?: string;
  readonly keepsRows: boolean;
  readonly keepsGrants: boolean;
}

function effectOf(sql: string): Effect {
  const [, table, set = ''] = ONE_ROW.exec(sql) ?? [];
  if (table === undefined) {
    const keepsRows = KEEPS_ROWS.test(sql);
    return { keepsRows, keepsGrants: keepsRows && !ADDS_GRANTS.test(sql) };
  }
  // Grants are of individuals and groups that are live; a newest comment changes none.
  const keepsGrants =
    table !== 'permission' && table !== 'securityGroup' && !/"(?:Deleted|DeletedByRef|UserID)"/.test(set);
  return { table, keepsRows: true, keepsGrants };
}

export function rowCacheOver(reads: Stepped<Reads>): RowCache {
  let { rows, grants }: Cached = { rows: new Map(), grants: new Map() };
  const effects = new Map<string, Effect>();
  const clear = (): void => {
    rows.clear();
    grants.clear();
  };
  return {
    clear,
    share(cached) {
      ({ rows, grants } = cached ?? { rows, grants });
      return { rows, grants };
    },
    writing(sql, params) {
      const effect = effects.get(sql) ?? effectOf(sql);
      effects.set(sql, effect);
      if (!effect.keepsRows) rows.clear();
      else if (effect.table) rows.delete(`${effect.table} ${params.at(-2)} ${params.at(-1)}`);
      if (!effect.keepsGrants) grants.clear();
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
