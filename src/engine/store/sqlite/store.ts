// The store on SQLite: one write connection behind a queue, and read connections that are opened as they are needed.
import type { Resource } from '../../../contract/resource.ts';
import { type JobTables, jobStoreOn, jobTablesOn } from '../journal/job-store.ts';
import type { Query, Reader, Store, Stored, Viewer, Writer } from '../port.ts';
import { layoutOf } from '../schema/ddl.ts';
import { type Computed, type Schema, schemaOf } from '../schema/tables.ts';
import { DATABASE } from '../schema/versions.ts';
import { WAVE_TABLE } from '../sql/cascade.ts';
import { type Reads, readsOn } from '../sql/reads.ts';
import { writesOn } from '../sql/writes.ts';
import { BUSY_TIMEOUT_MS, type Connection, connect } from './connection.ts';
import type { FileKind } from './file-version.ts';
import { migrate, openOrMigrate } from './migrate.ts';
import { withRowCache } from './row-cache.ts';
import { inReadTransaction, type Pool, poolOf, snapshotsOn } from './snapshots.ts';
import { savepointsOn, writeConnection } from './writer.ts';

export interface SqliteOptions {
  readonly file: string;
  readonly resources: readonly Resource[];
  readonly computed: Computed;
  /** How long to wait for another program's write, in milliseconds; 10 seconds unless told. */
  readonly busyMs?: number;
  /** The versions of these tables; those of the contract unless told. */
  readonly kind?: FileKind;
}

/** Opens a database that is there, and brings an older one up to date. Throws `storage` where it is missing or none of ours. */
export async function openSqlite({
  file,
  resources,
  computed,
  busyMs,
  kind = DATABASE,
}: SqliteOptions): Promise<Store> {
  const schema = schemaOf(resources, computed);
  const pool = poolOf(() => connect(file, 'read', busyMs, kind));
  openOrMigrate(pool, () => migrate(file, kind, layoutOf(schema), busyMs ?? BUSY_TIMEOUT_MS));
  const views = snapshotsOn(pool, (connection) => readerOf(always(readsOn(connection, schema))));
  const lane = writeConnection(
    () => withWaveTable(connect(file, 'write', busyMs, kind)),
    (connection) => writeHandleOn(connection, schema),
    views.refresh,
  );
  return {
    ...readerOf(lender(pool, schema)),
    transaction: (work) =>
      lane.add(({ writer, clearCache }) => {
        clearCache();
        return work(writer);
      }),
    jobs: jobStoreOn({
      read: async (work) => inReadTransaction(pool, (connection) => work(jobTablesOn(connection))),
      write: (work) => lane.add(async ({ tables }) => work(tables)),
    }),
    snapshot: views.read,
    version: views.version,
    async close() {
      await lane.idle();
      views.refresh();
      pool.close();
      // The last one to close tidies up what the others have written, so that is the writer.
      lane.close();
    },
  };
}

/** Who lends connections for reading. */
interface ReadSource {
  borrow(): { readonly reads: Reads; giveBack(): void };
}

function lender(pool: Pool, schema: Schema): ReadSource {
  const known = new WeakMap<Connection, Reads>();
  return {
    borrow() {
      const connection = pool.borrow();
      const reads = known.get(connection) ?? readsOn(connection, schema);
      known.set(connection, reads);
      return { reads, giveBack: () => pool.giveBack(connection) };
    },
  };
}

const always = (reads: Reads): ReadSource => ({
  borrow: () => ({ reads, giveBack: () => undefined }),
});

