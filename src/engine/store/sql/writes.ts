// The writes of the store, inside a transaction that has begun.
import { grouped } from '../../../text/batches.ts';
import { oncePer, oncePerText, valueAt } from '../../../text/once-per.ts';
import { type RecordChange, type Stored, UniqueViolation, type Writes } from '../port.ts';
import { indexesOf } from '../schema/indexes.ts';
import type { Column, Schema, Table } from '../schema/tables.ts';
import { accessWrites } from './access.ts';
import type { Part, Typed } from './dialect.ts';
import { lineWritesIn } from './lines.ts';
import { type OwnedTable, PRINCIPAL, statementsOn, type Wave, withPrincipals } from './owned.ts';
import { find } from './reads.ts';
import { asStored, encode } from './rows.ts';
import { type SideChange, sideTables, updateLists, updateUniques } from './side-tables.ts';
import { byKey, quoted, typed } from './statements.ts';
import { all, Clash, change, each, eachLater, type Raw, run, type Stepped, type Steps, type Taken } from './steps.ts';

const NEXT_ID = `INSERT INTO counter (SiteID, Resource, Last) VALUES (?, ?, 1)
  ON CONFLICT (SiteID, Resource) DO UPDATE SET Last = counter.Last + 1 RETURNING Last`;
const RESERVE_ID = `INSERT INTO counter (SiteID, Resource, Last) VALUES (?, ?, ?)
  ON CONFLICT (SiteID, Resource) DO UPDATE
  SET Last = CASE WHEN counter.Last < excluded.Last THEN excluded.Last ELSE counter.Last END`;
const SET_PASSWORD_HASH = `INSERT INTO secret (SiteID, IndividualID, Hash) VALUES (?, ?, ?)
  ON CONFLICT (SiteID, IndividualID) DO UPDATE SET Hash = excluded.Hash`;
const DELETE_PASSWORD_HASH = 'DELETE FROM secret WHERE SiteID = ? AND IndividualID = ?';

export function writesIn(schema: Schema): Stepped<Writes> {
  const { dialect } = schema;
  const cascade = cascadeIn(schema);
  return {
    ...accessWrites,
    ...lineWritesIn(dialect),
    *insert(resource, row) {
      const table = schema.table(resource);
      const { sql, columns, clashesByID } = insertOf(table);
      const rows = [encode(columns, row)];
      yield* write(table, [insertion(row)], clashesByID ? eachLater(sql, rows, [String(row.ID)]) : each(sql, rows));
      return asStored(table, row);
    },
    *insertMany(resource, rows) {
      const table = schema.table(resource);
      const { sql, columns } = insertOf(table);
      const encoded = rows.map((row) => encode(columns, row));
      yield* write(table, rows.map(insertion), each(sql, encoded));
    },
    update: (resource, site, id, changes) => updateMany(schema, resource, site, [{ id, changes }]),
    updateMany: (resource, site, changes) => updateMany(schema, resource, site, changes),
    *remove(resource, site, ids) {
      const table = schema.table(resource);
      const before = sideTables(table).length > 0 ? yield* recordsBefore(schema, table, site, ids) : [];
      const sides = [...before].map(([id, one]) => ({ site, id, before: one, now: undefined }));
      const rows = ids.map((id) => [site, id]);
      yield* write(table, sides, each(table.dialect.deleteEach(quoted(table.name), keyOf(table)), rows));
    },
    *setDeleted(resource, site, changes, gone, onMarked) {
      yield* updateMany(schema, resource, site, changes);
      const shown = changes.filter(({ isHidden }) => !isHidden).map(({ id }) => id);
      if (shown.length > 0) yield* cascade(site, new Map([[resource, shown]]), gone, onMarked);
    },
    *nextID(resource, site) {
      return Number((yield* all(NEXT_ID, [site, resource]))[0]?.[0]);
    },
    reserveID: (resource, site, id) => change(RESERVE_ID, [site, resource, id]),
    setPasswordHash: (site, individual, hash) =>
      hash === undefined
        ? change(DELETE_PASSWORD_HASH, [site, individual])
        : change(SET_PASSWORD_HASH, [site, individual, hash]),
  };
}

