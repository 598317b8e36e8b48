// The stores of files, kept in databases of PostgreSQL instead: each file that a test opens is a database of a server. What is
// shown of files is shown of PostgreSQL, too.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { type Address, addressOf } from '../../src/engine/store/postgres/address.ts';
import { openPostgres } from '../../src/engine/store/postgres/store.ts';
import type { SqliteOptions } from '../../src/engine/store/sqlite/store.ts';
import { onDatabase, POSTGRES_USER, startPostgres } from './postgres.ts';

interface Databases {
  /** Makes an empty database, or a copy of the one at this address. */
  make(like?: string): Promise<Address>;
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
  const address = await (await databases).make();
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
  for (const [gone, address] of known) if (!existsSync(gone) && known.delete(gone)) await all.drop(address);
  const address = await all.make(readFileSync(file, 'utf8'));
  known.set(file, address);
  writeFileSync(file, address.shown);
  return address;
}

const SCHEMA = { resources: storedResources, password: () => undefined };

async function onServer(): Promise<Databases> {
  const server = await startPostgres();
  const admin = await server.newDatabase();
  return {
    make: async (like) => addressOf(await server.newDatabase(like), POSTGRES_USER, 'a test'),
    drop: async ({ name }) => void (await onDatabase(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
    end: () => server.end(),
  };
}
