// What belongs to records, directly or through others (D6): what a wave of owners reaches, and then the wave of that.
import { ownedBy, ownersOf } from '../../../contract/record-address.ts';
import { oncePer } from '../../../text/once-per.ts';
import type { Reads } from '../port.ts';
import type { Schema, Table } from '../schema/tables.ts';
import type { Part } from './dialect.ts';
import { quoted, typed } from './statements.ts';
import { all, type Stepped, type Steps } from './steps.ts';

/** IDs by resource; those of individuals also as `principal`. */
export type Wave = ReadonlyMap<string, readonly string[]>;

/** A table whose records belong to others. */
export interface OwnedTable {
  readonly table: Table;
  readonly owners: readonly { readonly field: string; readonly targets: readonly string[] }[];
  /** May anything belong to its records? */
  readonly isOwner: boolean;
  /** SQL: in the site, and owned by one of the wave. */
  readonly isReached: string;
}

const ownedTables = oncePer((schema: Schema): readonly OwnedTable[] =>
  schema.tables.flatMap((table) => {
    const owners = ownersOf(table.resource);
    return owners.length === 0 ? [] : [{ table, owners, isOwner: isOwner(schema, table), isReached: isReached(table) }];
  }),
);

const isOwner = (schema: Schema, table: Table): boolean =>
  ownedBy(
    schema.tables.map(({ resource }) => resource),
    table.name,
  ).length > 0;

/** By one field after another, since of several in one condition SQLite uses no index. */
function isReached(table: Table): string {
  const one = (field: string): string => `"SiteID" = ? AND ${table.dialect.isAny(typed(table, field))}`;
  const conditions = ownersOf(table.resource).map(({ field }) => one(field));
  const found = conditions.map((condition) => `SELECT "ID" FROM ${quoted(table.name)} WHERE ${condition}`);
  return conditions.length === 1 ? conditions.join() : `"SiteID" = ? AND "ID" IN (${found.join(' UNION ALL ')})`;
}

/** The statements of the tables that the wave reaches; each binds what `isReached` does. */
export function statementsOn(
  schema: Schema,
  site: string,
  wave: Wave,
  sqlOf: (owned: OwnedTable) => Pick<Part, 'sql' | 'isSilent'>,
): readonly Part[] {
  const parts = ownedTables(schema).flatMap((owned): Part[] => {
    const lists = owned.owners.map(({ targets }) => targets.flatMap((target) => wave.get(target) ?? []));
    if (lists.every((ids) => ids.length === 0)) return [];
    const params = lists.flatMap((ids) => [site, JSON.stringify(ids)]);
    return [{ ...sqlOf(owned), params: lists.length === 1 ? params : [site, ...params] }];
  });
  return schema.dialect.together(parts);
}

/** A permission row names its principal by the UserID, not by the ID (D18). */
export const PRINCIPAL = { target: 'principal', resource: 'individual', id: 'UserID' } as const;

/** The wave with the principals that its individuals are. */
export function* withPrincipals({ dialect }: Schema, site: string, wave: Wave): Steps<Wave> {
  const individuals = wave.get(PRINCIPAL.resource) ?? [];
  if (individuals.length === 0) return wave;
  const isWanted = dialect.isAny({ name: quoted('ID'), type: 'TEXT' });
  const sql = `SELECT "${PRINCIPAL.id}" FROM "${PRINCIPAL.resource}" WHERE "SiteID" = ? AND ${isWanted}`;
  const found = yield* all(sql, [site, JSON.stringify(individuals)]);
  return new Map([...wave, [PRINCIPAL.target, found.map(([id]) => String(id))]]);
}

/** The owners among some IDs, by each field that may name one of them. */
export const owningIn = (schema: Schema): Stepped<Reads>['owning'] =>
  function* (resource, site, ids) {
    const asked = schema.tables.flatMap((table) =>
      ownersOf(table.resource)
        .filter(({ targets }) => targets.includes(resource))
        .map(({ field }) => selectOwners(table, field)),
    );
    if (asked.length === 0) return [];
    const params = asked.flatMap(() => [site, JSON.stringify(ids)]);
    return (yield* all(asked.join(' UNION '), params)).map(([id]) => String(id));
  };

const selectOwners = (table: Table, field: string): string =>
  `SELECT ${quoted(field)} FROM ${quoted(table.name)} WHERE "SiteID" = ? AND ${table.dialect.isAny(typed(table, field))}`;
