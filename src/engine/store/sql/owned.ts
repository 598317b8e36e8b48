// What belongs to a record, directly or through others, as a deletion of it would reach it (D6), without a change.
import { oncePer } from '../../../text/once-per.ts';
import type { Reads } from '../port.ts';
import type { Schema } from '../schema/tables.ts';
import { quoted } from './statements.ts';
import { all, type Stepped } from './steps.ts';
import { type OwnedTable, reached, reachedBy, type Wave, withPrincipals } from './waves.ts';

/** The cascade marks what is not hidden yet; what is deleted itself does not become less visible by it. */
const belowSql = oncePer(({ table, isReached }: OwnedTable): string => {
  const isVisible = table.marks.map((mark) => ` AND ${quoted(mark)} = 0`).join('');
  return `SELECT ${reached(table)} FROM ${quoted(table.name)} WHERE ${isReached}${isVisible}`;
});

export const ownedIn = (schema: Schema): Stepped<Reads>['owned'] =>
  function* (site, resource, id) {
    const found = new Map([[resource, new Set([id])]]);
    let wave: Wave = new Map([[resource, [id]]]);
    while (wave.size > 0) {
      const next = new Map<string, string[]>();
      const owners = yield* withPrincipals(schema, site, wave);
      for (const [kind, one] of yield* reachedBy(schema, site, owners, belowSql, all)) {
        const [name, fresh] = [String(kind), String(one)];
        const known = found.get(name) ?? new Set();
        if (known.has(fresh)) continue;
        found.set(name, known.add(fresh));
        next.set(name, [...(next.get(name) ?? []), fresh]);
      }
      wave = next;
    }
    found.get(resource)?.delete(id);
    return new Map([...found].flatMap(([name, ids]) => (ids.size > 0 ? [[name, [...ids]]] : [])));
  };
