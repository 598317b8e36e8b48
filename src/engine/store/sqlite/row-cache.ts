// What a piece of a transaction reads again and again, as the owner of a thousand new records: read once, and forgotten at
// the first write that may change it.

import type { Stored } from '../port.ts';
import type { Reads } from '../sql/reads.ts';
import type { Connection } from './connection.ts';

export interface RowCache {
  /** The same connection, whose writes are noticed. */
  readonly connection: Connection;
  /** The same reads, which remember single records. */
  readonly reads: Reads;
  /** To be called where others may have written meanwhile. */
  clear(): void;
}

/** So many records are held, whatever is read. */
const MAX_ROWS = 1_000;
/** No record that was read is changed by another one that is added, nor by the beginning or the good end of an attempt. */
const KEEPS_ROWS = /^(?:INSERT|SAVEPOINT|RELEASE)/;

export function withRowCache(connection: Connection, readsOn: (connection: Connection) => Reads): RowCache {
  const reads = readsOn(connection);
  const known = new Map<string, Stored>();
  const clear = (): void => known.clear();
  return {
    clear,
    connection: {
      ...connection,
      run(sql, params) {
        if (known.size > 0 && !KEEPS_ROWS.test(sql)) clear();
        return connection.run(sql, params);
      },
    },
    reads: {
      ...reads,
      get(resource, site, id) {
        const key = `${resource} ${site} ${id}`;
        const row = known.get(key) ?? reads.get(resource, site, id);
        if (known.size >= MAX_ROWS) clear();
        if (row) known.set(key, row);
        return row;
      },
    },
  };
}
