// Deletion by reference (D6): walks down from one record in waves. A record that comes back does so after its owners, so
// that each wave must see what the one before has done.
import { ownersOf } from '../../../contract/record-address.ts';
import { oncePer } from '../../../text/once-per.ts';
import type { Writes } from '../port.ts';
import type { Schema, Table } from '../schema/tables.ts';
import { quoted } from './statements.ts';
import { returning, type Stepped } from './steps.ts';
import { type OwnedTable, PRINCIPAL, reached, reachedBy, type Wave, withPrincipals } from './waves.ts';

/** The statements are made for the first cascade. */
export function cascadeIn(schema: Schema): Stepped<Writes>['cascade'] {
  const [gone, back] = [oncePer(goneSql), oncePer((owned: OwnedTable) => backSql(schema, owned))];
  return function* (site, resource, id, isGone) {
    let changed = 0;
    let wave: Wave = new Map([[resource, [id]]]);
    while (wave.size > 0) {
      const owners = yield* withPrincipals(schema, site, wave);
      const rows = yield* reachedBy(schema, site, owners, isGone ? gone : back, returning);
      changed += rows.length;
      const next = new Map<string, string[]>();
      for (const [kind, one, carriesOn] of rows) {
        const ids = next.get(String(kind));
        if (carriesOn !== 1) continue;
        if (ids) ids.push(String(one));
        else next.set(String(kind), [String(one)]);
      }
      wave = next;
    }
    return changed;
  };
}

const goneSql = ({ table, isReached, isOwner }: OwnedTable): string =>
  `UPDATE ${quoted(table.name)} AS t SET "DeletedByRef" = 1 WHERE ${isReached} AND "DeletedByRef" = 0
  RETURNING ${reached(table, carriesOn(table, isOwner))}`;

/** A record comes back only where none of its owners is deleted. */
function backSql(schema: Schema, { table, isReached, isOwner }: OwnedTable): string {
  const owners = ownersOf(table.resource).flatMap(({ field, targets }) =>
    targets.flatMap((target) => notGone(schema, field, target)),
  );
  const where = [`${isReached} AND "DeletedByRef" = 1`, ...owners].join(' AND ');
  return `UPDATE ${quoted(table.name)} AS t SET "DeletedByRef" = 0 WHERE ${where}
  RETURNING ${reached(table, carriesOn(table, isOwner))}`;
}

/** Nothing changes below a record that is deleted itself: it stays deleted. */
function carriesOn({ marks }: Table, isOwner: boolean): string {
  if (!isOwner) return '0 AS CarriesOn';
  return marks.includes('Deleted') ? 'CASE "Deleted" WHEN 0 THEN 1 ELSE 0 END AS CarriesOn' : '1 AS CarriesOn';
}

function notGone(schema: Schema, field: string, target: string): readonly string[] {
  const [name, id] = target === PRINCIPAL.target ? [PRINCIPAL.resource, PRINCIPAL.id] : [target, 'ID'];
  const owner = schema.tables.find((table) => table.name === name);
  if (!owner || owner.marks.length === 0) return [];
  const gone = owner.marks.map((mark) => `o.${quoted(mark)} = 1`).join(' OR ');
  const same = `o."SiteID" = t."SiteID" AND o.${quoted(id)} = t.${quoted(field)}`;
  return [`NOT EXISTS (SELECT 1 FROM ${quoted(name)} AS o WHERE ${same} AND (${gone}))`];
}
