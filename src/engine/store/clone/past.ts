// A site as it was: a copy of its records from which lines of history are taken back, the newest first. Values that the engine works
// out have no lines, and are worked out again: hidden records (D6), places in trees, newest comments.
import { closeSync, openSync } from 'node:fs';
import { storedResources } from '../../../contract/index.ts';
import { endsOf, GROUP_MEMBER } from '../../../contract/lines.ts';
import { isSoft, type Row, type Value } from '../../../contract/resource.ts';
import { grouped } from '../../../text/batches.ts';
import type { Stored, StoredLine, Writes } from '../port.ts';
import type { Described, Schema, Table } from '../schema/tables.ts';
import { linesBehind } from '../sql/lines.ts';
import { readsIn } from '../sql/reads.ts';
import { quoted } from '../sql/statements.ts';
import { all, each, run, type Stepped, type Steps } from '../sql/steps.ts';
import { writesIn } from '../sql/writes.ts';
import { answered } from '../sqlite/answered.ts';
import { connectNew } from '../sqlite/connection.ts';
import { ddlOf, SQLITE, sqliteSchema } from '../sqlite/dialect.ts';
import { pageAfter } from './rows.ts';
import type { Source } from './sides.ts';
import { type CopiedTable, copiedTables } from './tables.ts';

type TreePlaceOf = (record: Row, parent: Row | undefined) => Readonly<Record<string, Value>>;

interface PastOrder {
  /** One state of the data. */
  readonly source: Source;
  readonly tables: Described;
  /** The members of a record of a tree by which it has its place below its parent, or at the top. */
  readonly treePlaceOf: TreePlaceOf;
  readonly site: string;
  /** The last line of history that counts; the site is as that left it. */
  readonly line: number;
  /** A file that is not there yet. */
  readonly file: string;
}

/** Lines that are read together. */
const PAGE = 1_000;

/**
 * Writes the file. It holds the records of the site, their lines up to that one, and the heads of jobs; no passwords, no
 * tokens, no last numbers. Throws `storage` for a damaged line.
 */
export async function copyPast({ source, tables, treePlaceOf, site, line, file }: PastOrder): Promise<void> {
  closeSync(openSync(file, 'wx', 0o600));
  const schema = sqliteSchema(tables.resources, tables.computed);
  const writes = writesIn(schema);
  const copy = connectNew(file, ddlOf(schema));
  // Records may stand before those that they name.
  copy.exec('PRAGMA foreign_keys = OFF; BEGIN');
  try {
    for (const table of copiedTables(tables.resources, tables.computed)) {
      const where = whereOf(table, site, line);
      if (where === undefined) continue;
      let page = await source.read(() => pageAfter(table, undefined, undefined, where));
      while (page.last !== undefined) {
        const { rows, last, next } = page;
        answered(copy, each(SQLITE.insertEach(quoted(table.name), table.columns), rows));
        page = await source.read(() => pageAfter(table, last, next, where));
      }
    }
    let below = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const lines = await source.read(() => linesBehind(source.place, { site, line, below, limit: PAGE }));
      for (const one of lines) answered(copy, takenBack(writes, site, one));
      if (lines.length < PAGE) break;
      below = lines.at(-1)?.sequence ?? 0;
    }
    answered(copy, workedOut(schema, treePlaceOf, site));
    copy.exec('COMMIT');
  } finally {
    copy.close();
  }
}

/** The copied rows of a table, as SQL with its parameters; undefined for none. */
function whereOf({ name, columns }: CopiedTable, site: string, line: number) {
  if (name === 'line_name' || name === 'job') return { sql: '1 = 1', params: [] };
  if (name === 'line')
    return { sql: 'Site = (SELECT Number FROM line_name WHERE Name = ?) AND Sequence <= ?', params: [site, line] };
  if (LEFT.includes(name)) return undefined;
  const column = columns.find((one) => one.name.replaceAll('"', '') === 'SiteID');
  return column && { sql: `${column.name} = ?`, params: [site] };
}

