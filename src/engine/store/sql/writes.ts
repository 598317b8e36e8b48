// The writes of the store, inside a transaction that has begun.
import { oncePer } from '../../../text/once-per.ts';
import { type RecordChange, type Stored, UniqueViolation, type Writes } from '../port.ts';
import { indexesOf } from '../schema/indexes.ts';
import type { Column, Schema, Table } from '../schema/tables.ts';
import { accessWrites } from './access.ts';
import { cascadeIn } from './cascade.ts';
import { counted } from './counter.ts';
import type { Typed } from './dialect.ts';
import { type ListChange, listFields, updateLists } from './list-fields.ts';
import { oldHistoryWritesIn } from './old-history.ts';
import { asStored, decode, encode } from './rows.ts';
import { insertInto, quoted, selectMany, selectOne, typed, updateOf } from './statements.ts';
import { all, Clash, each, eachAhead, one, run, type Stepped, type Steps } from './steps.ts';

const HISTORY = ['SiteID', 'At', 'Caller', 'Resource', 'ID', 'What', 'Before'].map(
  (name): Typed => ({ name, type: 'TEXT' }),
);
const RESERVE_ID = `INSERT INTO counter (SiteID, Resource, Last) VALUES (?, ?, ?)
  ON CONFLICT (SiteID, Resource) DO UPDATE
  SET Last = CASE WHEN counter.Last < excluded.Last THEN excluded.Last ELSE counter.Last END`;
const SET_PASSWORD_HASH = `INSERT INTO secret (SiteID, IndividualID, Hash) VALUES (?, ?, ?)
  ON CONFLICT (SiteID, IndividualID) DO UPDATE SET Hash = excluded.Hash`;
const DELETE_PASSWORD_HASH = 'DELETE FROM secret WHERE SiteID = ? AND IndividualID = ?';

export function writesIn(schema: Schema): Stepped<Writes> {
  const { dialect } = schema;
  const cascade = cascadeIn(schema);
  const addHistory = dialect.insertNumbered('history', 'Sequence', HISTORY);
  return {
    ...accessWrites,
    ...oldHistoryWritesIn(dialect),
    *insert(resource, row) {
      const table = schema.table(resource);
      const { sql, columns } = insertOf(table);
      yield* unlessTaken(table, run(sql, encode(columns, row)));
      yield* updateLists(table, [insertion(row)]);
      return asStored(table, row);
    },
    *insertMany(resource, rows) {
      const table = schema.table(resource);
      const { eachSql, columns } = insertOf(table);
      const encoded = rows.map((row) => encode(columns, row));
      yield* unlessTaken(table, each(eachSql, encoded));
      yield* updateLists(table, rows.map(insertion));
    },
    *update(resource, site, id, changes) {
      const table = schema.table(resource);
      const columns = changedColumns(table, changes);
      if (columns.length === 0) return;
      const sql = updateOf(
        table,
        columns.map(({ name }) => name),
      );
      const before = yield* valuesBefore(table, site, id, changes);
      yield* unlessTaken(table, run(sql, [...encode(columns, changes), site, id]));
      if (before) yield* updateLists(table, [{ site, id, before, now: { ...before, ...changes } }]);
    },
    updateMany: (resource, site, changes) => updateMany(schema.table(resource), site, changes),
    *remove(resource, site, ids) {
      const table = schema.table(resource);
      const before = listFields(table).length > 0 ? yield* recordsBefore(table, site, ids) : [];
      const rows = ids.map((id) => [site, id]);
      yield* each(table.dialect.deleteEach(quoted(table.name), keyOf(table)), rows);
      yield* updateLists(
        table,
        [...before].map(([id, one]) => ({ site, id, before: one, now: undefined })),
      );
    },
    *setDeleted(resource, site, changes, gone) {
      yield* updateMany(schema.table(resource), site, changes);
      const shown = changes.filter(({ isHidden }) => !isHidden).map(({ id }) => id);
      if (shown.length > 0) yield* cascade(site, resource, shown, gone);
    },
    nextID: (resource, site) => counted(site, resource, 1),
    *reserveID(resource, site, id) {
      yield* run(RESERVE_ID, [site, resource, id]);
    },
    *addHistory(site, entries) {
      const rows = entries.map(({ at, caller, resource, id, what, before }) => {
        return [site, at, caller, resource, id, what, before === undefined ? null : JSON.stringify(before)];
      });
      yield* eachAhead(addHistory, rows);
    },
    *setPasswordHash(site, individual, hash) {
      if (hash === undefined) yield* run(DELETE_PASSWORD_HASH, [site, individual]);
      else yield* run(SET_PASSWORD_HASH, [site, individual, hash]);
    },
  };
}

