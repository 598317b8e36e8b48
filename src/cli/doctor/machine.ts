// The doctor's checks of the machine, pm's files and databases. They migrate nothing.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writableBody } from '../../changes/plan/change.ts';
import type { Caller, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { storedResources } from '../../contract/index.ts';
import { type Resource, type Row, singular } from '../../contract/resource.ts';
import { validate } from '../../contract/validate.ts';
import { type Address, isHere } from '../../engine/store/postgres/address.ts';
import { type Connection, connect } from '../../engine/store/postgres/connection.ts';
import { versionIn } from '../../engine/store/postgres/migrate.ts';
import { refuseShared } from '../../engine/store/postgres/pooler.ts';
import { DATABASE, type FileKind, JOURNAL, newestOf } from '../../engine/store/schema/versions.ts';
import type { FileState } from '../../engine/store/sqlite/file/beside.ts';
import { defined } from '../../text/defined.ts';
import { inQuotes } from '../../text/escape.ts';
import { counted } from '../../text/thousands.ts';
import { type DatabaseAt, placeOf, withLocal } from '../backend.ts';
import { isMarker, isPrivate, markerOf } from '../code-cache.ts';
import type { Context } from '../context.ts';
import { bytes } from '../output/bytes.ts';
import { CONFIG_FILES, configHomeOf, databaseIn, homeOf, journalFile, sharedFileSystem } from '../profiles/home.ts';
import { bad, type Finding, faultOf, ok } from './finding.ts';

const OLDEST_NODE = [20, 18, 1];

export async function checkMachine(context: Context): Promise<readonly Finding[]> {
  const { io } = context;
  const home = homeOf(io);
  const driver = await sqlite();
  const configFiles = CONFIG_FILES.map((name) => join(configHomeOf(io), name));
  const known = [databaseIn(home), journalFile(io), ...configFiles];
  const files = known.filter((file) => existsSync(file));
  return [
    node(),
    driver,
    ...(existsSync(home) ? [modeOf('folder', home, 0o700)] : [ok('folder', `${home} is not there yet`)]),
    ...fileSystem(home),
    ...files.map((file) => modeOf('file', file, 0o600)),
    ...(existsSync(join(home, 'cache')) ? [compiledCode(home, join(home, 'cache'))] : []),
    ...(driver.State === 'ok' ? await checkDatabases(context) : []),
    ...(await checkServer(context)),
  ];
}

function fileSystem(home: string): readonly Finding[] {
  const shared = sharedFileSystem(home);
  if (shared === undefined) return [];
  const advice = 'Let PM_HOME name a folder on a disk: two machines that write one file damage a database.';
  return [bad('folder', 'warning', `${home} is on ${shared}`, advice)];
}

function node(): Finding {
  const parts = process.versions.node.split('.').map(Number);
  const at = OLDEST_NODE.findIndex((part, index) => part !== parts[index]);
  const old = at >= 0 && (parts[at] ?? 0) < (OLDEST_NODE[at] ?? 0);
  const wanted = `Install Node ${OLDEST_NODE.join('.')} or newer.`;
  return old ? bad('node', 'fault', process.versions.node, wanted) : ok('node', process.versions.node);
}

async function sqlite(): Promise<Finding> {
  const [{ checkSqlite }, { sqliteVersion }] = await Promise.all([
    import('../../engine/store/sqlite/connection.ts'),
    import('../../engine/store/sqlite/driver.ts'),
  ]);
  try {
    const version = sqliteVersion();
    checkSqlite(version);
    return ok('sqlite', version);
  } catch (error) {
    return faultOf('sqlite', error);
  }
}

/** On Windows the file mode says nothing about access. */
function modeOf(check: string, path: string, most: number): Finding {
  const mode = statSync(path).mode & 0o777;
  if (process.platform === 'win32' || (mode & ~most) === 0) return ok(check, path);
  const found = `${path} may be used by others (${mode.toString(8)})`;
  return bad(check, 'fault', found, `chmod ${most.toString(8)} ${inQuotes(path)}`);
}

/** The code that spares a command a quarter of its time. Commands do without it where it cannot be trusted. */
function compiledCode(home: string, cache: string): Finding {
  const open = [home, cache].find((folder) => !isPrivate(statSync(folder)));
  if (open !== undefined) {
    const found = `pm does not use the compiled code in ${cache}: other users may write in ${open}`;
    const mine = inQuotes(open);
    return bad('cache', 'warning', found, `Make it yours alone: chown "$USER" ${mine} && chmod 700 ${mine}`);
  }
  const sizes = readdirSync(cache).map((name) =>
    isMarker(name) ? 0 : (statSync(join(cache, name), { throwIfNoEntry: false })?.size ?? 0),
  );
  const size = sizes.reduce((sum, one) => sum + one, 0);
  const holds = `${cache} holds ${bytes(size)} of compiled code`;
  const marker = markerOf(cache);
  if (!existsSync(marker)) return ok('cache', `${holds}. This command does without it`);
  const died = readFileSync(marker, 'utf8');
  return ok('cache', died ? `${holds}. What was there was deleted: process ${died} ended too early` : holds);
}

async function checkDatabases(context: Context): Promise<readonly Finding[]> {
  const { io } = context;
  return [
    ...(await checkDatabase('database', databaseIn(homeOf(io)), DATABASE, () => lookInside(context, undefined))),
    ...(await checkDatabase('journal', journalFile(io), JOURNAL)),
  ];
}

async function checkDatabase(
  check: string,
  file: string,
  kind: FileKind,
  look?: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  if (!existsSync(file)) return [];
  const { fileStateOf } = await import('../../engine/store/sqlite/file/beside.ts');
  try {
    const state = fileStateOf(file, kind);
    if (state.version !== state.newest) return [versionFound(check, file, state), ...leftovers(file, state)];
    const inside = (await look?.()) ?? [];
    const used = await useOf(file, kind);
    return [versionFound(check, file, state), ...used, ...leftovers(file, state), ...inside];
  } catch (error) {
    return [faultOf(check, error)];
  }
}

/** The records of the file, or of a database; whom and what site the command names is about the one that it uses. */
async function lookInside({ io, settings }: Context, database: Address | undefined): Promise<readonly Finding[]> {
  const isUsed = !settings.remote && settings.database === database;
  const who = isUsed ? defined<Caller>({ user: settings.as, site: settings.site }) : {};
  return withLocal(placeOf({ io, settings: { database } }), who, checkValues);
}

function versionFound(check: string, file: string, { version, newest }: FileState): Finding {
  if (version === newest) return ok(check, `${file} can be used; its tables have version ${version}`);
  const found = `${file} is of an older pm: its tables have version ${version}, this pm makes ${newest}`;
  return bad(check, 'warning', found, 'The next command that uses it migrates it, and puts a copy of it aside.');
}

/** What the file keeps, since when, and what room that takes. */
async function useOf(file: string, kind: FileKind): Promise<readonly Finding[]> {
  const { fileUseOf } = await import('../../engine/store/file-size.ts');
  const { size, free, history, jobs } = fileUseOf(file, kind);
  const room = `of the ${bytes(size)} of ${file}`;
  const kept = `${counted(jobs.count, 'job')}: ${bytes(jobs.size)} ${room}, of which ${bytes(free)} are free`;
  const findings = [ok('jobs', kept, jobs.count > 0 ? 'pm jobs prune --older-than 90d forgets older ones.' : null)];
  if (!history) return findings;
  const since = history.since.toISOString().slice(0, 10);
  const lines = `${counted(history.lines, 'line')} since ${since}: ${bytes(history.size)} ${room}`;
  return [ok('history', lines, 'pm history prune --older-than 365d forgets older ones.'), ...findings];
}

const leftovers = (file: string, { copies, drafts }: FileState): readonly Finding[] => [
  ...copies.map((copy) => ok('copy', `${copy} is ${file} as it was before a migration`, OF_COPIES)),
  ...drafts.map((draft) =>
    bad('draft', 'warning', `${draft} was left by a process that ended too early`, `rm '${draft}'`),
  ),
];

const OF_COPIES = 'Delete it when you are sure that you do not want to go back.';

const MOST_SHOWN = 50;

/** One finding for each live record with such values, at most fifty; they hold up no change of other members (D10). */
async function checkValues(session: Session): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const resource of storedResources) {
    for await (const row of session.find.all(resource.name, 0)) {
      const refused = refusedIn(resource, row);
      if (refused !== undefined) found.push(findingOf(resource, row, refused));
    }
  }
  if (found.length === 0) return [ok('values', 'all values follow the rules of this pm')];
  const more = found.length - MOST_SHOWN;
  return more > 0 ? [...found.slice(0, MOST_SHOWN), bad('values', 'warning', `${more} more records`, KEPT)] : found;
}

