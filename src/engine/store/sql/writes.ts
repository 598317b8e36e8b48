// The writes of the store, inside a transaction that has begun.
import { oncePer } from '../../../text/once-per.ts';
import { type Stored, UniqueViolation, type Writes } from '../port.ts';
import { indexesOf } from '../schema/indexes.ts';
import type { Column, Schema, Table } from '../schema/tables.ts';
import { accessWrites } from './access.ts';
import { cascadeIn } from './cascade.ts';
import { listFields, updateLists } from './list-fields.ts';
import { oldHistoryWrites } from './old-history.ts';
import { asStored, decode, encode } from './rows.ts';
import { deleteFrom, insertInto, selectOne, updateOf } from './statements.ts';
import { type Bound, Clash, one, run, type Stepped, type Steps } from './steps.ts';

const ADD_HISTORY = 'INSERT INTO history (SiteID, At, Caller, Resource, ID, What, Before) VALUES (?, ?, ?, ?, ?, ?, ?)';
const NEXT_ID = `INSERT INTO counter (SiteID, Resource, Last) VALUES (?, ?, 1)
  ON CONFLICT (SiteID, Resource) DO UPDATE SET Last = Last + 1 RETURNING Last`;
const RESERVE_ID = `INSERT INTO counter (SiteID, Resource, Last) VALUES (?, ?, ?)
  ON CONFLICT (SiteID, Resource) DO UPDATE SET Last = max(Last, excluded.Last)`;
const SET_PASSWORD_HASH = 'INSERT OR REPLACE INTO secret (SiteID, IndividualID, Hash) VALUES (?, ?, ?)';
const DELETE_PASSWORD_HASH = 'DELETE FROM secret WHERE SiteID = ? AND IndividualID = ?';

export function writesIn(schema: Schema): Stepped<Writes> {
  return {
    ...accessWrites,
    ...oldHistoryWrites,
    *insert(resource, row) {
      const table = schema.table(resource);
      yield* insertRow(table, row);
      return asStored(table, row);
    },
    *insertMany(resource, rows) {
      const table = schema.table(resource);
      for (const row of rows) yield* insertRow(table, row);
    },
    update: (resource, site, id, changes) => updateRow(schema.table(resource), site, id, changes),
    *updateMany(resource, site, updates) {
      const table = schema.table(resource);
      for (const { id, changes } of updates) yield* updateRow(table, site, id, changes);
    },
    *remove(resource, site, id) {
      const table = schema.table(resource);
      const before = yield* valuesBefore(table, site, id);
      yield* run(deleteFrom(table), [site, id]);
      if (before) yield* updateLists(table, { site, id }, before, undefined);
    },
    cascade: cascadeIn(schema),
    *nextID(resource, site) {
      return Number((yield* one(NEXT_ID, [site, resource]))?.[0]);
    },
    *reserveID(resource, site, id) {
      yield* run(RESERVE_ID, [site, resource, id]);
    },
    *addHistory(site, ...entries) {
      for (const { at, caller, resource, id, what, before } of entries) {
        const image = before === undefined ? null : JSON.stringify(before);
        yield* run(ADD_HISTORY, [site, at, caller, resource, id, what, image]);
      }
    },
    *setPasswordHash(site, individual, hash) {
      if (hash === undefined) yield* run(DELETE_PASSWORD_HASH, [site, individual]);
      else yield* run(SET_PASSWORD_HASH, [site, individual, hash]);
    },
  };
}

/** Throws `UniqueViolation`. */
function* insertRow(table: Table, row: Stored): Steps<void> {
  const { sql, columns } = insertOf(table);
  yield* unlessTaken(table, sql, encode(columns, row));
  yield* updateLists(table, { site: String(row.SiteID), id: String(row.ID) }, undefined, row);
}

/** Throws `UniqueViolation`. */
function* updateRow(table: Table, site: string, id: string, changes: Stored): Steps<void> {
  const columns = [...table.columns, ...table.keys].filter(({ from }) => from in changes);
  if (columns.length === 0) return;
  const sql = updateOf(
    table,
    columns.map(({ name }) => name),
  );
  const before = yield* valuesBefore(table, site, id, changes);
  yield* unlessTaken(table, sql, [...encode(columns, changes), site, id]);
  if (before) yield* updateLists(table, { site, id }, before, { ...before, ...changes });
}

/** Throws `UniqueViolation`. */
function* unlessTaken(table: Table, sql: string, params: readonly Bound[]): Steps<void> {
  try {
    yield* run(sql, params);
  } catch (error) {
    throw error instanceof Clash ? violation(table, error) : error;
  }
}

/** The stored record, where a change of it touches list fields; else undefined. */
function* valuesBefore(table: Table, site: string, id: string, changes?: Stored): Steps<Stored | undefined> {
  if (!listFields(table).some((field) => changes === undefined || field in changes)) return undefined;
  const raw = yield* one(selectOne(table), [site, id]);
  return raw && decode(table, raw);
}

interface Insert {
  readonly sql: string;
  readonly columns: readonly Column[];
}

const insertOf = oncePer(
  (table: Table): Insert => ({ sql: insertInto(table), columns: [...table.columns, ...table.keys] }),
);

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