/**
 * Writes records, and what stands of them in side tables. Unique texts are first: they go with the statement of the records, and
 * where one is taken no record is written. Throws `UniqueViolation`.
 */
function* write(table: Table, sides: readonly SideChange[], records: Steps<unknown>): Steps<void> {
  try {
    yield* updateUniques(table, sides);
    yield* records;
    yield* updateLists(table, sides);
  } catch (error) {
    throw error instanceof Clash ? violation(table, error.taken) : error;
  }
}

const insertion = (row: Stored): SideChange => ({
  site: String(row.SiteID),
  id: String(row.ID),
  before: undefined,
  now: row,
});

function* updateMany(schema: Schema, resource: string, site: string, changes: readonly RecordChange[]): Steps<void> {
  const table = schema.table(resource);
  const merged = mergedByID(changes);
  const sides = yield* sideChanges(schema, table, site, merged);
  yield* write(table, sides, updateAlike(table, site, merged));
}

/** One statement for all records in which the same members change. */
function* updateAlike(table: Table, site: string, changes: readonly RecordChange[]): Steps<void> {
  const columns = columnsOf(table);
  const namesIn = ({ changes: some }: RecordChange): string => {
    let names = '';
    for (const { name, from } of columns) if (from in some) names += `${name},`;
    return names;
  };
  for (const [names, group] of grouped(changes, namesIn)) {
    if (names === '') continue;
    const { sql, eachSql, columns: changed } = updateOf(table)(names);
    const rows = group.map(({ id, changes: some }) => [...encode(changed, some), site, id]);
    yield* rows[0] && rows.length === 1 ? run(sql, rows[0]) : each(eachSql, rows);
  }
}

/**
 * The statements for the columns of these names, each with a comma behind it. For one record a server needs half the time of
 * that for many.
 */
const updateOf = oncePer((table: Table) =>
  oncePerText((names) => {
    const columns = columnsOf(table).filter(({ name }) => `,${names}`.includes(`,${name},`));
    const values = columns.map(({ name }) => `${quoted(name)} = ?`).join(', ');
    const sql = `UPDATE ${quoted(table.name)} SET ${values} WHERE ${byKey(table)}`;
    return { sql, eachSql: table.dialect.updateEach(quoted(table.name), columns.map(asSql), keyOf(table)), columns };
  }),
);

const columnsOf = oncePer(({ columns, keys }: Table): readonly Column[] => [...columns, ...keys]);

const asSql = ({ name, type }: Column): Typed => ({ name: quoted(name), type });

/** A statement changes a record once. */
function mergedByID(changes: readonly RecordChange[]): readonly RecordChange[] {
  if (changes.length === 1) return changes;
  const merged = new Map<string, RecordChange>();
  for (const { id, changes: some } of changes) merged.set(id, { id, changes: { ...merged.get(id)?.changes, ...some } });
  return [...merged.values()];
}

/** What changes in side tables; records are read only where anything does. */
function* sideChanges(
  schema: Schema,
  table: Table,
  site: string,
  changes: readonly RecordChange[],
): Steps<readonly SideChange[]> {
  const touching = changes.filter((one) => sideTables(table).some(({ field }) => field in one.changes));
  if (touching.length === 0) return [];
  const before = yield* recordsBefore(
    schema,
    table,
    site,
    touching.map(({ id }) => id),
  );
  return touching.flatMap(({ id, changes: some }): SideChange[] => {
    const one = before.get(id);
    return one ? [{ site, id, before: one, now: { ...one, ...some } }] : [];
  });
}

const keyOf = (table: Table): readonly Typed[] => [typed(table, 'SiteID'), typed(table, 'ID')];

