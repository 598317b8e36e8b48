// The stores of files, kept in databases of PostgreSQL instead: each file that a test opens is a database of a server. What is
// shown of files is shown of PostgreSQL, too.
import { existsSync, writeFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import { computedFields } from '../../src/engine/index.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { type Address, addressOf } from '../../src/engine/store/postgres/address.ts';
import { openPostgres } from '../../src/engine/store/postgres/store.ts';
import type { SqliteOptions } from '../../src/engine/store/sqlite/store.ts';
import { onDatabase, POSTGRES_USER, startPostgres } from './postgres.ts';

interface Databases {
  /** Makes a database, which has the tables of the contract already, or none. */
  make(isContract: boolean): Promise<Address>;
  drop(address: Address): Promise<void>;
  end(): void;
}

const known = new Map<string, Address>();
let databases: Promise<Databases> | undefined;

afterAll(async () => (await databases)?.end());

/** As `createSqlite`; a file with its address stands for the database. */
export async function createOnPostgres(
  options: SqliteOptions,
  fill: (store: Store) => Promise<void>,
): Promise<'created' | 'existed'> {
  if (existsSync(options.file)) return 'existed';
  databases ??= onServer();
  for (const [file, address] of known) if (!existsSync(file)) await dropped(await databases, file, address);
  const address = await (await databases).make(options.computed === computedFields);
  known.set(options.file, address);
  writeFileSync(options.file, address.shown);
  const { store, created } = await openPostgres({ ...SCHEMA, computed: options.computed, address }, fill);
  await store.close();
  return created ? 'created' : 'existed';
}

async function dropped(all: Databases, file: string, address: Address): Promise<void> {
  known.delete(file);
  await all.drop(address);
}

/** As `openSqlite`. */
export async function openOnPostgres(options: SqliteOptions): Promise<Store> {
  const address = known.get(options.file);
  if (!address) throw new Error(`no database stands for ${options.file}`);
  return (await openPostgres({ ...SCHEMA, computed: options.computed, address })).store;
}

const SCHEMA = { resources: storedResources, computed: computedFields, password: () => undefined };

/** Each database is a copy of one that has the tables. */
async function onServer(): Promise<Databases> {
  const server = await startPostgres();
  const [template, admin] = [await server.newDatabase(), await server.newDatabase()];
  const at = (address: string) => addressOf(address, POSTGRES_USER, 'a test');
  const { store } = await openPostgres({ address: at(template), ...SCHEMA });
  await store.close();
  let made = 0;
  return {
    async make(isContract) {
      const name = `copy_${++made}`;
      await onDatabase(admin, `CREATE DATABASE ${name}${isContract ? ` TEMPLATE ${at(template).name}` : ''}`);
      return at(admin.replace(at(admin).name, name));
    },
    drop: async ({ name }) => void (await onDatabase(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
    end: () => server.end(),
  };
}
