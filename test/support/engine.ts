// An engine on its own database, with a fixed clock and repeatable IDs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '../../src/contract/call.ts';
import { storedResources } from '../../src/contract/index.ts';
import { computedFields, makeFirstSite, openEngine } from '../../src/engine/index.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { createSqlite } from '../../src/engine/store/sqlite/create.ts';
import { openSqlite } from '../../src/engine/store/sqlite/store.ts';
import { newPostgresStore, TEST_SERVER } from './postgres-store.ts';

export interface TestEngine {
  readonly backend: Backend;
  readonly store: Store;
  readonly file: string;
  setClock(at: Date): void;
  /** Closes the database and deletes it. */
  end(): Promise<void>;
}

/** The administrator of the first site, whose name is `Test`. */
export const OWNER = 'ada';

/** Opens an engine on a new database that holds one site. */
export async function newEngine(begin: Date): Promise<TestEngine> {
  let now = begin;
  const parts = { clock: () => now, newID: countedIDs() };
  const fill = async (store: Store): Promise<void> =>
    void (await makeFirstSite({ ...parts, store }, { name: 'Test', admin: OWNER, global: true }));
  const { store, file, end } = await (TEST_SERVER === undefined ? filledFile(fill) : filledDatabase(TEST_SERVER, fill));
  const backend = openEngine({ ...parts, store, owner: OWNER });
  return {
    backend,
    store,
    file,
    setClock(at) {
      now = at;
    },
    async end() {
      await backend.close();
      await end();
    },
  };
}

type Filled = Pick<TestEngine, 'store' | 'file' | 'end'>;

async function filledFile(fill: (store: Store) => Promise<void>): Promise<Filled> {
  const folder = mkdtempSync(join(tmpdir(), 'pm-engine-'));
  const file = join(folder, 'local.db');
  const options = { file, resources: storedResources, computed: computedFields };
  await createSqlite(options, fill);
  return {
    store: await openSqlite(options),
    file,
    end: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function filledDatabase(server: string, fill: (store: Store) => Promise<void>): Promise<Filled> {
  const { store, address, end } = await newPostgresStore(server);
  await fill(store);
  return { store, file: address, end };
}

function countedIDs(): () => string {
  let count = 0;
  return () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
}