const KEPT = 'Correct them when you can; other fields of these records can still be changed.';

/** What the rules of today refuse of a record; undefined if they refuse nothing. */
function refusedIn(resource: Resource, row: Row): string | undefined {
  const { fields, open } = resource;
  const set = Object.entries(writableBody(resource, row)).filter(([, value]) => value !== null);
  try {
    validate({ fields, what: '', open }, Object.fromEntries(set), 'update');
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.faults.map(({ field, message }) => `${field} ${message}`).join('; ');
  }
}

const findingOf = (resource: Resource, row: Row, refused: string): Finding =>
  bad(
    'values',
    'warning',
    `the ${singular(resource)} ${String(row.ID)}: ${refused}`,
    `${KEPT} pm ${resource.command} get ${String(row.ID)}`,
  );

/** The database that the command is about, and then what is inside it. An empty one stays empty. */
async function checkServer(context: Context): Promise<readonly Finding[]> {
  if (!context.settings.database) return [];
  const { database } = placeOf(context);
  if (!database) return [];
  const findings = await lookAt(database);
  if (findings.some(({ State }) => State !== 'ok')) return findings;
  return [...findings, ...(await lookInside(context, context.settings.database))];
}

async function lookAt({ address, password }: DatabaseAt): Promise<readonly Finding[]> {
  const { shown, tls, host } = address;
  try {
    const connection = await connect(address, password);
    try {
      await refuseShared(connection, () => connect(address, password));
      const [server] = (await connection.ask('SHOW server_version')).rows;
      const version = await versionIn(connection, DATABASE);
      return [
        (await refusalOf(connection, version)) ?? serverVersionFound(shown, version, String(server?.[0])),
        ...(tls === 'none' && !isHere(host) ? [bad('tls', 'warning', ...withoutTls(shown))] : []),
      ];
    } finally {
      await connection.close();
    }
  } catch (error) {
    return [faultOf('database', error)];
  }
}

