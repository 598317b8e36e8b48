// Composes the back end that a profile names: here alone engine and store are put together.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Backend } from '../contract/call.ts';
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
  const { existsSync } = await import('node:fs');
  const [{ openEngine, bearFirst, computedFields }, { openSqlite }, { resources }] = await Promise.all([
    import('../engine/index.ts'),
    import('../engine/store/sqlite.ts'),
    import('../contract/index.ts'),
  ]);
  const options = { file, resources, computed: computedFields };
  const parts = { clock, newID: randomUUID };
  let born = false;
  if (!existsSync(file)) {
    const [{ createSqlite }, { makeHome }] = await Promise.all([
      import('../engine/store/create.ts'),
      import('./home.ts'),
    ]);
    makeHome(home);
    const fill = { name: FIRST_SITE, admin: owner, global: true };
    born =
      (await createSqlite(options, async (store) => void (await bearFirst({ ...parts, store }, fill)))) === 'created';
  }
  const store = await openSqlite(options);
  return { backend: openEngine({ ...parts, store, owner }), file, born };
}

/** The place of a process: its folder, its user, its clock. */
export async function placeOf(io: Streams): Promise<Place> {
  const { homeOf, systemUser } = await import('./home.ts');
  return { home: homeOf(io), owner: systemUser(io), clock: () => io.now() };
}
