// Composes the embedded back end and the journal: the only place that puts engine and store together.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Backend, type Caller, CREDENTIAL_LIMITS, type Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { storedResources } from '../contract/index.ts';
import { computedFields, makeFirstSite, openEngine } from '../engine/index.ts';
import type { Journal } from '../engine/store/journal/journal.ts';
import type { Address } from '../engine/store/postgres/address.ts';
import { passwordFor } from '../engine/store/postgres/passwords.ts';
import type { OpenedDatabase, PostgresOptions } from '../engine/store/postgres/store.ts';
import { DATABASE, type OnUpgraded } from '../engine/store/schema/versions.ts';
import { createSqlite } from '../engine/store/sqlite/file/create.ts';
import { openSqlite, type SqliteOptions } from '../engine/store/sqlite/store.ts';
import { defined } from '../text/defined.ts';
import { systemCode } from '../text/system-code.ts';
import { say } from './output/printing.ts';
import { checkFileSystem, databaseIn, homeOf, journalFile, makeHome, systemUser } from './profiles/home.ts';
import type { Settings } from './settings.ts';
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
  /** The file that is used instead of the folder's. */
  readonly file?: string;
  /** The database that is used instead of the folder's. */
  readonly database?: DatabaseAt | undefined;
  /** Says that older tables were brought forward, that a server is waited for, and at the end how often others were in the way. */
  readonly say?: (line: string) => void;
}

/** A database on a server, and how its password is found. */
export interface DatabaseAt extends Pick<PostgresOptions, 'address' | 'password' | 'awayMs' | 'hasManyReaders'> {}

export interface Opened {
  readonly backend: Backend;
  /** The file, or the address of the database. */
  readonly place: string;
  /** The database was created by this call, there or for a rehearsal elsewhere. */
  readonly created: boolean;
}

const FIRST_SITE = 'Local';

/** Is there no database yet, or none with tables? */
async function isMissing({ home, database }: Pick<Place, 'home' | 'database'>): Promise<boolean> {
  if (!database) return !existsSync(databaseIn(home));
  const { versionIn } = await import('../engine/store/postgres/migrate.ts');
  const { connect } = await import('../engine/store/postgres/connection.ts');
  const connection = await connect(database.address, database.password);
  try {
    return (await versionIn(connection, DATABASE)) === 0;
  } finally {
    await connection.close();
  }
}

/** Opens the embedded engine on `local.db` of the folder, or on a database; creates what is missing (D1). */
export async function openLocal(place: Place): Promise<Opened> {
  if (!place.rehearses || !(await isMissing(place))) return openThere(place);
  const home = mkdtempSync(join(tmpdir(), 'pm-rehearsal-'));
  const end = (): void => rmSync(home, { recursive: true, force: true });
  try {
    const { backend } = await openFile({ ...place, home });
    return { backend: { ...backend, close: () => backend.close().finally(end) }, place: nameOf(place), created: true };
  } catch (error) {
    end();
    throw error;
  }
}

