// The SQL of a store, the same on each of its connections.
import { once } from '../../text/once-per.ts';
import { jobTablesIn } from './journal/job-store.ts';
import type { Schema } from './schema/tables.ts';
import { readsIn } from './sql/reads.ts';
import { writesIn } from './sql/writes.ts';

export type Logic = ReturnType<typeof logicOf>;

/** `place` names the database in errors. A command that only reads loads neither what writes nor the journal. */
export function logicOf(place: string, schema: Schema) {
  const writes = once(() => writesIn(schema));
  const tables = once(() => jobTablesIn(place, schema.dialect));
  return {
    schema,
    reads: readsIn(place, schema),
    get writes() {
      return writes();
    },
    get tables() {
      return tables();
    },
  };
}
