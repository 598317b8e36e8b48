// Where pm keeps its files: PM_HOME, else the platform's folders for data and for configuration.
import { existsSync, mkdirSync, statfsSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import { ofUser, systemCode } from '../../text/system-code.ts';
import type { Streams } from '../streams.ts';

type Env = Pick<Streams, 'env'>;

/** The embedded engine's own file in a folder of pm. */
export const databaseIn = (home: string): string => join(home, 'local.db');

/** The jobs of remote services: in the folder of --journal, or else in pm's own. */
export const journalFile = (io: Pick<Streams, 'env' | 'cwd'>, folder?: string): string =>
  join(folder === undefined ? homeOf(io) : resolve(io.cwd, folder), 'journal.db');

/** The settings of pm in the folder of profiles and credentials. */
export const CONFIG_FILES: readonly string[] = ['config.json', 'credentials.json'];

/** The folder of pm's files; it may not be there yet. */
export function homeOf({ env }: Env): string {
  if (env.PM_HOME) return env.PM_HOME;
  if (process.platform === 'win32') return join(env.LOCALAPPDATA ?? join(userFolder(), 'AppData', 'Local'), 'pm');
  if (process.platform === 'darwin') return join(userFolder(), 'Library', 'Application Support', 'pm');
  return join(folderIn(env.XDG_DATA_HOME) ?? join(userFolder(), '.local', 'share'), 'pm');
}

/** The folder of the system's user. Throws `usage` where there is none: in a container a user may be a number alone. */
export function userFolder(): string {
  const folder = ofUser(homedir);
  if (folder !== undefined && isAbsolute(folder)) return folder;
  throw new ServiceError('usage', 'the system knows no home folder of this user', {
    hint: 'Name one for the files of pm: PM_HOME=<folder> pm …',
  });
}

/** The folder of profiles and credentials. Where they were among the other files, they stay there. */
export function configHomeOf(io: Env): string {
  const home = homeOf(io);
  const hasOwn = !io.env.PM_HOME && process.platform !== 'win32' && process.platform !== 'darwin';
  if (!hasOwn || CONFIG_FILES.some((name) => existsSync(join(home, name)))) return home;
  return join(folderIn(io.env.XDG_CONFIG_HOME) ?? join(userFolder(), '.config'), 'pm');
}

/** The standard of these variables: one that is empty, or no absolute path, counts as unset. */
const folderIn = (path: string | undefined): string | undefined => (path && isAbsolute(path) ? path : undefined);

/** Where others may write in the folder, they could put other records and other services there. */
export function homeWarning(home: string): string | undefined {
  const mode = modeOf(home);
  if (process.platform === 'win32' || (mode & 0o022) === 0) return undefined;
  return `warning: others may write in ${home} (${mode.toString(8)}), and so change what pm reads: chmod 700`;
}

/** 0 where the folder cannot be looked at: the command that needs it says why. */
function modeOf(folder: string): number {
  try {
    return statSync(folder).mode & 0o777;
  } catch {
    return 0;
  }
}

/** By their numbers in statfs(2): file systems on which one machine or mount does not see the locks of another one. */
const SHARED: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'CIFS',
  1702057286: 'FUSE',
  16914839: '9P',
  2020557398: 'VirtualBox',
  12805120: 'Ceph',
  1397113167: 'AFS',
  198183888: 'Lustre',
  1196443219: 'GPFS',
  428016422: 'BeeGFS',
};

/** The file system of a folder, which need not be there yet, if it is shared with others; undefined for one of this machine. */
export function sharedFileSystem(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  if (!existsSync(folder)) return folder === dirname(folder) ? undefined : sharedFileSystem(dirname(folder));
  try {
    return SHARED[statfsSync(folder).type >>> 0];
  } catch {
    // The command that needs the folder says why it cannot be used.
    return undefined;
  }
}

/** Throws `storage` where the databases of pm would be on a shared file system, unless it is said that they may. */
export function checkFileSystem(io: Env): void {
  const home = homeOf(io);
  const shared = io.env.PM_ANY_FILE_SYSTEM === '1' ? undefined : sharedFileSystem(home);
  if (shared === undefined) return;
  throw new ServiceError('storage', `the folder ${home} is on ${shared}, where two writers damage a database`, {
    hint: 'Name one on a disk: PM_HOME=<folder> pm … If nothing else ever uses that folder: PM_ANY_FILE_SYSTEM=1',
  });
}

/** Makes the folder, readable by its owner alone. Throws `storage` where that cannot be. */
export function makeHome(home: string): void {
  try {
    makeFolder(home);
    if (statSync(home).isDirectory()) return;
  } catch (error) {
    throw unusable(home, systemCode(error) ?? 'unknown', error);
  }
  throw unusable(home, 'ENOTDIR', undefined);
}

/** Step by step: Node's own way down tries for ever where a file system has no folders to make, as below /proc. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || existsSync(dirname(folder))) throw error;
    makeFolder(dirname(folder));
    makeFolder(folder);
  }
}

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'its file system is read-only',
  ENOENT: 'its file system takes no folders',
  ENOSPC: 'the disk is full',
  EEXIST: 'a file of that name is in the way',
  ENOTDIR: 'a file of that name is in the way',
};

function unusable(home: string, code: string, cause: unknown): ServiceError {
  return new ServiceError('storage', `the folder ${home} cannot be made: ${WHY[code] ?? code}`, {
    hint: 'Name another one: PM_HOME=<folder> pm …',
    cause,
  });
}

/** The name of the system's user, which names the first administrator (D1). */
export function systemUser({ env }: Streams): string {
  const name = env.USER ?? env.USERNAME ?? ofUser(() => userInfo().username) ?? '';
  return name.replaceAll(/[:\\]/g, '-') || 'admin';
}
