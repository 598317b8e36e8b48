// The store on SQLite: one write connection behind a queue, and a pool of read connections.
import type { Resource } from '../../../contract/resource.ts';
import { type JobTables, jobStoreOn, jobTablesOn } from '../journal/job-store.ts';
import { prepareOlderJobs } from '../journal/older-jobs.ts';
import type { Promised, Reader, Store, Writer } from '../port.ts';
import { layoutOf } from '../schema/ddl.ts';
import { type Computed, type Schema, schemaOf } from '../schema/tables.ts';
import { DATABASE, type FileKind } from '../schema/versions.ts';
import { WAVE_TABLE } from '../sql/cascade.ts';
import { readsOn, type SqlReads } from '../sql/reads.ts';
import { writesOn } from '../sql/writes.ts';
import { BUSY_TIMEOUT_MS, type Connection, connect, type ReadConnection } from './connection.ts';
import { watchFile } from './file-watch.ts';
import { sweepDrafts } from './files.ts';
import { connectOrMigrate, migrate } from './migrate.ts';
import { withRowCache } from './row-cache.ts';
import { inReadTransaction, pooled, poolOf, snapshotsOn } from './snapshots.ts';
import { savepointsOn, writeConnection } from './writer.ts';

export interface SqliteOptions {
  readonly file: string;
  readonly resources: readonly Resource[];
  readonly computed: Computed;
  /** How long to wait for another process's write, in milliseconds; 10 seconds by default. */
  readonly busyMs?: number;
  /** What the write connection keeps in memory, in MiB; 32 by default. A transaction that changes more rereads its own pages. */
  readonly cacheMib?: number;
  /** The versions of these tables; those of the contract by default. */
  readonly kind?: FileKind;
  /** Whether another file that is put in its place is opened, after one `replaced`; by default all calls throw that. */
  readonly reopens?: boolean;
  /**
   * Resolves when this process may write, with what ends its turn. Processes that write in turns never wait for the file's
   * lock, which blocks them.
   */
  readonly turn?: () => Promise<() => void>;
}

/** Opens an existing database, and migrates an older one. Throws `storage` where it is missing or not one of ours. */
export async function openSqlite({
  file,
  resources,
  computed,
  busyMs,
  cacheMib,
  kind = DATABASE,
  reopens,
  turn,
}: SqliteOptions): Promise<Store> {
  sweepDrafts(file);
  const schema = schemaOf(resources, computed);
  const migrateFile = (): void =>
    migrate(file, kind, { ...layoutOf(schema), prepare: prepareOlderJobs }, busyMs ?? BUSY_TIMEOUT_MS);
  const watch = watchFile(file, reopens);
  const connectReader = () => connectOrMigrate(() => connect(file, 'read', busyMs, kind), migrateFile);
  const pool = poolOf(watch, connectReader);
  pool.giveBack(watch.open(connectReader));
  const readerOn = (connection: ReadConnection): Reader => readerOf(readsOn(connection, schema));
  const snapshots = snapshotsOn(pool, readerOn);
  const writing = writeConnection(
    watch,
    () => withWaveTable(connect(file, 'write', busyMs, kind, cacheMib)),
    (connection) => writeHandleOn(connection, schema),
    { committed: snapshots.refresh, turn },
  );
  return {
    ...readerOn(pooled(pool, file)),
    transaction: (work) =>
      writing.add(({ writer, clearCache }) => {
        clearCache();
        return work(writer);
      }),
    jobs: jobStoreOn({
      read: async (work) => inReadTransaction(pool, (connection) => work(jobTablesOn(connection))),
      write: (work) => writing.add(async ({ tables }) => work(tables)),
    }),
    snapshot: snapshots.read,
    version: snapshots.version,
    async close() {
      await writing.idle();
      snapshots.refresh();
      pool.close();
      // The last connection to close checkpoints the journal, which only the writer may do.
      writing.close();
    },
  };
}

function readerOf({ stream, ...reads }: SqlReads): Reader {
  return {
    ...promised(reads),
    async *iterate(query) {
      for (const row of stream(query)) yield row;
    },
  };
}

type Methods<M> = Readonly<Record<keyof M, (...args: never[]) => unknown>>;

/** The same methods, each of which answers a promise. */
function promised<M extends Methods<M>>(methods: M): Promised<M> {
  const names = Object.keys(methods) as (keyof M)[];
  // The mapped type cannot be built name by name.
  return Object.fromEntries(
    names.map((name) => [name, async (...args: never[]) => methods[name](...args)]),
  ) as unknown as Promised<M>;
}

function withWaveTable(connection: Connection): Connection {
  connection.exec(WAVE_TABLE);
  return connection;
}

/** What the transactions of one write connection work with. */
interface WriteHandle {
  readonly writer: Writer;
  readonly tables: JobTables;
  /** To be called before each transaction: another one may have been rolled back, and other processes write too. */
  clearCache(): void;
}

function writeHandleOn(connection: Connection, schema: Schema): WriteHandle {
  const tables = jobTablesOn(connection);
  const cache = withRowCache(connection, readsOn(collecting(connection), schema));
  return {
    tables,
    clearCache: cache.clear,
    writer: {
      ...readerOf(cache.reads),
      ...promised(writesOn(cache.connection, schema)),
      jobs: jobStoreOn({ read: async (work) => work(tables), write: async (work) => work(tables) }),
      savepoint: savepointsOn(cache.connection),
    },
  };
}

/** Collects lists, so that writing may go on while they are read. */
const collecting = (connection: Connection): ReadConnection => ({
  ...connection,
  stream: (sql, params) => connection.all(sql, params)[Symbol.iterator](),
});
