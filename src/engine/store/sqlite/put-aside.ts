// The copy of a database as it was before it is migrated.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { flush, moveInto } from '../../../files/disk.ts';
import { openDatabase } from './driver.ts';
import { beginDraft, draftOf, forgetDraft } from './files.ts';

/**
 * Copies a database of that version beside it, and answers where. It has its name only when it is whole and on the disk.
 * Nobody else may be writing the database or putting it aside meanwhile. Throws what SQLite or the system says.
 */
export function putAside(file: string, version: number): string {
  const copy = freeName(`${file}.version-${version}`);
  const draft = draftOf(file);
  try {
    beginDraft(draft);
    copyInto(draft, file);
    flush(draft);
    moveInto(draft, copy);
    return copy;
  } finally {
    forgetDraft(draft);
  }
}

/** The copies of a database that were put aside. */
export function copiesOf(file: string): readonly string[] {
  const folder = dirname(file);
  const start = `${basename(file)}.version-`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && /^\d+(\.\d+)?$/.test(name.slice(start.length)))
    .map((name) => join(folder, name));
}

/** A copy of an earlier migration is kept: the database may have been put back and changed since. */
function freeName(name: string, count = 1): string {
  const numbered = count === 1 ? name : `${name}.${count}`;
  return existsSync(numbered) ? freeName(name, count + 1) : numbered;
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