/** Opens the engine, works in a session of this caller, and closes it. Throws as `openLocal`, and what `work` throws. */
export async function withLocal<T>(
  place: Place,
  who: Caller,
  work: (session: Session, opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await openLocal(place);
  try {
    return await work(await opened.backend.open(who), opened);
  } finally {
    await opened.backend.close();
  }
}

const openThere = (place: Place): Promise<Opened> =>
  place.database ? openOnServer(place, place.database) : openFile(place);

const nameOf = (place: Place): string => place.database?.address.shown ?? databaseIn(place.home);

async function openOnServer(place: Place, database: DatabaseAt): Promise<Opened> {
  const { clock, owner, minPassword, say } = place;
  let repeats = 0;
  const { store, created } = await openDatabase(place, database, () => void repeats++);
  const backend = openEngine({ store, clock, owner, minPassword, newID: () => crypto.randomUUID() });
  const close = async (): Promise<void> => {
    await backend.close();
    if (repeats > 0) say?.(`Transactions run again because of other programs: ${repeats}. Nothing was lost.`);
  };
  return { backend: { ...backend, close }, place: database.address.shown, created };
}

async function openFile({ home, file: named, owner, clock, cacheMib, minPassword, say }: Place): Promise<Opened> {
  const file = named ?? databaseIn(home);
  const onUpgraded: OnUpgraded = (from, to, copy) => say?.(upgraded(file, from, to, copy));
  const options = { file, resources: storedResources, computed: computedFields, onUpgraded };
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
  return { backend: openEngine({ ...parts, store, owner }), place: file, created };
}

/** Opens the database; makes its tables and its first site where it is empty. `onConflict`: work runs again. */
export async function openDatabase(
  { owner, clock, minPassword, say }: Omit<Place, 'home'>,
  database: DatabaseAt,
  onConflict?: () => void,
): Promise<OpenedDatabase> {
  const { openPostgres } = await import('../engine/store/postgres/store.ts');
  const { isConflict } = await import('../engine/store/postgres/failure.ts');
  const options = {
    ...{ ...database, resources: storedResources, computed: computedFields },
    onAway: (failure: unknown) => say?.(`${(failure as Error).message}. Waiting for it.`),
    onRepeat: (failure: unknown) => isConflict(failure) && onConflict?.(),
    onUpgraded: (from: number, to: number) => say?.(upgraded(database.address.shown, from, to)),
  };
  const fill = { name: FIRST_SITE, admin: owner, global: true };
  return openPostgres(options, async (store) => {
    await makeFirstSite({ clock, newID: () => crypto.randomUUID(), minPassword, store }, fill);
  });
}

/** That the tables of a place are of a newer version now. `copy`: the file as it was. */
export const upgraded = (place: string, from: number, to: number, copy?: string): string => {
  const older = copy === undefined ? 'writes nothing there any more.' : `cannot read it. As it was: ${copy}`;
  return `Brought the tables of ${place} from version ${from} to ${to}: an older pm ${older}`;
};

interface PlaceOf {
  readonly io: Streams;
  readonly settings: Pick<Settings, 'database'> & Partial<Pick<Settings, 'timeout' | 'quiet'>>;
}

/** The folder or the database, the user and the clock of a command. Throws `storage` for a folder that is shared. */
export function placeOf({ io, settings }: PlaceOf): Place {
  const database = settings.database && databaseOf(settings.database, { io, settings });
  if (!database) checkFileSystem(io);
  return {
    home: homeOf(io),
    owner: systemUser(io),
    clock: () => io.now(),
    minPassword: minPasswordOf(io.env.PM_MIN_PASSWORD),
    database,
    ...(settings.quiet ? {} : { say: (line: string) => say(io, line) }),
  };
}

function databaseOf(address: Address, { io, settings: { timeout } }: PlaceOf): DatabaseAt {
  return {
    address,
    password: () => passwordFor(address, io.env),
    ...defined<Pick<DatabaseAt, 'awayMs'>>({ awayMs: timeout }),
  };
}

/** The fewest characters of a new password, from 1 to 1,024; undefined if nothing says so. Throws `usage`. */
export const minPasswordOf = (text: string | undefined, name = 'PM_MIN_PASSWORD'): number | undefined =>
  text ? whole(name, text, [1, CREDENTIAL_LIMITS.password]) : undefined;

/** Opens the journal of remote jobs, in the folder of --journal or else of pm; creates a missing one. Throws `storage`, `busy`, `disk_full`. */
export async function openJournalOf(
  io: Streams,
  { journal, quiet }: Pick<Settings, 'journal' | 'quiet'>,
): Promise<Journal> {
  const file = journalFile(io, journal);
  if (journal === undefined) {
    checkFileSystem(io);
    makeHome(homeOf(io));
  } else makeJournalFolder(dirname(file));
  const { openJournal } = await import('../engine/store/journal/journal.ts');
  return openJournal(file, undefined, (...versions) => quiet || say(io, upgraded(file, ...versions)));
}

function makeJournalFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const why = systemCode(error) ?? String(error);
    throw new ServiceError('storage', `--journal ${folder} cannot be made: ${why}`, { cause: error });
  }
}