/** Throws `UniqueViolation`. */
function* unlessTaken(table: Table, steps: Steps<unknown>): Steps<void> {
  try {
    yield* steps;
  } catch (error) {
    throw error instanceof Clash ? violation(table, error) : error;
  }
}

const insertion = (row: Stored): ListChange => ({
  site: String(row.SiteID),
  id: String(row.ID),
  before: undefined,
  now: row,
});

const changedColumns = ({ columns, keys }: Table, changes: Stored): readonly Column[] =>
  [...columns, ...keys].filter(({ from }) => from in changes);

/** One statement for all records in which the same members change. */
function* updateMany(table: Table, site: string, changes: readonly RecordChange[]): Steps<void> {
  const groups = new Map<string, RecordChange[]>();
  for (const one of mergedByID(changes)) {
    const members = changedColumns(table, one.changes)
      .map(({ name }) => name)
      .join();
    const group = groups.get(members);
    if (group) group.push(one);
    else if (members !== '') groups.set(members, [one]);
  }
  for (const group of groups.values()) yield* updateAlike(table, site, group);
}

/** A statement changes a record once. */
function mergedByID(changes: readonly RecordChange[]): Iterable<RecordChange> {
  const merged = new Map<string, RecordChange>();
  for (const { id, changes: some } of changes) {
    merged.set(id, { id, changes: { ...merged.get(id)?.changes, ...some } });
  }
  return merged.values();
}

function* updateAlike(table: Table, site: string, group: readonly RecordChange[]): Steps<void> {
  const first = group[0]?.changes ?? {};
  const columns = changedColumns(table, first);
  const touchesLists = listFields(table).some((field) => field in first);
  const before = touchesLists
    ? yield* recordsBefore(
        table,
        site,
        group.map(({ id }) => id),
      )
    : undefined;
  const rows = group.map(({ id, changes }) => [...encode(columns, changes), site, id]);
  yield* unlessTaken(table, each(updateEachOf(table, columns), rows));
  if (!before) return;
  const lists = group.flatMap(({ id, changes }): ListChange[] => {
    const one = before.get(id);
    return one ? [{ site, id, before: one, now: { ...one, ...changes } }] : [];
  });
  yield* updateLists(table, lists);
}

const updateEachOf = (table: Table, columns: readonly Column[]): string =>
  table.dialect.updateEach(
    quoted(table.name),
    columns.map(({ name, type }) => ({ name: quoted(name), type })),
    keyOf(table),
  );

const keyOf = (table: Table): readonly Typed[] => [typed(table, 'SiteID'), typed(table, 'ID')];

function* recordsBefore(table: Table, site: string, ids: readonly string[]): Steps<ReadonlyMap<string, Stored>> {
  const found = yield* all(selectMany(table), [site, JSON.stringify(ids)]);
  return new Map(found.map((raw) => decode(table, raw)).map((row) => [String(row.ID), row]));
}

/** The stored record, where a change of it touches list fields; else undefined. */
function* valuesBefore(table: Table, site: string, id: string, changes: Stored): Steps<Stored | undefined> {
  if (!listFields(table).some((field) => field in changes)) return undefined;
  const raw = yield* one(selectOne(table), [site, id]);
  return raw && decode(table, raw);
}

interface Insert {
  readonly sql: string;
  readonly eachSql: string;
  readonly columns: readonly Column[];
}

const insertOf = oncePer((table: Table): Insert => {
  const columns = [...table.columns, ...table.keys];
  const named = columns.map(({ name, type }) => ({ name: quoted(name), type }));
  return { sql: insertInto(table), eachSql: table.dialect.insertEach(quoted(table.name), named), columns };
});

function violation(table: Table, clash: Clash): UniqueViolation {
  const index = indexesOf(table).find(
    ({ name, unique, members }) => unique && (clash.index === name || isOn(clash.columns, members)),
  );
  return new UniqueViolation(table.name, index?.members ?? idFields(table));
}

/** A record without an ID field is identified by what it joins. */
const idFields = ({ resource }: Table): readonly string[] => ('ID' in resource.fields ? ['ID'] : resource.identity);

/** Are the columns those of the members, beside the site? A key stands for the member that it compares. */
function isOn(columns: readonly string[], members: readonly string[]): boolean {
  const fields = columns.filter((column) => column !== 'SiteID').map((column) => column.replace(/\$$/, ''));
  return fields.join() === members.join();
}
