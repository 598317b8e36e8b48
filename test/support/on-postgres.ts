// The stores of files, kept in databases of PostgreSQL instead: each file that a test opens is a database of a server. What is
// shown of files is shown of PostgreSQL, too.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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
  copy(address: string): Promise<Address>;
  drop(address: Address): Promise<void>;
  end(): void;
}

/** The databases of the files that were opened. */
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
  const address = await (await databases).make(options.computed === computedFields);
  writeFileSync(options.file, address.shown);
  const { store, created } = await openPostgres({ ...SCHEMA, computed: options.computed, address }, fill);
  await store.close();
  return created ? 'created' : 'existed';
}

/** As `openSqlite`. A file that is opened for the first time, be it a copy, gets a copy of its database. */
export async function openOnPostgres(options: SqliteOptions): Promise<Store> {
  databases ??= onServer();
  const address = known.get(options.file) ?? (await copied(await databases, options.file));
  return (await openPostgres({ ...SCHEMA, computed: options.computed, address })).store;
}

async function copied(all: Databases, file: string): Promise<Address> {
  for (const [gone, address] of known) if (!existsSync(gone)) await dropped(all, gone, address);
  const address = await all.copy(readFileSync(file, 'utf8'));
  known.set(file, address);
  writeFileSync(file, address.shown);
  return address;
}

async function dropped(all: Databases, file: string, address: Address): Promise<void> {
  known.delete(file);
  await all.drop(address);
}

const SCHEMA = { resources: storedResources, computed: computedFields, password: () => undefined };

/** Each database is a copy of one that has the tables. */
async function onServer(): Promise<Databases> {
  const server = await startPostgres();
  const [template, admin] = [await server.newDatabase(), await server.newDatabase()];
  const at = (address: string) => addressOf(address, POSTGRES_USER, 'a test');
  const { store } = await openPostgres({ address: at(template), ...SCHEMA });
  await store.close();
  return {
    make: async (isContract) => at(await server.newDatabase(isContract ? template : undefined)),
    copy: async (address) => at(await server.newDatabase(address)),
    drop: async ({ name }) => void (await onDatabase(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
    end: () => server.end(),
  };
}
