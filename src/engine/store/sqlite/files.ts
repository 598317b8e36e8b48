// Files that are made under a name of their own, and get their real one when they are whole.
import { chmodSync, closeSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '../journal/job-lock.ts';

/** A name beside `file` that no other process uses. */
export const draftOf = (file: string): string => `${file}.${process.pid}.${crypto.randomUUID().slice(0, 8)}.new`;

/** Makes it empty. It is readable by its owner alone, whatever the umask; SQLite gives the files beside it the same rights. */
export function beginDraft(draft: string): void {
  closeSync(openSync(draft, 'wx', 0o600));
  chmodSync(draft, 0o600);
}

/** Deletes a draft and what SQLite keeps beside it. */
export function forgetDraft(draft: string): void {
  for (const part of ['', '-wal', '-shm', '-journal']) rmSync(draft + part, { force: true });
}

const DRAFT = /^(\d+)\.[0-9a-f]{8}\.new(?:-wal|-shm|-journal)?$/;

/** What is left of drafts of `file` whose processes have ended, as far as can be seen from this machine. */
export function leftDrafts(file: string): readonly string[] {
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
