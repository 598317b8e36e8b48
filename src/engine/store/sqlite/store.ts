// The store on SQLite: one write connection behind a queue, and a pool of read connections.
import { once, oncePer } from '../../../text/once-per.ts';
import { jobStoreOf } from '../journal/job-store.ts';
import { type Logic, logicOf } from '../logic.ts';
import type { Reader, Store, Writer } from '../port.ts';
import type { Described } from '../schema/tables.ts';
import { DATABASE, type FileKind, type OnUpgraded } from '../schema/versions.ts';
import { rowCacheOver } from '../sql/row-cache.ts';
import { asStored } from '../sql/rows.ts';
import { promised, type Steps } from '../sql/steps.ts';
import { answered } from './answered.ts';
import { type Answering, BUSY_TIMEOUT_MS, type Connection, connect } from './connection.ts';
import { sqliteLayout, sqliteSchema } from './dialect.ts';
import { sweepDrafts } from './file/beside.ts';
import { migrate } from './file/migrate.ts';
import { connectOrMigrate } from './file/version.ts';
import { watchFile } from './file/watch.ts';
import { pooled, poolOf, readerOf, snapshotsOn } from './snapshots.ts';
import { savepointsOn, type WriteConnection, writeConnection } from './writer.ts';

export interface SqliteOptions extends Described {
  readonly file: string;
  /** How long to wait for another process's write, in milliseconds; 10 seconds by default. */
  readonly busyMs?: number;
  /** The memory of the write connection, in MiB; 8 by default. A transaction that changes more rereads its own pages. */
  readonly cacheMib?: number;
  /** The versions of these tables; those of the contract by default. */
  readonly kind?: FileKind;
  /** Whether another file that is put in its place is opened, after one `replaced`; by default all calls throw that. */
  readonly reopens?: boolean;
  readonly onUpgraded?: OnUpgraded;
}

/** Opens an existing database, and migrates an older one. Throws `storage` where it is missing or not one of ours. */
export async function openSqlite(options: SqliteOptions): Promise<Store> {
  const { file, resources, computed, busyMs, kind = DATABASE } = options;
  sweepDrafts(file);
  const schema = sqliteSchema(resources, computed);
  const migrateFile = (): void =>
    migrate(file, kind, sqliteLayout(schema), busyMs ?? BUSY_TIMEOUT_MS, options.onUpgraded);
  const watch = watchFile(file, options.reopens);
  const pool = poolOf(watch, () => connectOrMigrate(() => connect(file, 'read', busyMs, kind), migrateFile));
  const logic = logicOf(file, schema);
  const readerOn = (connection: Answering): Reader => readerOf(connection, logic.reads, schema);
  const snapshots = snapshotsOn(pool, readerOn);
  const connectWriter = () => connect(file, 'write', busyMs, kind, options.cacheMib);
  let writer: WriteConnection | undefined;
  const writing = (): WriteConnection => {
    writer ??= writeConnection(watch, connectWriter, snapshots.refresh);
    return writer;
  };
  const jobs = once(() =>
    jobStoreOf(logic.tables, {
      read: async (work) => answered(pooled(pool), work()),
      write: (work, durability) => writing().add(async (connection) => answered(connection, work()), durability),
    }),
  );
  const handleOn = oncePer((connection: Connection) => writeHandleOn(connection, logic));
  return {
    ...readerOn(pooled(pool)),
    transaction: (work, _runs, durability) =>
      writing().add((connection) => {
        const { writer, clearCache } = handleOn(connection);
        clearCache();
        return work(writer);
      }, durability),
    get jobs() {
      return jobs();
    },
    snapshot: snapshots.read,
    version: snapshots.version,
    async past(site, moment, treePlaceOf) {
      const { openPast } = await import('../clone/past.ts');
      return openPast({ source: file, tables: { resources, computed }, treePlaceOf, site, moment });
    },
    async close() {
      await writer?.idle();
      snapshots.refresh();
      pool.close();
      // The last connection to close checkpoints the wal, which only the writer may do.
      await writer?.close();
    },
  };
}

/** The transactions of one write connection work with it. */
function writeHandleOn(connection: Connection, { schema, reads, writes, tables }: Logic) {
  const cache = rowCacheOver(reads, writes);
  // Collects lists, so that writing may go on while they are read.
  const reading: Answering = { ...connection, stream: (sql, params) => connection.all(sql, params)[Symbol.iterator]() };
  const savepoint = savepointsOn(connection);
  const atOnce = async <T>(work: () => Steps<T>): Promise<T> => answered(connection, work());
  const writer: Writer = {
    ...readerOf(reading, cache.reads, schema),
    ...promised(cache.writes, (steps) => answered(connection, steps())),
    jobs: jobStoreOf(tables, { read: atOnce, write: atOnce }),
    asStored: (resource, row) => asStored(schema.table(resource), row),
    savepoint: (work) =>
      savepoint(work).catch((error: unknown) => {
        cache.clear();
        throw error;
      }),
  };
  // Before each transaction the cache is cleared: another one may have been rolled back, and other processes write too.
  return { writer, clearCache: cache.clear };
}
