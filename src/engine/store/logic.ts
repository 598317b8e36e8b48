// The SQL of a store, the same on each of its connections.
import { jobTablesIn } from './journal/job-store.ts';
import type { Schema } from './schema/tables.ts';
import { readsIn } from './sql/reads.ts';
import { writesIn } from './sql/writes.ts';

export type Logic = ReturnType<typeof logicOf>;

/** `place` names the database in errors. */
export const logicOf = (place: string, schema: Schema) => ({
  schema,
  reads: readsIn(place, schema),
  writes: writesIn(schema),
  tables: jobTablesIn(place, schema.dialect),
});
