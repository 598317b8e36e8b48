// Errors of SQLite and of the file system as service errors: they name the file, the reason and the way out.
import { accessSync, closeSync, constants, existsSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ErrorCode, ServiceError } from '../../../contract/errors.ts';
import { draftName } from '../../../files/disk.ts';
import { inQuotes } from '../../../text/escape.ts';
import { Clash } from '../sql/steps.ts';
import { isSqliteError } from './driver.ts';

/** SQLite takes a wal for that of whatever file stands beside it. */
export const BEFORE_BACKUP =
  'Before a backup is put there, end every pm and move away what stands beside it (-wal, -shm).';

interface Failure {
  /** Beginnings of codes of SQLite or of the system. */
  readonly codes: readonly string[];
  /** `storage` without it. */
  readonly code?: ErrorCode;
  /** The end of a sentence that begins with the file's name. */
  readonly says: string;
  readonly hint: string;
  /** Looks closer at the file; undefined if that shows nothing. */
  readonly look?: (file: string) => Partial<Failure> | undefined;
}

/** The first row with a fitting code is used, so narrow codes come before wide ones. */
const FAILURES: readonly Failure[] = [
  {
    codes: ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT', 'EFBIG'],
    code: 'disk_full',
    // SQLite does not tell its files from those for which its memory is too small.
    says: 'has no room to grow: the disk, a quota, a limit on the size of files or the temporary folder is full',
    hint: 'Nothing of this change was kept. Make room (df; TMPDIR names the temporary folder), then run it again.',
  },
  {
    // SQLite does not tell a disk that fails (EIO) from a quota (EDQUOT) or a limit (EFBIG).
    codes: ['SQLITE_IOERR_WRITE'],
    says: 'could not be written: the disk fails, or a quota or a limit on the size of files is full',
    hint: 'Look at the disk (dmesg) and how much room is left (df, quota, ulimit -f), then run it again.',
    look: findLimit,
  },
  {
    codes: ['SQLITE_BUSY', 'SQLITE_LOCKED'],
    code: 'busy',
    says: 'is being written by another program, which did not finish in time',
    hint: 'Nothing of this change was kept. Wait for the other program to end, then run it again.',
  },
  {
    codes: ['SQLITE_NOTADB'],
    says: 'is not an SQLite database',
    hint: 'Name another file, or move this one away; nothing in it was changed.',
  },
  {
    codes: ['SQLITE_CORRUPT'],
    says: 'is damaged',
    hint: `Copy the file before anything else, then put a backup in its place. ${BEFORE_BACKUP}`,
  },
  {
    codes: ['SQLITE_READONLY', 'EROFS'],
    says: 'cannot be written: the file or its folder is read-only',
    hint: 'Give yourself the right to write the file and its folder (chmod u+w), then run it again.',
    look: findReadOnly,
  },
  {
    codes: ['SQLITE_CANTOPEN', 'SQLITE_PERM', 'SQLITE_AUTH', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE'],
    says: 'cannot be opened: the rights on the file or its folder do not allow it, or too many files are open at once',
    hint: 'Look who owns both (ls -ld) and how many files pm may open (ulimit -n), then run it again.',
  },
  {
    codes: ['ENOENT', 'ENOTDIR'],
    says: 'does not exist',
    hint: 'Look at the path. A new database has to be made before it is opened.',
  },
  {
    codes: ['SQLITE_IOERR', 'EIO', 'SQLITE_NOMEM', 'SQLITE_PROTOCOL', 'SQLITE_NOLFS'],
    says: 'could not be read or written',
    hint: 'Look at the disk (dmesg, df). Read the records again before you repeat the change.',
  },
  {
    codes: ['SQLITE_CONSTRAINT_FOREIGNKEY'],
    code: 'conflict',
    says: 'refuses the change: a record would name another one that does not exist',
    hint: 'Make the named record first, then run it again.',
  },
];

/** A service error for an error of the store; any other error unchanged. */
export function explained(file: string, error: unknown): unknown {
  const code = codeOf(error);
  const failure = code && FAILURES.find(({ codes }) => codes.some((start) => code.startsWith(start)));
  if (!failure) return error;
  const { code: shown = 'storage', says, hint } = { ...failure, ...failure.look?.(file) };
  const { message } = error as Error;
  return new ServiceError(shown, `The database ${file} ${says} (${message})`, { hint, cause: error });
}

/** SQLite does not say which of its files it may not write. It needs all of them and the folder, for reading too. */
function findReadOnly(file: string): Partial<Failure> | undefined {
  const paths = [file, `${file}-wal`, `${file}-shm`, dirname(file)].filter((path) => existsSync(path));
  const found = paths.filter((path) => !isWritable(path));
  if (found.length === 0) return undefined;
  const names = found.map((path) => (path === file ? 'it' : path)).join(' and ');
  return {
    says: `cannot be written: ${names} ${found.length > 1 ? 'are' : 'is'} read-only`,
    hint: `Give yourself the right to write there: chmod u+w ${found.map(inQuotes).join(' ')} – then run it again.`,
  };
}

const MARGIN = 1024 * 1024;

/** Tries to write a byte into a draft, a little behind the end of the larger file; the draft is sparse. */
function findLimit(file: string): Partial<Failure> | undefined {
  const draft = draftName(file);
  const sizes = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  try {
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      writeSync(descriptor, '0', Math.max(...sizes) + MARGIN);
    } finally {
      closeSync(descriptor);
    }
    return undefined;
  } catch (error) {
    return FAILURES.find(({ code, codes }) => code === 'disk_full' && codes.includes(codeOf(error) ?? ''));
  } finally {
    rmSync(draft, { force: true });
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A clash of keys as such. SQLite names the columns of the violated index, or the index where it contains an expression. */
export function clashOr(error: unknown): unknown {
  const code = codeOf(error);
  const isKey = code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
  if (!isKey && code !== 'SQLITE_CONSTRAINT_UNIQUE') return error;
  const { message } = error as Error;
  const index = /index '(.+)'/.exec(message)?.[1];
  if (index !== undefined) return new Clash({ index }, error);
  const columns = message
    .slice(message.indexOf(':') + 1)
    .split(',')
    .map((column) => column.trim());
  if (isKey) return new Clash({ keyOf: columns[0]?.replace(/\.\w+$/, '') }, error);
  return new Clash({ columns: columns.map((column) => column.replace(/^\w+\./, '')) }, error);
}

export const moveAway = (file: string): string =>
  `Move it away (mv ${inQuotes(file)} ${inQuotes(`${file}.old`)}), or name another file.`;

/** The code of an error of SQLite or of the system; undefined for any other. */
export function codeOf(error: unknown): string | undefined {
  if (isSqliteError(error)) return error.code;
  const code = error instanceof Error && 'syscall' in error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
