// An engine on its own database, with a fixed clock and repeatable IDs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '../../src/contract/call.ts';
import { storedResources } from '../../src/contract/index.ts';
import { computedFields, makeFirstSite, openEngine } from '../../src/engine/index.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { createSqlite } from '../../src/engine/store/sqlite/file/create.ts';
import { openSqlite } from '../../src/engine/store/sqlite/store.ts';

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

/** A new database that holds one site, and how many IDs were given to make it. */
interface Born {
  readonly content: Buffer;
  readonly ids: number;
}

/** Those made so far, by the moment at which they begin: to make one takes longer than to write it. */
const born = new Map<number, Born>();

/** Opens an engine on a new database that holds one site. */
export async function newEngine(begin: Date): Promise<TestEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'pm-engine-'));
  const file = join(folder, 'local.db');
  let now = begin;
  const known = born.get(begin.getTime());
  const ids = countedIDs(known?.ids);
  const parts = { clock: () => now, newID: ids.next };
  const options = { file, resources: storedResources, computed: computedFields };
  const birth = { name: 'Test', admin: OWNER, global: true };
  if (known) writeFileSync(file, known.content);
  else await createSqlite(options, async (store) => void (await makeFirstSite({ ...parts, store }, birth)));
  if (!known) born.set(begin.getTime(), { content: readFileSync(file), ids: ids.given() });
  const store = await openSqlite(options);
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
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function countedIDs(given = 0): { next(): string; given(): number } {
  let count = given;
  return { next: () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`, given: () => count };
}
