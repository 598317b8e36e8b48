// Moves or links a flushed draft to its final name, on every system and file system.
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../text/system-code.ts';

/** The calls that differ between systems and file systems. */
export interface Disk {
  readonly platform: string;
  readonly openSync: (path: string, flags: string, mode?: number) => number;
  readonly fsyncSync: (descriptor: number) => void;
  readonly linkSync: (from: string, to: string) => void;
  readonly renameSync: (from: string, to: string) => void;
}

/** A name beside `file` that no other process uses. */
export const draftName = (file: string): string => `${file}.${process.pid}.${crypto.randomUUID().slice(0, 8)}.new`;

const DISK: Disk = { platform: process.platform, openSync, fsyncSync, linkSync, renameSync };

/** Waits until the content of a file is on the disk. Throws errors of the system. */
export function flush(file: string, disk: Disk = DISK): void {
  // Windows flushes only files that were opened for writing.
  flushed(disk.openSync(file, 'r+'), disk);
}

/** Moves a flushed draft over `file`, in the same folder. Throws errors of the system; the draft is then still there. */
export function moveInto(draft: string, file: string, disk: Disk = DISK): void {
  renamed(draft, file, disk);
  flushFolder(dirname(file), disk);
}

/**
 * Gives a flushed draft the name `file`, in the same folder, unless there is one. Of several programs one creates it.
 * The caller removes the draft. Throws errors of the system.
 */
export function linkInto(draft: string, file: string, disk: Disk = DISK): 'created' | 'existed' {
  const published = linked(draft, file, disk);
  if (published === 'created') flushFolder(dirname(file), disk);
  return published;
}

function linked(draft: string, file: string, disk: Disk): 'created' | 'existed' {
  try {
    disk.linkSync(draft, file);
    return 'created';
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return 'existed';
    // FAT, exFAT and some network and container mounts have no hard links, and each refuses them with another code.
    return claimed(draft, file, disk);
  }
}

/** Takes the name with an empty file, and moves the draft over it. For a moment the file is there and empty. */
function claimed(draft: string, file: string, disk: Disk): 'created' | 'existed' {
  try {
    closeSync(disk.openSync(file, 'wx', 0o600));
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return 'existed';
    throw error;
  }
  try {
    renamed(draft, file, disk);
    return 'created';
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

/** The errors while a virus scanner or an indexer on Windows has one of the two files open. */
const IN_USE: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** Milliseconds between the tries; about two seconds in all. */
const PAUSES = [10, 20, 50, 100, 200, 400, 600, 600];

function renamed(from: string, to: string, disk: Disk): void {
  for (const pause of disk.platform === 'win32' ? PAUSES : []) {
    try {
      disk.renameSync(from, to);
      return;
    } catch (error) {
      if (!IN_USE.has(systemCode(error))) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
  disk.renameSync(from, to);
}

/** The errors where a folder cannot be flushed: the name is there, and no more can be done for it. */
const NO_FOLDERS: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EINVAL', 'EISDIR', 'ENOSYS', 'ENOTSUP']);

/** A name survives a power cut only when its folder is flushed. Windows has no such call. */
export function flushFolder(folder: string, disk: Disk = DISK): void {
  if (disk.platform === 'win32') return;
  try {
    flushed(disk.openSync(folder, 'r'), disk);
  } catch (error) {
    if (!NO_FOLDERS.has(systemCode(error))) throw error;
  }
}

function flushed(descriptor: number, disk: Disk): void {
  try {
    disk.fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
