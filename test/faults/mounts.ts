// Room of a test's own: small file systems that fill up, ones in a file that can be copied as a power cut leaves them, and
// limits of the size of files.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

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

/** A folder of a program: it shows another one, which goes with the test's. */
export function mountFuse(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  mkdirSync(`${folder}-shown`);
  run('bindfs', `${folder}-shown`, folder);
  return () => run('fusermount', '-u', folder);
}

/** Makes an image of so many MiB with an ext4 in it. */
export function makeImage(image: string, mib: number): void {
  run('truncate', '-s', `${mib}M`, image);
  run('mkfs.ext4', '-q', '-F', image);
}
