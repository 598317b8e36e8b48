// Caches single records inside a transaction, such as the owner of a thousand new records.
import type { Stored } from '../port.ts';
import type { SqlReads } from '../sql/reads.ts';
import type { Connection } from './connection.ts';

interface RowCache {
  /** The same connection; its writes clear the cache where they may change a cached record. */
  readonly connection: Connection;
  /** The same reads, with cached single records. */
  readonly reads: SqlReads;
  /** To be called where others may have written meanwhile. */
  clear(): void;
}

const MAX_ROWS = 1_000;
/** Statements that change no stored record: insertions, and the begin and the commit of a savepoint. */
const KEEPS_ROWS = /^(?:INSERT|SAVEPOINT|RELEASE)/;

export function withRowCache(connection: Connection, readsOn: (connection: Connection) => SqlReads): RowCache {
  const reads = readsOn(connection);
  const rows = new Map<string, Stored>();
  const clear = (): void => rows.clear();
  return {
    clear,
    connection: {
      ...connection,
      run(sql, params) {
        if (rows.size > 0 && !KEEPS_ROWS.test(sql)) clear();
        return connection.run(sql, params);
      },
    },
    reads: {
      ...reads,
      get(resource, site, id) {
        const key = `${resource} ${site} ${id}`;
        const row = rows.get(key) ?? reads.get(resource, site, id);
        if (rows.size >= MAX_ROWS) clear();
        if (row) rows.set(key, row);
        return row;
      },
    },
  };
}