const LEFT: readonly string[] = ['secret', 'token', 'counter'];

/** Makes the records as they were before a line. */
function* takenBack(
  writes: Stepped<Writes>,
  site: string,
  { resource: name, id, what, before = {} }: StoredLine,
): Steps<void> {
  if (name === GROUP_MEMBER) {
    const [group, individual] = endsOf(id);
    yield* writes[what === 'create' ? 'deleteMember' : 'addMember'](site, group, individual);
    return;
  }
  const resource = storedResources.find((one) => one.name === name);
  if (!resource) return;
  if (what === 'create') yield* writes.remove(name, site, [id]);
  else if (what === 'remove' || (what === 'delete' && !isSoft(resource))) yield* writes.insert(name, before);
  else yield* writes.update(name, site, id, before);
}

/** Works out again the values that have no lines. */
function* workedOut(schema: Schema, treePlaceOf: TreePlaceOf, site: string): Steps<void> {
  for (const table of schema.tables) {
    if (table.marks.includes('DeletedByRef')) yield* run(`UPDATE ${quoted(table.name)} SET "DeletedByRef" = 0`);
  }
  const writes = writesIn(schema);
  for (const table of schema.tables) {
    if (table.marks.includes('Deleted')) yield* hidden(writes, table, site);
    if (table.resource.order === 'tree') yield* placed(schema, table, treePlaceOf, site);
  }
  for (const table of schema.tables)
    if (table.columns.some(({ name }) => name === 'LastComment')) yield* commented(schema, table, site);
}

function* hidden(writes: Stepped<Writes>, { name }: Table, site: string): Steps<void> {
  const deleted = yield* all(`SELECT "ID" FROM ${quoted(name)} WHERE "Deleted" = 1`);
  const changes = deleted.map(([id]) => ({ id: String(id), changes: {}, isHidden: false }));
  yield* writes.setDeleted(name, site, changes, true);
}

function* placed(schema: Schema, table: Table, treePlaceOf: TreePlaceOf, site: string): Steps<void> {
  const records = yield* readsIn('', schema).find({ resource: table.name, site, deleted: 2 });
  const ids = new Set(records.map(({ ID }) => String(ID)));
  const below = grouped(records, ({ ParentID }) => String(ParentID));
  const writes = writesIn(schema);
  const place = function* (record: Stored, parent: Row | undefined): Steps<void> {
    const here = treePlaceOf(record, parent);
    yield* updated(writes, table, site, record, here);
    for (const child of below.get(String(record.ID)) ?? []) yield* place(child, { ...record, ...here });
  };
  for (const record of records) if (!ids.has(String(record.ParentID))) yield* place(record, undefined);
}

function* commented(schema: Schema, table: Table, site: string): Steps<void> {
  const { find, firstOf } = readsIn('', schema);
  const records = yield* find({ resource: table.name, site, deleted: 2 });
  const newest = yield* firstOf(
    'comment',
    site,
    'AncestorID',
    records.map(({ ID }) => String(ID)),
  );
  for (const record of records) {
    const { Body = null, Created = null, CreatedBy = null } = newest.get(String(record.ID)) ?? {};
    const last = { LastComment: Body, LastCommentDate: Created, LastCommentByID: CreatedBy };
    yield* updated(writesIn(schema), table, site, record, last);
  }
}

/** Writes those of the members that the table has and that are others. */
function* updated(
  writes: Stepped<Writes>,
  { name, columns }: Table,
  site: string,
  record: Stored,
  members: Readonly<Record<string, Value>>,
): Steps<void> {
  const changed = Object.entries(members).filter(
    ([member, value]) => columns.some((column) => column.name === member) && record[member] !== value,
  );
  if (changed.length > 0) yield* writes.update(name, site, String(record.ID), Object.fromEntries(changed));
}
