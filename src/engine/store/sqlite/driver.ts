// Loads the SQLite driver that fits this Node, and advises on a binary that does not fit.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { ServiceError } from '../../../contract/errors.ts';

type Driver = typeof Database;

/** Node-API 10 came with Node 22.14. Without it better-sqlite3 13 ends the process by a segmentation fault. */
const NODE_API = 10;
const CURRENT = 'better-sqlite3';
/** Version 12. It is compiled for one version of Node, and aborts the process from Node 24 on. What is packed does not name it: pm help install. */
const OLDER = 'better-sqlite3-12';
const OLDER_VERSION = '12.11.1';
/** The versions of Node by the version of their binary interface. */
const NODES: Readonly<Record<string, string>> = { 115: '20', 120: '21', 127: '22', 131: '23', 137: '24', 147: '26' };

/** Made where it is needed: most starts load the package that is built in. */
const requireHere = (): NodeJS.Require => createRequire(import.meta.filename);
let loaded: Driver | undefined;

/** The name of the package that serves these versions (`process.versions`). */
export const driverFor = ({ napi }: NodeJS.Dict<string>): string => (Number(napi) >= NODE_API ? CURRENT : OLDER);

/** Loads the package. Throws `storage` where it is missing. Its binary is loaded with the first database. */
export function driver(): Driver {
  loaded ??= withAdvice(() => {
    const name = driverFor(process.versions);
    return name === CURRENT ? Database : (requireHere()(name) as Driver);
  });
  return loaded;
}

/** Opens a database. Throws errors of SQLite unchanged, and `storage` where the binary does not fit this Node. */
export function openDatabase(file: string, options: Database.Options = {}): Database.Database {
  const Opened = driver();
  return withAdvice(() => new Opened(file, options));
}

/** False before the driver is loaded. */
export const isSqliteError = (error: unknown): error is InstanceType<Driver['SqliteError']> =>
  loaded !== undefined && error instanceof loaded.SqliteError;

/** Runs `work`, and closes the database or connection that was opened for it. */
export function closedAfter<Opened extends { close(): void }, T>(opened: Opened, work: (opened: Opened) => T): T {
  try {
    return work(opened);
  } finally {
    opened.close();
  }
}

/** The version of SQLite. Throws `storage` as `openDatabase` does. */
export const sqliteVersion = (): string =>
  closedAfter(openDatabase(':memory:'), (database) =>
    String(database.prepare('SELECT sqlite_version()').pluck().get()),
  );

/** Replaces the error of a driver that cannot be loaded by one that says how to repair the installation. */
function withAdvice<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isMismatch(error) ? mismatchError(driverFor(process.versions), error) : error;
  }
}

/** The package `bindings`, with which version 12 finds its binary, throws the places it tried, without a code. */
function isMismatch(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'ERR_DLOPEN_FAILED' || code === 'MODULE_NOT_FOUND' || 'tries' in error;
}

function mismatchError(name: string, error: Error): ServiceError {
  const missing = `Node ${process.versions.node} needs the package ${name}, which ${name === OLDER ? 'does not come with pm: Node 20 is past its end of life' : 'is not installed'}`;
  const folder = folderOf(name);
  const why = folder === undefined ? missing : mismatchReason(name, error);
  return new ServiceError('storage', `SQLite cannot be used: ${why}`, { hint: mend(name, folder), cause: error });
}

/** The command that installs the driver, in a checkout or beside pm. It fails where there is no binary and no compiler. */
function mend(name: string, folder: string | undefined): string {
  const pm = dirname(dirname(import.meta.filename));
  const isInstalled = basename(dirname(pm)) === 'node_modules';
  if (!isInstalled) return `npm ci --prefix "${pm}"`;
  if (name === CURRENT) return `Install pm again with Node ${process.versions.node}: npm install -g and its tarball.`;
  const command =
    folder === undefined
      ? `${installIn(dirname(dirname(pm)))} ${OLDER}@npm:${CURRENT}@${OLDER_VERSION}`
      : `npm rebuild ${OLDER} --prefix "${folder}"`;
  return `${command}; it may need a C++ compiler. Node 22.14 and newer need neither.`;
}

/** The command that installs into this folder: that of a project has a package.json, the global one is `lib` of a prefix. */
function installIn(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return `npm install --prefix "${folder}"`;
  return `npm install -g --prefix "${basename(folder) === 'lib' ? dirname(folder) : folder}"`;
}

function mismatchReason(name: string, { message }: Error): string {
  const abi = /NODE_MODULE_VERSION (\d+)/.exec(message)?.[1];
  const here = `this is Node ${process.versions.node} on ${process.platform} ${process.arch}`;
  if (abi === undefined) return `the binary of ${name} cannot be loaded (${message.split(/\n| Tried:/)[0]}); ${here}`;
  return `${name} was installed for ${NODES[abi] ? `Node ${NODES[abi]}` : 'another Node'}; ${here}`;
}

/** The folder above the package's node_modules; undefined if it is missing. */
function folderOf(name: string): string | undefined {
  try {
    return join(dirname(requireHere().resolve(`${name}/package.json`)), '..', '..');
  } catch {
    return undefined;
  }
}
