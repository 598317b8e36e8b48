// Room of a test's own: small file systems that fill up, ones in a file that can be copied as a power cut leaves them, and
// limits of the size of files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const run = (command: string, ...args: readonly string[]): void =>
  void execFileSync(command, [...args], { stdio: ['ignore', 'ignore', 'pipe'] });

/** Mounts what `args` say at a folder; answers how it is let go of. */
function mount(folder: string, ...args: readonly string[]): () => void {
  mkdirSync(folder, { recursive: true });
  run('mount', ...args, folder);
  return () => run('umount', folder);
}

/** A file system in memory of so many KiB. */
export const mountMemory = (folder: string, kib: number): (() => void) =>
  mount(folder, '-t', 'tmpfs', '-o', `size=${kib}k`, 'pm-faults');

/** Gives a mounted one another size. */
export const resize = (folder: string, kib: number): void => run('mount', '-o', `remount,size=${kib}k`, folder);

/** The file system in an image. */
export const mountImage = (folder: string, image: string): (() => void) => mount(folder, '-o', 'loop', image);

/** Makes an image of so many MiB with an ext4 in it. */
export function makeImage(image: string, mib: number): void {
  run('truncate', '-s', `${mib}M`, image);
  run('mkfs.ext4', '-q', '-F', image);
}

/** Does it work here? What does not is said once, and its tests are skipped. */
function works(what: string, attempt: (folder: string) => () => void): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'pm-mount-'));
  try {
    attempt(folder)();
    return true;
  } catch {
    console.warn(`${what} cannot be mounted here: these faults are not tried`);
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const hasMemory = works('a file system in memory', (folder) => mountMemory(join(folder, 'at'), 64));

export const hasImages = works('an image of a disk', (folder) => {
  makeImage(join(folder, 'image'), 8);
  return mountImage(join(folder, 'at'), join(folder, 'image'));
});

/** Can the size of a file be limited? */
export const hasLimits = ((): boolean => {
  try {
    execFileSync('prlimit', ['--fsize=1024', 'true']);
    return true;
  } catch {
    console.warn('prlimit is missing: limits on the size of files are not tried');
    return false;
  }
})();
