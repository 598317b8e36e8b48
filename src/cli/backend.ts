// Composes the back end that a profile names: here alone engine and store are put together.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Backend } from '../contract/call.ts';
import { storedResources } from '../contract/index.ts';
import { bearFirst, computedFields, openEngine } from '../engine/index.ts';
import { createSqlite } from '../engine/store/sqlite/create.ts';
import { openSqlite } from '../engine/store/sqlite/store.ts';
import { homeOf, makeHome, systemUser } from './profiles/home.ts';
import type { Streams } from './streams.ts';

export interface Place {
  readonly home: string;
  /** The user name of the first administrator, and of who calls where nobody is named. */
  readonly owner: string;
  readonly clock: () => Date;
}

export interface Opened {
  readonly backend: Backend;
  readonly file: string;
  /** The database was made just now. */
  readonly born: boolean;
}

const FIRST_SITE = 'Local';

/** Opens the embedded engine on `local.db` of that folder, and makes the file where there is none (D1). */
export async function openLocal({ home, owner, clock }: Place): Promise<Opened> {
  const file = join(home, 'local.db');
  const options = { file, resources: storedResources, computed: computedFields };
  const parts = { clock, newID: () => crypto.randomUUID() };
  let born = false;
  if (!existsSync(file)) {
    makeHome(home);
    const fill = { name: FIRST_SITE, admin: owner, global: true };
    born =
      (await createSqlite(options, async (store) => void (await bearFirst({ ...parts, store }, fill)))) === 'created';
  }
  const store = await openSqlite(options);
  return { backend: openEngine({ ...parts, store, owner }), file, born };
}

/** The place of a process: its folder, its user, its clock. */
export const placeOf = (io: Streams): Place => ({
  home: homeOf(io),
  owner: systemUser(io),
  clock: () => io.now(),
});
