// Composes the embedded back end and the journal: the only place that puts engine and store together.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Backend, CREDENTIAL_LIMITS } from '../contract/call.ts';
import { storedResources } from '../contract/index.ts';
import { computedFields, makeFirstSite, openEngine } from '../engine/index.ts';
import { type Journal, openJournal } from '../engine/store/journal/journal.ts';
import { createSqlite } from '../engine/store/sqlite/create.ts';
import { openSqlite, type SqliteOptions } from '../engine/store/sqlite/store.ts';
import { defined } from '../text/defined.ts';
import { homeOf, makeHome, systemUser } from './profiles/home.ts';
import type { Streams } from './streams.ts';
import { whole } from './whole-number.ts';

export interface Place {
  readonly home: string;
  /** The user name of the first administrator, who is also the default caller. */
  readonly owner: string;
  readonly clock: () => Date;
  /** See `SqliteOptions`. */
  readonly cacheMib?: number;
  /** The fewest characters of a new password. */
  readonly minPassword?: number | undefined;
  /** A missing database is made in a folder of its own, which goes when the back end is closed. */
  readonly rehearses?: boolean;
}

export interface Opened {
  readonly backend: Backend;
  readonly file: string;
  /** The database was created by this call, there or for a rehearsal elsewhere. */
  readonly created: boolean;
}

const FIRST_SITE = 'Local';

const fileIn = ({ home }: Pick<Place, 'home'>): string => join(home, 'local.db');

/** Is there no database yet? */
export const isMissing = (place: Pick<Place, 'home'>): boolean => !existsSync(fileIn(place));

/** Opens the embedded engine on `local.db` of the folder; creates a missing file (D1). */
export async function openLocal(place: Place): Promise<Opened> {
  if (!place.rehearses || !isMissing(place)) return openFile(place);
  const home = mkdtempSync(join(tmpdir(), 'pm-rehearsal-'));
  const end = (): void => rmSync(home, { recursive: true, force: true });
  try {
    const { backend } = await openFile({ ...place, home });
    return { backend: { ...backend, close: () => backend.close().finally(end) }, file: fileIn(place), created: true };
  } catch (error) {
    end();
    throw error;
  }
}

async function openFile({ home, owner, clock, cacheMib, minPassword }: Place): Promise<Opened> {
  const file = fileIn({ home });
  const options = { file, resources: storedResources, computed: computedFields };
  const parts = { clock, newID: () => crypto.randomUUID(), minPassword };
  let created = false;
  if (!existsSync(file)) {
    makeHome(home);
    const fill = { name: FIRST_SITE, admin: owner, global: true };
    created =
      (await createSqlite(options, async (store) => void (await makeFirstSite({ ...parts, store }, fill)))) ===
      'created';
  }
  const store = await openSqlite({ ...options, ...defined<Pick<SqliteOptions, 'cacheMib'>>({ cacheMib }) });
  return { backend: openEngine({ ...parts, store, owner }), file, created };
}

/** The folder, user and clock of a process. */
export const placeOf = (io: Streams): Place => ({
  home: homeOf(io),
  owner: systemUser(io),
  clock: () => io.now(),
  minPassword: minPasswordOf(io.env.PM_MIN_PASSWORD),
});

/** The fewest characters of a new password, from 1 to 1,024; undefined where nothing says so. Throws `usage`. */
export const minPasswordOf = (text: string | undefined, name = 'PM_MIN_PASSWORD'): number | undefined =>
  text ? whole(name, text, [1, CREDENTIAL_LIMITS.password]) : undefined;

/** Opens the journal of remote jobs; creates a missing one. Throws `storage`, `busy`, `disk_full`. */
export async function openJournalOf(io: Streams): Promise<Journal> {
  const home = homeOf(io);
  makeHome(home);
  return openJournal(join(home, 'journal.db'));
}
