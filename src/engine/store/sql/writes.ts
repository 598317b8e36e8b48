// The writes of the store on the write connection, inside the transaction that the queue has begun.
import { oncePer } from '../../../text/once-per.ts';
import { type Stored, UniqueViolation, type Writes } from '../port.ts';
import { indexesOf } from '../schema/indexes.ts';
import type { Column, Schema, Table } from '../schema/tables.ts';
import type { Connection } from '../sqlite/connection.ts';
import { codeOf } from '../sqlite/failure.ts';
import { accessWritesOn } from './access.ts';
import { cascadeOn } from './cascade.ts';
import { listFields, updateLists } from './list-fields.ts';
import { oldHistoryWritesOn } from './old-history.ts';
import { asStored, decode, encode } from './rows.ts';
import { deleteFrom, insertInto, selectOne, updateOf } from './statements.ts';

const ADD_HISTORY = 'INSERT INTO history (SiteID, At, Caller, Resource, ID, What, Before) VALUES (?, ?, ?, ?, ?, ?, ?)';
const NEXT_ID = `INSERT INTO counter (SiteID, Resource, Last) VALUES (?, ?, 1)
  ON CONFLICT (SiteID, Resource) DO UPDATE SET Last = Last + 1 RETURNING Last`;
const RESERVE_ID = `INSERT INTO counter (SiteID, Resource, Last) VALUES (?, ?, ?)
  ON CONFLICT (SiteID, Resource) DO UPDATE SET Last = max(Last, excluded.Last)`;
const SET_PASSWORD_HASH = 'INSERT OR REPLACE INTO secret (SiteID, IndividualID, Hash) VALUES (?, ?, ?)';
const DELETE_PASSWORD_HASH = 'DELETE FROM secret WHERE SiteID = ? AND IndividualID = ?';

export function writesOn(connection: Connection, schema: Schema): Writes {
  const run = (table: Table, sql: string, params: Parameters<Connection['run']>[1]): void => {
    try {
      connection.run(sql, params);
    } catch (error) {
      throw violationOr(table, error);
    }
  };
  return {
    ...accessWritesOn(connection),
    ...oldHistoryWritesOn(connection),
    insert(resource, row) {
      const table = schema.table(resource);
      const { sql, columns } = insertOf(table);
      run(table, sql, encode(columns, row));
      updateLists(connection, table, { site: String(row.SiteID), id: String(row.ID) }, undefined, row);
      return asStored(table, row);
    },
    update(resource, site, id, changes) {
      const table = schema.table(resource);
      const columns = [...table.columns, ...table.keys].filter(({ from }) => from in changes);
      if (columns.length === 0) return;
      const sql = updateOf(
        table,
        columns.map(({ name }) => name),
      );
      const before = valuesBefore(connection, table, site, id, changes);
      run(table, sql, [...encode(columns, changes), site, id]);
      if (before) updateLists(connection, table, { site, id }, before, { ...before, ...changes });
    },
    remove(resource, site, id) {
      const table = schema.table(resource);
      const before = valuesBefore(connection, table, site, id);
      connection.run(deleteFrom(table), [site, id]);
      if (before) updateLists(connection, table, { site, id }, before, undefined);
    },
    cascade: cascadeOn(connection, schema),
    nextID: (resource, site) => Number(connection.one(NEXT_ID, [site, resource])?.[0]),
    reserveID: (resource, site, id) => void connection.run(RESERVE_ID, [site, resource, id]),
    addHistory(site, { at, caller, resource, id, what, before }) {
      const image = before === undefined ? null : JSON.stringify(before);
      connection.run(ADD_HISTORY, [site, at, caller, resource, id, what, image]);
    },
    setPasswordHash(site, individual, hash) {
      if (hash === undefined) connection.run(DELETE_PASSWORD_HASH, [site, individual]);
      else connection.run(SET_PASSWORD_HASH, [site, individual, hash]);
    },
  };
}

/** The stored record, where a change of it touches list fields; else undefined. */
function valuesBefore(
  connection: Connection,
  table: Table,
  site: string,
  id: string,
  changes?: Stored,
): Stored | undefined {
  if (!listFields(table).some((field) => changes === undefined || field in changes)) return undefined;
  const raw = connection.one(selectOne(table), [site, id]);
  return raw && decode(table, raw);
}

interface Insert {
  readonly sql: string;
  readonly columns: readonly Column[];
}

const insertOf = oncePer(
  (table: Table): Insert => ({ sql: insertInto(table), columns: [...table.columns, ...table.keys] }),
);

/** SQLite names the columns of the violated index, or the index itself where it contains an expression. */
function violationOr(table: Table, error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return new UniqueViolation(table.name, idFields(table));
  if (code !== 'SQLITE_CONSTRAINT_UNIQUE') return error;
  const { message } = error as Error;
  const index = indexesOf(table).find(
    ({ name, unique, members }) => unique && (message.includes(`'${name}'`) || isOn(message, table, members)),
  );
  return new UniqueViolation(table.name, index?.members ?? idFields(table));
}

/** A record without an ID field is identified by what it joins. */
const idFields = ({ resource }: Table): readonly string[] => ('ID' in resource.fields ? ['ID'] : resource.identity);

function isOn(message: string, table: Table, members: readonly string[]): boolean {
  const columns = message
    .slice(message.indexOf(':') + 1)
    .split(',')
    .map((column) => column.trim().slice(table.name.length + 1));
  const fields = columns.filter((column) => column !== 'SiteID').map((column) => column.replace(/\$$/, ''));
  return fields.join() === members.join();
}
