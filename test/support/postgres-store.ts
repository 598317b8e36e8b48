// Stores on a PostgreSQL server: each on a database of its own, copied from one that has the tables already.
import { storedResources } from '../../src/contract/index.ts';
import { computedFields } from '../../src/engine/index.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { openPostgres } from '../../src/engine/store/postgres/store.ts';
import type { Computed } from '../../src/engine/store/schema/tables.ts';
import { onDatabase, POSTGRES_USER } from './postgres.ts';

/** The address of a server whose databases the tests make, such as postgres://pm@127.0.0.1:5432; undefined for SQLite. */
export const TEST_SERVER = process.env.PM_TEST_POSTGRES;

let count = 0;
const templates = new Map<string, Promise<string>>();

export interface OpenedStore {
  readonly address: string;
  readonly store: Store;
  /** Closes the store, and deletes its database. */
  end(): Promise<void>;
}

/** Opens a store on a new database of the server, which has the tables and nothing in them. */
export async function newPostgresStore(server: string, computed: Computed = computedFields): Promise<OpenedStore> {
  const key = `${server} ${computed === computedFields}`;
  const template = templates.get(key) ?? madeTemplate(server, computed);
  templates.set(key, template);
  const name = `test_${process.pid}_${++count}`;
  await onDatabase(`${server}/postgres`, `CREATE DATABASE ${name} TEMPLATE ${await template}`);
  const address = `${server}/${name}`;
  const { store } = await opened(address, computed);
  return {
    address,
    store,
    async end() {
      await store.close();
      await onDatabase(`${server}/postgres`, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function madeTemplate(server: string, computed: Computed): Promise<string> {
  const name = `template_${process.pid}_${++count}`;
  await onDatabase(`${server}/postgres`, `CREATE DATABASE ${name}`);
  const { store } = await opened(`${server}/${name}`, computed);
  await store.close();
  return name;
}

const opened = (address: string, computed: Computed) =>
  openPostgres({
    address: addressOf(address, POSTGRES_USER, 'the test'),
    password: () => undefined,
    resources: storedResources,
    computed,
  });
