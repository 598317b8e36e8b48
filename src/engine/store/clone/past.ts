// A site as it was: a copy of its records from which lines of history are taken back, the newest first. Values that the engine works
// out have no lines, and are worked out again: hidden records (D6), places in trees, newest comments.
import { ServiceError } from '../../../contract/errors.ts';
import { storedResources } from '../../../contract/index.ts';
import { endsOf, GROUP_MEMBER, type Moment } from '../../../contract/lines.ts';
import { isSoft, type Row, type Value } from '../../../contract/resource.ts';
import { grouped } from '../../../text/batches.ts';
import { jobStoreOf } from '../journal/job-store.ts';
import { type Logic, logicOf } from '../logic.ts';
import type { LastLine, PastStore, Store, Stored, StoredLine, TreePlaceOf, Writes } from '../port.ts';
import type { Described, Schema, Table } from '../schema/tables.ts';
import { lastLineAt, linesBehind } from '../sql/lines.ts';
import { readsIn } from '../sql/reads.ts';
import { quoted } from '../sql/statements.ts';
import { all, each, run, type Stepped, type Steps } from '../sql/steps.ts';
import { writesIn } from '../sql/writes.ts';
import { answered } from '../sqlite/answered.ts';
import { type Connection, connectTemporary } from '../sqlite/connection.ts';
import { isIndex, SQLITE, sqliteLayout, sqliteSchema } from '../sqlite/dialect.ts';
import { readerOf } from '../sqlite/snapshots.ts';
import { pageAfter } from './rows.ts';
import type { Source } from './sides.ts';
import { type CopiedTable, copiedTables } from './tables.ts';

interface PastOrder {
  /** The path of a file that is open, or one state of a database. */
  readonly source: string | Source;
  readonly tables: Described;
  readonly treePlaceOf: TreePlaceOf;
  readonly site: string;
}

/** Lines that are read together. */
const PAGE = 1_000;

/** A site as it was at a moment. Throws as `lastLineAt`, and `storage` for a damaged line. */
export async function openPast({ moment, ...order }: PastOrder & { readonly moment: Moment }): Promise<PastStore> {
  const { copy, last } = await copyPast(order, () => lastLineAt(SQLITE, order.site, moment));
  const { resources, computed } = order.tables;
  return { store: storeOn(copy, logicOf(placeOf(order), sqliteSchema(resources, computed))), last };
}

/** Reads on one connection. */
function storeOn(connection: Connection, { schema, reads, tables }: Logic): Store {
  const reader = readerOf(connection, reads, schema);
  const refuse = async (): Promise<never> => {
    throw new ServiceError('usage', 'a past site can only be read', { hint: 'Change the site as it is now.' });
  };
  return {
    ...reader,
    transaction: refuse,
    jobs: jobStoreOf(tables, { read: async (work) => answered(connection, work()), write: refuse }),
    snapshot: (work) => work(reader),
    version: () => '',
    past: refuse,
    close: async () => connection.close(),
  };
}

const placeOf = ({ source }: Pick<PastOrder, 'source'>): string => (typeof source === 'string' ? source : source.place);

/**
 * Copies the records of the site as they were, their lines up to the last one that counts, and the heads of jobs; no
 * passwords, no tokens, no last numbers. `lastOf` is asked once all lines are there. Throws `storage` for a damaged line.
 */
export async function copyPast(order: PastOrder, lastOf: () => Steps<LastLine>) {
  const { tables, treePlaceOf, site } = order;
  const schema = sqliteSchema(tables.resources, tables.computed);
  const { statements } = sqliteLayout(schema);
  const copy = connectTemporary(statements.filter((one) => !isIndex(one)));
  try {
    await fill(copy, order);
    copy.exec('BEGIN');
    const last = answered(copy, lastOf());
    const writes = writesIn(schema);
    let below = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const lines = answered(copy, linesBehind(placeOf(order), site, last.sequence, below, PAGE));
      answered(copy, takenBack(writes, site, lines));
      if (lines.length < PAGE) break;
      below = lines.at(-1)?.sequence ?? 0;
    }
    // Of full tables they are made faster.
    for (const statement of statements) if (isIndex(statement)) copy.exec(statement);
    answered(copy, workedOut(schema, treePlaceOf, site));
    copy.run('DELETE FROM line WHERE Sequence > ?', [last.sequence]);
    copy.exec('COMMIT; PRAGMA query_only = ON');
    return { copy, last };
  } catch (error) {
    copy.close();
    throw error;
  }
}

/** Copies the site as it is now: out of a file without a way through this program. */
async function fill(copy: Connection, { source, tables, site }: PastOrder): Promise<void> {
  if (typeof source === 'string') copy.run('ATTACH DATABASE ? AS source', [source]);
  // What is read of a file in one transaction is of one state.
  copy.exec('BEGIN');
  for (const table of copiedTables(tables.resources, tables.computed)) {
    const where = whereOf(table, site);
    if (where === undefined) continue;
    const [name, columns] = [quoted(table.name), table.columns.map((one) => one.name).join(', ')];
    if (typeof source === 'string') {
      const rows = `SELECT ${columns} FROM source.${name} WHERE ${where.sql}`;
      copy.run(`INSERT INTO main.${name} (${columns}) ${rows}`, where.params);
      continue;
    }
    let page = await source.read(() => pageAfter(table, undefined, undefined, where));
    while (page.last !== undefined) {
      const { rows, last, next } = page;
      answered(copy, each(SQLITE.insertEach(name, table.columns), rows));
      page = await source.read(() => pageAfter(table, last, next, where));
    }
  }
  copy.exec(typeof source === 'string' ? 'COMMIT; DETACH DATABASE source' : 'COMMIT');
}

/** The copied rows of a table, as SQL with its parameters; undefined for none. */
function whereOf({ name, columns }: CopiedTable, site: string) {
  if (name === 'line_name' || name === 'job') return { sql: '1 = 1', params: [] };
  if (name === 'line') return { sql: 'Site = (SELECT Number FROM line_name WHERE Name = ?)', params: [site] };
  if (LEFT.includes(name)) return undefined;
  const column = columns.find((one) => one.name.replaceAll('"', '') === 'SiteID');
  return column && { sql: `${column.name} = ?`, params: [site] };
}

const LEFT: readonly string[] = ['secret', 'token', 'counter'];

/** Makes the records as they were before these lines, the newest of which comes first. */
function* takenBack(writes: Stepped<Writes>, site: string, lines: readonly StoredLine[]): Steps<void> {
  // An import makes many records, which go together.
  let made: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (isCreation(line)) {
      made.push(line.id);
      const next = lines[at + 1];
      if (next && isCreation(next) && next.resource === line.resource) continue;
      yield* writes.remove(line.resource, site, made);
      made = [];
    } else yield* lineTakenBack(writes, site, line);
  }
}

const isCreation = ({ what, resource }: StoredLine): boolean =>
  what === 'create' && storedResources.some(({ name }) => name === resource);

function* lineTakenBack(
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
  // The contract may not have it any more.
  if (!resource) return;
  if (what === 'remove' || (what === 'delete' && !isSoft(resource))) yield* writes.insert(name, before);
  else yield* writes.update(name, site, id, before);
}

/** Works out again the values that have no lines. */
function* workedOut(schema: Schema, treePlaceOf: TreePlaceOf, site: string): Steps<void> {
  for (const table of schema.tables) {
    if (table.marks.includes('DeletedByRef'))
      yield* run(`UPDATE ${quoted(table.name)} SET "DeletedByRef" = 0 WHERE "DeletedByRef" <> 0`);
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
