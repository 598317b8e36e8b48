// Files beside a database: drafts, which are renamed when they are complete, and the backups before migrations.
import { chmodSync, closeSync, openSync, rmSync, statSync } from 'node:fs';
import { draftName, flush, moveInto } from '../../../../files/disk.ts';
import { isAlive } from '../../../../files/processes.ts';
import { type FileKind, newestOf } from '../../schema/versions.ts';
import { connect } from '../connection.ts';
import { closedAfter, openDatabase } from '../driver.ts';
import { copiesOf, copyName, filesNamed, Outdated } from './version.ts';

/** Creates an empty file that only its owner may read, whatever the umask; SQLite gives the files beside it the same rights. */
export function createDraft(draft: string): void {
  closeSync(openSync(draft, 'wx', 0o600));
  chmodSync(draft, 0o600);
}

/** Deletes a draft and the files that SQLite keeps beside it. */
export function deleteDraft(draft: string): void {
  for (const part of ['', '-wal', '-shm', '-journal']) rmSync(draft + part, { force: true });
}

const DRAFT = /^(\d+)\.[0-9a-f]{8}\.new(?:-wal|-shm|-journal)?$/;

/** The drafts of `file` that ended processes have left, as far as this machine can tell. */
function abandonedDrafts(file: string): readonly string[] {
  return filesNamed(file, '.', (rest) => {
    const pid = DRAFT.exec(rest)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
}

/** A process in another container cannot be seen; it writes its draft all the time. */
const QUIET_MS = 60_000;

/** Deletes the drafts of `file` that ended processes have left. One that cannot be deleted stays. */
export function sweepDrafts(file: string): void {
  try {
    for (const draft of abandonedDrafts(file))
      if (Date.now() - statSync(draft).mtimeMs > QUIET_MS) rmSync(draft, { force: true });
  } catch {
    // The command itself reports its errors.
  }
}

/**
 * Copies a database of that version to a file beside it, and answers its name. The file gets its name when it is complete
 * and on the disk. No other process may write or back up the database meanwhile. Throws errors of SQLite or the system.
 */
export function backUp(file: string, version: number): string {
  const copy = copyName(file, version);
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

const copyInto = (draft: string, file: string): void =>
  closedAfter(openDatabase(file, { fileMustExist: true }), (database) => {
    database.pragma('synchronous = FULL');
    database.prepare('VACUUM INTO ?').run(draft);
  });

export type FileState = ReturnType<typeof fileStateOf>;

/** Throws `storage` where the file cannot be read, or is none that this pm reads. */
export function fileStateOf(file: string, kind: FileKind) {
  const newest = newestOf(kind).number;
  return {
    version: olderVersion(file, kind) ?? newest,
    /** The version that this pm makes. */
    newest,
    /** The backups that were made before migrations. */
    copies: copiesOf(file),
    /** The drafts that no process will complete. */
    drafts: abandonedDrafts(file),
  };
}

/** The version of an older file; undefined for the newest. */
function olderVersion(file: string, kind: FileKind): number | undefined {
  try {
    connect(file, 'read', undefined, kind).close();
    return undefined;
  } catch (error) {
    if (error instanceof Outdated) return error.version;
    throw error;
  }
}
