// What a piece of a transaction reads again and again, as the owner of a thousand new records: read once, and forgotten at
// the first write that may change it.

import type { Stored } from '../port.ts';
import type { Reads } from '../sql/reads.ts';
import type { Connection } from './connection.ts';

export interface Remembered {
  /** The same connection, whose writes are noticed. */
  readonly connection: Connection;
  /** The same reads, which remember single records. */
  readonly reads: Reads;
  /** To be called where others may have written meanwhile. */
  forget(): void;
}

/** So many records are held, whatever is read. */
const MOST = 1_000;
/** No record that was read is changed by another one that is added, nor by the beginning or the good end of an attempt. */
const HARMLESS = /^(?:INSERT|SAVEPOINT|RELEASE)/;

export function remembering(connection: Connection, readsOn: (connection: Connection) => Reads): Remembered {
  const reads = readsOn(connection);
  const known = new Map<string, Stored>();
  const forget = (): void => known.clear();
  return {
    forget,
    connection: {
      ...connection,
      run(sql, params) {
        if (known.size > 0 && !HARMLESS.test(sql)) forget();
        return connection.run(sql, params);
      },
    },
    reads: {
      ...reads,
      get(resource, site, id) {
        const key = `${resource} ${site} ${id}`;
        const row = known.get(key) ?? reads.get(resource, site, id);
        if (known.size >= MOST) forget();
        if (row) known.set(key, row);
        return row;
      },
    },
  };
}
