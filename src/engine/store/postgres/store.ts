// The store on PostgreSQL: reading, writing and lists have connections of their own, so that none waits for the others.
import { jobStoreOf } from '../journal/job-store.ts';
import { type Logic, logicOf } from '../logic.ts';
import type { Query, Reader, Reads, Store, Stored, Writer, Writes } from '../port.ts';
import { statementsOf } from '../schema/ddl.ts';
import { type Described, type Schema, schemaOf } from '../schema/tables.ts';
import { DATABASE, type OnUpgraded } from '../schema/versions.ts';
import { listing } from '../sql/reads.ts';
import { rowCacheOver } from '../sql/row-cache.ts';
import { asStored } from '../sql/rows.ts';
import { type Bound, promised, type Raw, type Steps } from '../sql/steps.ts';
import type { Address } from './address.ts';
import { patienceOf, readAgain } from './again.ts';
import { type Answers, answered } from './answered.ts';
import { type Connection, connect, LIMITS, type Limits, type Params, type Result, UNLIMITED } from './connection.ts';
import { inSnapshot, type Lists, listed, pagesOf, type Snapshot } from './cursor.ts';
import { POSTGRES } from './dialect.ts';
import { listTurns } from './list-turns.ts';
import { bringTables } from './migrate.ts';
import { type Pool, poolOf, withConnection } from './pool.ts';
import { refuseShared } from './pooler.ts';
import { isQuick, siteOf, soleIDOf } from './site-of.ts';
import type { Transaction } from './transactions/transaction.ts';
import { transactionsOn } from './transactions/transactions.ts';

export interface PostgresOptions extends Described {
  readonly address: Address;
  /** Asked for with each connection. */
  readonly password: () => string | undefined;
  readonly limits?: Limits;
  readonly pools?: PoolSizes;
  /** Each reader of lists has a share of their connections, and a slow one makes room for others. */
  readonly hasManyReaders?: boolean;
  /** How long a server that has gone away is waited for, in milliseconds. */
  readonly awayMs?: number | undefined;
  /** Called with its failure once the server is waited for. */
  readonly onAway?: ((failure: unknown) => void) | undefined;
  /** Called with each failure after which a transaction runs again. */
  readonly onRepeat?: ((failure: unknown) => void) | undefined;
  readonly onUpgraded?: OnUpgraded | undefined;
}

/** The most connections of one process for each kind of work, and how long work waits for one. */
interface PoolSizes {
  readonly readers: number;
  readonly writers: number;
  readonly lists: number;
  readonly waitMs: number;
}

const POOLS: PoolSizes = { readers: 6, writers: 4, lists: 4, waitMs: 10_000 };
/** The lists of one of many readers, and how long they may keep a page that others wait for. */
const SHARE = { mostOfOne: 2, pageMs: 5_000 };

export interface OpenedDatabase {
  readonly store: Store;
  /** Its first records were written by this call. */
  readonly created: boolean;
}

/**
 * Opens a database; makes the tables in an empty one, and lets `fill` write its first records, of several processes once.
 * Throws `unreachable`, `storage` where it is not one of ours or of another version, `overloaded`.
 */