/** Readings as promises; a list holds its connection to its end, or until its consumer stops. */
function readerOf(from: ReadSource): Reader {
  const read = async <T>(work: (reads: Reads) => T): Promise<T> => {
    const { reads, giveBack } = from.borrow();
    try {
      return work(reads);
    } finally {
      giveBack();
    }
  };
  async function* iterate(query: Query, viewer?: Viewer): AsyncGenerator<Stored> {
    const { reads, giveBack } = from.borrow();
    try {
      for (const row of reads.stream(query, viewer)) yield row;
    } finally {
      giveBack();
    }
  }
  return {
    iterate: (query) => iterate(query),
    visible: (query, viewer) =>
      (query.site ?? viewer.site) === viewer.site ? iterate({ ...query, site: viewer.site }, viewer) : nothing(),
    get: (resource, site, id) => read((reads) => reads.get(resource, site, id)),
    find: (query) => read((reads) => reads.find(query)),
    totals: (site, begin, end) => read((reads) => reads.totals(site, begin, end)),
    rollup: (asked) => read((reads) => reads.rollup(asked)),
    countedRecords: (asked, what) => read((reads) => reads.countedRecords(asked, what)),
    gradedMetrics: (asked, kind) => read((reads) => reads.gradedMetrics(asked, kind)),
    count: (resource, site, ownerField) => read((reads) => reads.count(resource, site, ownerField)),
    history: (site, resource, id) => read((reads) => reads.history(site, resource, id)),
    siteHistory: (site, since, limit) => read((reads) => reads.siteHistory(site, since, limit)),
    passwordHash: (site, individual) => read((reads) => reads.passwordHash(site, individual)),
    token: (site, hash) => read((reads) => reads.token(site, hash)),
    tokens: (site, individual) => read((reads) => reads.tokens(site, individual)),
    grants: (site, individual) => read((reads) => reads.grants(site, individual)),
    members: (site, group) => read((reads) => reads.members(site, group)),
  };
}

/** What is seen of another site (D2). */
async function* nothing(): AsyncGenerator<Stored> {}

function withWaveTable(connection: Connection): Connection {
  connection.exec(WAVE_TABLE);
  return connection;
}

/** What the pieces of a transaction are lent. */
interface WriteHandle {
  readonly writer: Writer;
  readonly tables: JobTables;
  /** To be called before the writer is used: another piece may have been taken back, and other programs write too. */
  clearCache(): void;
}

function writeHandleOn(connection: Connection, schema: Schema): WriteHandle {
  const tables = jobTablesOn(connection);
  const { reads, connection: noticed, clear: clearCache } = withRowCache(connection, (one) => readsOn(one, schema));
  return { writer: writerOn(noticed, reads, schema, tables), tables, clearCache };
}

/** Reads see what the transaction has written; lists are collected, so that writing may go on while they are read. */
function writerOn(connection: Connection, reads: Reads, schema: Schema, tables: JobTables): Writer {
  const collecting: Reads = {
    ...reads,
    stream: (query, viewer) => reads.find(query, viewer)[Symbol.iterator]() as IterableIterator<Stored>,
  };
  const writes = writesOn(connection, schema);
  return {
    ...readerOf(always(collecting)),
    jobs: jobStoreOn({ read: async (work) => work(tables), write: async (work) => work(tables) }),
    savepoint: savepointsOn(connection),
    insert: async (resource, row) => writes.insert(resource, row),
    update: async (resource, site, id, changes) => writes.update(resource, site, id, changes),
    remove: async (resource, site, id) => writes.remove(resource, site, id),
    cascade: async (site, resource, id, gone) => writes.cascade(site, resource, id, gone),
    nextID: async (resource, site) => writes.nextID(resource, site),
    addHistory: async (site, line) => writes.addHistory(site, line),
    setPasswordHash: async (site, individual, hash) => writes.setPasswordHash(site, individual, hash),
    insertToken: async (site, token, hash) => writes.insertToken(site, token, hash),
    useToken: async (site, id, lastUsed, expires) => writes.useToken(site, id, lastUsed, expires),
    deleteToken: async (site, id) => writes.deleteToken(site, id),
    addMember: async (site, group, individual) => writes.addMember(site, group, individual),
    deleteMember: async (site, group, individual) => writes.deleteMember(site, group, individual),
  };
}
