// Deletion by reference (D6): walks down from one record in waves. A record that comes back does so after its owners, so
// that each wave must see what the one before has done.
import { oncePer } from '../../../text/once-per.ts';
import type { Schema, Table } from '../schema/tables.ts';
import type { Part } from './dialect.ts';
import { type OwnedTable, PRINCIPAL, reached, statementsOn, type Wave, withPrincipals } from './owned.ts';
import { quoted } from './statements.ts';
import { type Raw, returning, run, type Steps } from './steps.ts';

/** Sets `DeletedByRef` of everything below these records; `isGone` says whether they are deleted now. */
type Cascade = (site: string, resource: string, ids: readonly string[], isGone: boolean) => Steps<void>;

/** The statements are made for the first cascade. */
export function cascadeIn(schema: Schema): Cascade {
  const [gone, back] = [oncePer(goneSql), oncePer((owned: OwnedTable) => backSql(schema, owned))];
  return function* (site, resource, ids, isGone) {
    let wave: Wave = new Map([[resource, ids]]);
    while (wave.size > 0) {
      const owners = yield* withPrincipals(schema, site, wave);
      const next = new Map<string, string[]>();
      for (const part of statementsOn(schema, site, owners, isGone ? gone : back)) {
        for (const [kind, one, carriesOn] of yield* changedBy(part)) {
          if (carriesOn !== 1) continue;
          const found = next.get(String(kind));
          if (found) found.push(String(one));
          else next.set(String(kind), [String(one)]);
        }
      }
      wave = next;
    }
  };
}

/** The resource and the ID of each changed record that others may belong to, and whether the wave goes on from it. */
function* changedBy({ sql, params, isSilent }: Part): Steps<readonly Raw[]> {
  if (!isSilent) return yield* returning(sql, params);
  yield* run(sql, params);
  return [];
}

type Marking = Pick<Part, 'sql' | 'isSilent'>;

/** Most records own nothing, and are not answered. */
const marking = ({ table, isOwner }: OwnedTable, sql: string): Marking =>
  isOwner ? { sql: `${sql} RETURNING ${reached(table, carriesOn(table))}` } : { sql, isSilent: true };

const goneSql = (owned: OwnedTable): Marking =>
  marking(
    owned,
    `UPDATE ${quoted(owned.table.name)} AS t SET "DeletedByRef" = 1 WHERE ${owned.isReached} AND "DeletedByRef" = 0`,
  );

/** A record comes back only where none of its owners is deleted; one that has a single owner came from that. */
function backSql(schema: Schema, owned: OwnedTable): Marking {
  const { table, owners, isReached } = owned;
  const others = owners.length === 1 ? [] : owners;
  const alive = others.flatMap(({ field, targets }) => targets.flatMap((target) => notGone(schema, field, target)));
  const where = [`${isReached} AND "DeletedByRef" = 1`, ...alive].join(' AND ');
  return marking(owned, `UPDATE ${quoted(table.name)} AS t SET "DeletedByRef" = 0 WHERE ${where}`);
}

/** Nothing changes below a record that is deleted itself: it stays deleted. */
const carriesOn = ({ marks }: Table): string =>
  marks.includes('Deleted') ? 'CASE "Deleted" WHEN 0 THEN 1 ELSE 0 END AS CarriesOn' : '1 AS CarriesOn';

function notGone(schema: Schema, field: string, target: string): readonly string[] {
  const [name, id] = target === PRINCIPAL.target ? [PRINCIPAL.resource, PRINCIPAL.id] : [target, 'ID'];
  const owner = schema.tables.find((table) => table.name === name);
  if (!owner || owner.marks.length === 0) return [];
  const gone = owner.marks.map((mark) => `o.${quoted(mark)} = 1`).join(' OR ');
  const same = `o."SiteID" = t."SiteID" AND o.${quoted(id)} = t.${quoted(field)}`;
  return [`NOT EXISTS (SELECT 1 FROM ${quoted(name)} AS o WHERE ${same} AND (${gone}))`];
}
