// What belongs to a record, directly or through others, as a deletion of it would reach it (D6), without a change.
import { ownersOf } from '../../../contract/record-address.ts';
import { oncePer } from '../../../text/once-per.ts';
import type { Reads } from '../port.ts';
import type { Schema, Table } from '../schema/tables.ts';
import { quoted } from './statements.ts';
import { all, type Stepped, type Steps } from './steps.ts';

/** The cascade marks what is not hidden yet; what is deleted itself does not become less visible by it. */
const belowSql = (table: Table, field: string): string =>
  `SELECT "ID" FROM ${quoted(table.name)} WHERE ${[
    `"SiteID" = ? AND ${quoted(field)} IN (SELECT value FROM json_each(?))`,
    ...table.marks.map((mark) => `${quoted(mark)} = 0`),
  ].join(' AND ')}`;

/** Permission rows name an individual by its UserID (D18). */
const PRINCIPALS = 'SELECT "UserID" FROM "individual" WHERE "SiteID" = ? AND "ID" IN (SELECT value FROM json_each(?))';

interface Edge {
  readonly name: string;
  readonly targets: readonly string[];
  readonly sql: string;
}

const edgesOf = oncePer((schema: Schema): readonly Edge[] =>
  schema.tables.flatMap((table) =>
    ownersOf(table.resource).map(({ field, targets }) => ({
      name: table.name,
      targets,
      sql: belowSql(table, field),
    })),
  ),
);

export const ownedIn = (schema: Schema): Stepped<Reads>['owned'] =>
  function* (site, resource, id) {
    const found = new Map<string, Set<string>>();
    let wave = new Map([[resource, [id]]]);
    while (wave.size > 0) {
      wave.set('principal', yield* texts(PRINCIPALS, site, wave.get('individual') ?? []));
      const next = new Map<string, string[]>();
      for (const { name, targets, sql } of edgesOf(schema)) {
        const owners = targets.flatMap((target) => wave.get(target) ?? []);
        const known = found.get(name) ?? new Set(name === resource ? [id] : []);
        const isNew = (one: string): boolean => !known.has(one);
        const fresh = owners.length === 0 ? [] : [...new Set(yield* texts(sql, site, owners))].filter(isNew);
        if (fresh.length === 0) continue;
        for (const one of fresh) known.add(one);
        found.set(name, known);
        next.set(name, [...(next.get(name) ?? []), ...fresh]);
      }
      wave = next;
    }
    found.get(resource)?.delete(id);
    return new Map([...found].map(([name, ids]) => [name, [...ids]]));
  };

function* texts(sql: string, site: string, ids: readonly string[]): Steps<string[]> {
  return (yield* all(sql, [site, JSON.stringify(ids)])).map(([value]) => String(value));
}
