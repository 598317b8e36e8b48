// The stores of files, kept in databases of PostgreSQL instead: each file that a test opens is a database of a server, or of
// PGlite in this process with PM_TEST_STORE=pglite. What is shown of files is shown of PostgreSQL, too.
import { existsSync, writeFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import { computedFields } from '../../src/engine/index.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { openPostgres, type PostgresOptions } from '../../src/engine/store/postgres/store.ts';
import type { SqliteOptions } from '../../src/engine/store/sqlite/store.ts';
import { onPglite } from './pglite.ts';
import { onDatabase, POSTGRES_USER, startPostgres } from './postgres.ts';

export type Place = Pick<PostgresOptions, 'address' | 'connectOnly'>;

export interface Places {
  /** Makes a database, which has the tables of the contract already, or none. */
  make(isContract: boolean): Promise<Place>;
  drop(place: Place): Promise<void>;
  end(): Promise<void>;
}

const known = new Map<string, Place>();
let places: Promise<Places> | undefined;

afterAll(async () => (await places)?.end());

/** As `createSqlite`; a file with its address stands for the database. */
export async function createOnPostgres(
  options: SqliteOptions,
  fill: (store: Store) => Promise<void>,
): Promise<'created' | 'existed'> {
  if (existsSync(options.file)) return 'existed';
  places ??= process.env.PM_TEST_STORE === 'pglite' ? onPglite() : onServer();
  for (const [file, place] of known) if (!existsSync(file)) await dropped(await places, file, place);
  const place = await (await places).make(options.computed === computedFields);
  known.set(options.file, place);
  writeFileSync(options.file, place.connectOnly ? '' : place.address.shown);
  const { store, created } = await openPostgres({ ...SCHEMA, computed: options.computed, ...place }, fill);
  await store.close();
  return created ? 'created' : 'existed';
}

async function dropped(all: Places, file: string, place: Place): Promise<void> {
  known.delete(file);
  await all.drop(place);
}

/** As `openSqlite`. */
export async function openOnPostgres(options: SqliteOptions): Promise<Store> {
  const place = known.get(options.file);
  if (!place) throw new Error(`no database stands for ${options.file}`);
  return (await openPostgres({ ...SCHEMA, computed: options.computed, ...place })).store;
}

const SCHEMA = { resources: storedResources, computed: computedFields, password: () => undefined };

/** Each database is a copy of one that has the tables. */
async function onServer(): Promise<Places> {
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
      return { address: at(admin.replace(at(admin).name, name)) };
    },
    drop: async ({ address }) => void (await onDatabase(admin, `DROP DATABASE IF EXISTS ${address.name} WITH (FORCE)`)),
    end: async () => server.end(),
  };
}