function* recordsBefore(
  schema: Schema,
  { name: resource }: Table,
  site: string,
  ids: readonly string[],
): Steps<ReadonlyMap<string, Stored>> {
  const rows = yield* find(schema, { resource, site, ids, deleted: 2 });
  return new Map(rows.map((row) => [String(row.ID), row]));
}

const insertOf = oncePer((table: Table) => {
  const columns = columnsOf(table);
  const sql = table.dialect.insertEach(quoted(table.name), columns.map(asSql));
  const hasUniques =
    indexesOf(table).some(({ unique }) => unique) || sideTables(table).some(({ kind }) => kind === 'unique');
  // Nothing but its ID can be that of another record.
  return { sql, columns, clashesByID: !hasUniques && 'ID' in table.resource.fields };
});

function violation(table: Table, { keyOf: taken, index: name, columns = [] }: Taken): UniqueViolation {
  const side = sideTables(table).find((one) => one.name === taken);
  const index = indexesOf(table).find((one) => one.unique && (one.name === name || isOn(columns, one.members)));
  return new UniqueViolation(table.name, side ? [side.field] : (index?.members ?? idFields(table)));
}

/** A record without an ID field is identified by what it joins. */
const idFields = ({ resource }: Table): readonly string[] => ('ID' in resource.fields ? ['ID'] : resource.identity);

const isOn = (columns: readonly string[], members: readonly string[]): boolean =>
  columns.filter((column) => column !== 'SiteID').join() === members.join();

/**
 * Sets `DeletedByRef` of everything below these records (D6), in waves; `isGone` says whether they are deleted now. A record
 * comes back after its owners, so that each wave must see what the one before has done.
 */
function cascadeIn(schema: Schema) {
  // The statements are made for the first cascade.
  const [gone, back] = [oncePer(goneSql), oncePer((owned: OwnedTable) => backSql(schema, owned))];
  return function* (site: string, roots: Wave, isGone: boolean, onMarked: OnMarked): Steps<void> {
    const markingOf = isGone ? gone : back;
    const sqlOf = (owned: OwnedTable) => markingOf(owned)[onMarked ? 'ofAll' : 'ofOwners'];
    let wave = roots;
    while (wave.size > 0) {
      const owners = yield* withPrincipals(schema, site, wave);
      const next = new Map<string, string[]>();
      for (const part of statementsOn(schema, site, owners, sqlOf)) {
        for (const [kind, one, carriesOn] of yield* changedBy(part)) {
          if (carriesOn !== 1) continue;
          onMarked?.(String(kind), String(one));
          valueAt(next, String(kind), () => []).push(String(one));
        }
      }
      wave = next;
    }
  };
}

type OnMarked = Parameters<Writes['setDeleted']>[4];

/** The resource and the ID of each changed record that others may belong to, and whether the wave goes on from it. */
function* changedBy({ sql, params, isSilent }: Part): Steps<readonly Raw[]> {
  if (!isSilent) return yield* all(sql, params);
  yield* run(sql, params);
  return [];
}

type Marked = Pick<Part, 'sql' | 'isSilent'>;

/** Most records own nothing, and are answered only where all are asked for. */
function marking({ table, isOwner }: OwnedTable, sql: string): Readonly<Record<'ofAll' | 'ofOwners', Marked>> {
  const ofAll = { sql: `${sql} RETURNING '${table.name}' AS Kind, CAST("ID" AS TEXT) AS ID, ${carriesOn(table)}` };
  return { ofAll, ofOwners: isOwner ? ofAll : { sql, isSilent: true } };
}

const goneSql = (owned: OwnedTable) =>
  marking(
    owned,
    `UPDATE ${quoted(owned.table.name)} AS t SET "DeletedByRef" = 1 WHERE ${owned.isReached} AND "DeletedByRef" = 0`,
  );

/** A record comes back only where none of its owners is deleted; one that has a single owner came from that. */
function backSql(schema: Schema, owned: OwnedTable) {
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