/** What is refused where nothing can be written, or no tables be made: a part of every write. Neither leaves anything behind. */
const WRITE = 'DELETE FROM commit_marker WHERE false';
const MAKE = 'BEGIN; CREATE TABLE pm_database (Version integer); ROLLBACK';

/** A database may be read by a role that cannot change it. */
async function refusalOf(connection: Connection, version: number): Promise<Finding | undefined> {
  try {
    await connection.exec(version === 0 ? MAKE : WRITE);
    return undefined;
  } catch (error) {
    return { ...faultOf('database', error), State: 'warning' };
  }
}

function serverVersionFound(shown: string, version: number, server: string): Finding {
  const newest = newestOf(DATABASE).number;
  if (version === newest)
    return ok('database', `${shown} can be used; its tables have version ${version}, its server ${server}`);
  if (version > 0) {
    const found = `${shown} is of an older pm: its tables have version ${version}, this pm makes ${newest}`;
    return bad('database', 'warning', found, 'End the older pm, and make a backup: the next command changes them.');
  }
  const empty = `${shown} is empty: it has no tables yet`;
  return bad('database', 'warning', empty, 'The first command that uses it makes them, and a first site.');
}

/** A network that leaves this machine is read by others. */
const withoutTls = (shown: string): readonly [string, string] => [
  `${shown} is used without TLS, which others on the network can read`,
  'Leave sslmode=disable out of the address, or say sslmode=verify-full.',
];
