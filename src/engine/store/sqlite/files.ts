// Files beside a database: drafts that get their real name when they are whole, and copies put aside before a
// migration.
import { chmodSync, closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { flush, moveInto } from '../../../files/disk.ts';
import { isAlive } from '../journal/job-heads.ts';
import { connect } from './connection.ts';
import { openDatabase } from './driver.ts';
import { type FileKind, newestOf, Outdated } from './file-version.ts';

/** A name beside `file` that no other process uses. */
export const draftName = (file: string): string => `${file}.${process.pid}.${crypto.randomUUID().slice(0, 8)}.new`;

/** Makes it empty. It is readable by its owner alone, whatever the umask; SQLite gives the files beside it the same rights. */
export function createDraft(draft: string): void {
  closeSync(openSync(draft, 'wx', 0o600));
  chmodSync(draft, 0o600);
}

/** Deletes a draft and what SQLite keeps beside it. */
export function deleteDraft(draft: string): void {
  for (const part of ['', '-wal', '-shm', '-journal']) rmSync(draft + part, { force: true });
}

const DRAFT = /^(\d+)\.[0-9a-f]{8}\.new(?:-wal|-shm|-journal)?$/;

/** What is left of drafts of `file` whose processes have ended, as far as can be seen from this machine. */
function abandonedDrafts(file: string): readonly string[] {
  const start = `${basename(file)}.`;
  const isLeft = (name: string): boolean => {
    const pid = name.startsWith(start) ? DRAFT.exec(name.slice(start.length))?.[1] : undefined;
    return pid !== undefined && !isAlive(Number(pid));
  };
  const folder = dirname(file);
  return readdirSync(folder)
    .filter(isLeft)
    .map((name) => join(folder, name));
}

/**
 * Copies a database of that version beside it, and answers where. It has its name only when it is whole and on the disk.
 * Nobody else may be writing the database or putting it aside meanwhile. Throws what SQLite or the system says.
 */
export function backUp(file: string, version: number): string {
  const copy = unusedName(`${file}.version-${version}`);
  const draft = draftName(file);
  try {
    createDraft(draft);
    copyInto(draft, file);
    flush(draft);
    moveInto(draft, copy);
    return copy;
  } finally {
    deleteDraft(draft);
  }
}

/** The copies of a database that were put aside. */
function copiesOf(file: string): readonly string[] {
  const folder = dirname(file);
  const start = `${basename(file)}.version-`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && /^\d+(\.\d+)?$/.test(name.slice(start.length)))
    .map((name) => join(folder, name));
}

/** A copy of an earlier migration is kept: the database may have been put back and changed since. */
function unusedName(name: string, count = 1): string {
  const numbered = count === 1 ? name : `${name}.${count}`;
  return existsSync(numbered) ? unusedName(name, count + 1) : numbered;
}

function copyInto(draft: string, file: string): void {
  const database = openDatabase(file, { fileMustExist: true });
  try {
    database.pragma('synchronous = FULL');
    database.prepare('VACUUM INTO ?').run(draft);
  } finally {
    database.close();
  }
}

export interface FileState {
  /** Of its tables. */
  readonly version: number;
  /** The version that this pm makes. */
  readonly newest: number;
  /** The files beside it that were put aside before a migration. */
  readonly copies: readonly string[];
  /** The files beside it that nobody finishes any more. */
  readonly drafts: readonly string[];
}

/** Throws `storage` where it cannot be read, or is of a version that this pm does not know. */
export function fileStateOf(file: string, kind: FileKind): FileState {
  const newest = newestOf(kind).number;
  return { version: olderVersion(file, kind) ?? newest, newest, copies: copiesOf(file), drafts: abandonedDrafts(file) };
}

/** The version of an older file. */
function olderVersion(file: string, kind: FileKind): number | undefined {
  try {
    connect(file, 'read', undefined, kind).close();
    return undefined;
  } catch (error) {
    if (error instanceof Outdated) return error.version;
    throw error;
  }
}