export async function openPostgres(
  options: PostgresOptions,
  fill?: (store: Store) => Promise<void>,
): Promise<OpenedDatabase> {
  const { address, resources, computed, limits = LIMITS, pools: sizes = POOLS, onRepeat } = options;
  const schema = schemaOf(resources, computed, POSTGRES);
  const open = (): Promise<Connection> => connect(address, options.password, limits);
  const patience = patienceOf(options.awayMs, options.onAway);
  const pool = (most: number): Pool => poolOf(open, { most, waitMs: sizes.waitMs, patience });
  const pools = { readers: pool(sizes.readers), writers: pool(sizes.writers), lists: pool(sizes.lists) };
  const wanted = { kind: DATABASE, statements: statementsOf(schema, []), onUpgraded: options.onUpgraded };
  const close = async (): Promise<void> => {
    await pools.writers.idle();
    await Promise.all(Object.values(pools).map((pool) => pool.close()));
  };
  const logic = logicOf(address.shown, schema);
  const inTransaction = transactionsOn({ pool: pools.writers, connect: open, onRepeat });
  const quick = sharedReads(pools.readers);
  const turns = { ...SHARE, most: sizes.lists, waitMs: sizes.waitMs };
  const lists: Lists = { pool: pools.lists, turnOf: options.hasManyReaders ? listTurns(turns) : undefined };
  const read = <T>(steps: () => Steps<T>): Promise<T> =>
    readAgain(() => withConnection(pools.readers, (connection) => answered(connection, steps())), patience);
  const readQuickly = <T>(steps: () => Steps<T>): Promise<T> => readAgain(() => answered(quick, steps()), patience);
  const store: Store = {
    isFar: true,
    ...promised(logic.reads, (steps, name) => (isQuick(name) ? readQuickly(steps) : read(steps))),
    iterate: (query) => rowsOf(schema, query, (sql, params) => listed(lists, query.reader ?? '', sql, params)),
    transaction: (work, runs) => inTransaction((transaction) => work(writerOn(transaction, logic)), runs),
    jobs: jobStoreOf(logic.tables, {
      read,
      write: (steps) => inTransaction((transaction) => transaction.run(steps())),
    }),
    snapshot: (work, runs = 'once') =>
      inSnapshot(pools.readers, runs, (snapshot) => work(readerOn(snapshot, logic)), quick),
    version: () => undefined,
    async past(site, moment, treePlaceOf) {
      const { openServerSource } = await import('../clone/on-server.ts');
      const { openPast } = await import('../clone/past.ts');
      const tables = { resources, computed };
      const source = await openServerSource({ ...options, place: address.shown }, tables);
      return openPast({ source, tables, treePlaceOf, site, moment }).finally(() => source.close());
    },
    close,
  };
  try {
    await Promise.all([
      bringTables(pools.writers, () => connect(address, options.password, UNLIMITED), wanted),
      withConnection(pools.readers, (connection) => refuseShared(connection, open)),
    ]);
    const locking: Store['transaction'] = (work, runs) =>
      inTransaction(async (transaction) => {
        await transaction.lock(EVERY_SITE);
        return work(writerOn(transaction, logic));
      }, runs);
    return { store, created: fill !== undefined && (await fillOnce(store, locking, fill)) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Locked like a site while the first one is made. */
const EVERY_SITE = '';
const ANY_SITE = { resource: 'site', site: undefined, deleted: 2, limit: 1 } as const;

/** Answers whether this call has filled the store: of several processes the first one does. */
async function fillOnce(
  store: Store,
  locking: Store['transaction'],
  fill: (store: Store) => Promise<void>,
): Promise<boolean> {
  if ((await store.find(ANY_SITE)).length > 0) return false;
  const filled = new Error('another process was faster');
  const once: Store = {
    ...store,
    transaction: (work, runs) =>
      locking(async (writer) => {
        if ((await writer.find(ANY_SITE)).length > 0) throw filled;
        return work(writer);
      }, runs),
  };
  try {
    await fill(once);
    return true;
  } catch (error) {
    if (error === filled) return false;
    throw error;
  }
}

async function* rowsOf(
  schema: Schema,
  query: Query,
  pages: (sql: string, params: readonly Bound[]) => AsyncIterable<Raw>,
): AsyncGenerator<Stored> {
  const { sql, params, record, isWanted } = listing(schema, query);
  let left = isWanted ? (query.limit ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  for await (const raw of pages(sql, params)) {
    if (left === 0) return;
    const row = record(raw);
    if (isWanted && !isWanted(row)) continue;
    left--;
    yield row;
  }
}

function readerOn(snapshot: Snapshot, { schema, reads }: Logic): Reader {
  let lists = 0;
  return {
    isFar: true,
    ...promised(reads, (steps, name) => snapshot.read(steps, isQuick(name))),
    iterate: (query) =>
      rowsOf(schema, query, async function* (sql, params) {
        yield* pagesOf(await snapshot.connection(), `list_${++lists}`, sql, params);
      }),
  };
}

/** A call that names a site locks it first, so that nothing read in it changes before the transaction ends. */
function writerOn(transaction: Transaction, { schema, reads, writes, tables }: Logic): Writer {
  const cache = rowCacheOver(reads, writes);
  transaction.keepIn(cache);
  const calling =
    (run: <T>(steps: Steps<T>, id?: string) => Promise<T>) =>
    async <T>(steps: () => Steps<T>, name: keyof (Reads & Writes), args: readonly unknown[]): Promise<T> => {
      const site = siteOf(name, args);
      if (site !== undefined) await transaction.lock(site);
      return run(steps(), soleIDOf(name, args));
    };
  const read = promised(cache.reads, calling(transaction.read));
  const atOnce = <T>(steps: () => Steps<T>): Promise<T> => transaction.run(steps());
  return {
    isFar: true,
    ...read,
    ...promised(cache.writes, calling(transaction.run)),
    // Collected, so that writing may go on while they are read.
    async *iterate(query) {
      yield* await read.find(query);
    },
    jobs: jobStoreOf(tables, { read: atOnce, write: atOnce }),
    asStored: (resource, row) => asStored(schema.table(resource), row),
    savepoint: (work) => transaction.savepoint(work),
  };
}

/** Round trips at the same time. With more of them fewer statements would go together; with one each waited for the one before. */
const MOST_TRIPS = 2;

interface Asked {
  readonly sql: string;
  readonly params: Params;
  readonly answer: Promise<Result>;
  resolve(answer: Promise<Result>): void;
}

/**
 * Answers reads that take the server no time, each outside of a transaction. Those of all who ask share a round trip: reads
 * is asked while others are under way goes in one piece, and the same statement once.
 */
export function sharedReads(pool: Pool): Answers {
  let waiting = new Map<string, Asked>();
  let trips = 0;
  const send = (): void => {
    if (waiting.size === 0 || trips === MOST_TRIPS) return;
    trips++;
    void trip().finally(() => {
      trips--;
      send();
    });
  };
  const trip = async (): Promise<void> => {
    const asking = withConnection(pool, async ({ ask }) => {
      // Not before there is a connection: until then more may come.
      const all = [...waiting.values()];
      waiting = new Map();
      await Promise.allSettled(
        all.map((one) => {
          const answer = ask(one.sql, one.params);
          one.resolve(answer);
          return answer;
        }),
      );
    });
    await asking.catch((error: unknown) => {
      for (const one of waiting.values()) one.resolve(Promise.reject(error));
      waiting = new Map();
    });
  };
  return {
    ask(sql, params = []) {
      const key = `${sql} ${JSON.stringify(params)}`;
      const same = waiting.get(key);
      if (same) return same.answer;
      let resolve: Asked['resolve'] = () => undefined;
      const answer = new Promise<Result>((settle) => {
        resolve = settle;
      });
      // At the end of this turn of the event loop, in which others may ask, too.
      if (waiting.size === 0) setImmediate(send);
      waiting.set(key, { sql, params, answer, resolve });
      return answer;
    },
  };
}
