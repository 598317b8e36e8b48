// A database on a server as the source of a clone, and as its target.
import { createHash } from 'node:crypto';
import type { Address } from '../postgres/address.ts';
import { answered } from '../postgres/answered.ts';
import { type Connection, closedAfter, connect, LIMITS } from '../postgres/connection.ts';
import { BEGIN_SNAPSHOT } from '../postgres/cursor.ts';
import { POSTGRES } from '../postgres/dialect.ts';
import { prepare, versionIn } from '../postgres/migrate.ts';
import { poolOf, rollBack, withConnection } from '../postgres/pool.ts';
import { transactionsOn } from '../postgres/transactions/transactions.ts';
import { fillableStatements, statementsOf } from '../schema/ddl.ts';
import { type Described, type Schema, schemaOf } from '../schema/tables.ts';
import { CLONE, DATABASE, type OnUpgraded } from '../schema/versions.ts';
import { all, run, unusable } from '../sql/steps.ts';
import { CLONE_TABLES, dropMark, findClone } from './mark.ts';
import type { Destination, Source, Target } from './sides.ts';

/** A database on a server, and how its password is found. */
export interface Server {
  readonly address: Address;
  readonly password: () => string | undefined;
  readonly onUpgraded?: OnUpgraded | undefined;
  /** As a command names it. */
  readonly place: string;
}

/** The indexes of many records take long. */
const LONG = { ...LIMITS, statementMs: 6 * 3_600_000 };
const STATE = 'SELECT ID, Token FROM commit_marker ORDER BY ID';

const schemaIn = ({ resources, computed }: Described): Schema => schemaOf(resources, computed, POSTGRES);

const connectTo = ({ address, password }: Server): Promise<Connection> => connect(address, password, LONG);

/** Opens a database to be cloned, with tables of this version. Throws `unreachable`, and `storage` where it is empty or none of ours. */
export async function openServerSource(server: Server, tables: Described): Promise<Source> {
  const connection = await connectTo(server);
  try {
    if ((await versionIn(connection, DATABASE)) === 0) throw empty(connection.address);
    const { onUpgraded } = server;
    await prepare(connection, { kind: DATABASE, statements: statementsOf(schemaIn(tables), []), onUpgraded });
    await connection.exec(BEGIN_SNAPSHOT);
    const state = await stateIn(connection);
    return {
      place: server.address.shown,
      dialect: POSTGRES,
      state,
      read: (steps) => answered(connection, steps()),
      isChanged: () => onServer(server, async (now) => (await stateIn(now)) !== state),
      async close() {
        await rollBack(connection);
        await connection.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

const empty = (address: string): Error =>
  unusable(address, 'is empty: it has no tables yet', 'There is nothing to copy. Name another database.');

const onServer = <T>(server: Server, work: (connection: Connection) => Promise<T>): Promise<T> =>
  closedAfter(() => connectTo(server), work);

/** Every transaction that changes something writes another token. */
async function stateIn(connection: Connection): Promise<string> {
  const { rows } = await connection.ask(STATE);
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}

/** A database on a server to clone to. */
export function serverDestination(server: Server, tables: Described): Destination {
  const { tables: made, added } = fillableStatements(schemaIn(tables));
  const wanted = { kind: CLONE, statements: [...made, ...CLONE_TABLES.map(POSTGRES.createTable)] };
  return {
    place: server.place,
    find: () =>
      onServer(server, async (connection) =>
        (await versionIn(connection, CLONE)) === 0 ? undefined : answered(connection, findClone()),
      ),
    clear: () => onServer(server, clear),
    async open(begin) {
      const pool = poolOf(() => connectTo(server), { most: 2, waitMs: LIMITS.connectMs });
      const inTransaction = transactionsOn({ pool, connect: () => connectTo(server) });
      const write: Target['write'] = (steps) => inTransaction((transaction) => transaction.run(steps()));
      const close = (): Promise<void> => pool.close();
      try {
        await withConnection(pool, (connection) => prepare(connection, wanted));
        await write(begin);
      } catch (error) {
        await close();
        throw error;
      }
      return {
        place: server.address.shown,
        dialect: POSTGRES,
        read: (steps) => withConnection(pool, (connection) => answered(connection, steps())),
        write,
        added: added.map((sql) => () => run(sql)),
        async unmark() {
          await write(function* () {
            yield* dropMark();
            yield* run('UPDATE pm_database SET Application = ? WHERE ID = 1', [DATABASE.applicationID]);
          });
          // Without it the server would not know the sizes of the tables yet.
          await withConnection(pool, (connection) => connection.exec('ANALYZE'));
        },
        close,
      };
    },
  };
}

const OURS = `SELECT table_name FROM information_schema.tables
  WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name <> 'pm_database'`;

/** All tables are of the clone: it began in an empty database. */
async function clear(connection: Connection): Promise<void> {
  await connection.exec('BEGIN');
  try {
    await connection.exec('SELECT 1 FROM pm_database FOR UPDATE');
    await versionIn(connection, CLONE);
    for (const [name] of await answered(connection, all(OURS)))
      await connection.exec(`DROP TABLE "${String(name)}" CASCADE`);
    await connection.exec('DROP TABLE pm_database');
    await connection.exec('COMMIT');
  } catch (error) {
    await rollBack(connection);
    throw error;
  }
}
