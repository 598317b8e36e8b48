// The programs and rights that some tests need of the machine. A test names them as its tags; where one is missing, the test is
// skipped, and the run ends with their names.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestUserConfig } from 'vitest/node';
import { makeImage, mountFuse, mountImage, mountMemory } from '../faults/mounts.ts';

declare module 'vitest' {
  interface TestTags {
    tags: Need;
  }
}

export const CHROMIUM = '/usr/bin/chromium';

/** No file refuses the system's administrator, who therefore runs commands as this user. */
export const NOBODY = 65534;
export const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] as const;

/** A user of whom the system has no entry. */
export const STRANGER = '--reuid=4242';

const runs = (command: string, ...words: readonly string[]): boolean =>
  spawnSync(command, words, { stdio: 'ignore' }).status === 0;

function mounts(mounted: (folder: string) => () => void): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'pm-mount-'));
  try {
    mounted(folder)();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each need in words, and whether the machine meets it. */
const NEEDS = {
  bash: ['bash', () => runs('bash', '-c', 'exit')],
  chromium: [`Chromium at ${CHROMIUM}`, () => runs(CHROMIUM, '--version')],
  curl: ['curl', () => runs('curl', '--version')],
  fish: ['fish', () => runs('fish', '-c', 'exit')],
  fuse: ['bindfs, and the right to mount', () => mounts((folder) => mountFuse(join(folder, 'at')))],
  images: ['the right to mount a disk, and mkfs.ext4', () => mounts(mountedImage)],
  limits: ['prlimit', () => runs('prlimit', '--fsize=1024', 'true')],
  memory: ['the right to mount a file system', () => mounts((folder) => mountMemory(join(folder, 'at'), 64))],
  nobody: [
    'setpriv, or a user other than root',
    () => process.geteuid?.() !== 0 || runs(AS_NOBODY[0], ...AS_NOBODY.slice(1), 'true'),
  ],
  openssl: ['openssl', () => runs('openssl', 'version')],
  pooler: ['pgbouncer', () => runs('pgbouncer', '--version')],
  postgres: ['initdb and pg_ctl of PostgreSQL', () => runs('initdb', '--version') && runs('pg_ctl', '--version')],
  stranger: [
    'setpriv, and the right to run as another user',
    () => runs('setpriv', STRANGER, '--clear-groups', 'true'),
  ],
  strace: ['strace, and the right to trace', () => runs('strace', '-f', '-qq', '-o', '/dev/null', 'true')],
  terminal: ['python3, which plays a terminal', () => runs('python3', '-c', 'import pty')],
  xmllint: ['xmllint', () => runs('xmllint', '--version')],
  zsh: ['zsh', () => runs('zsh', '-c', 'exit')],
} as const satisfies Readonly<Record<string, readonly [words: string, isMet: () => boolean]>>;

export type Need = keyof typeof NEEDS;

function mountedImage(folder: string): () => void {
  makeImage(join(folder, 'image'), 8);
  return mountImage(join(folder, 'at'), join(folder, 'image'));
}

const VARIABLE = 'PM_TEST_MISSING';

/** The tags of the tests, those of missing needs with `skip`. Tries each need, and tells the processes of the tests by a variable. */
export function tagsOfNeeds(): NonNullable<TestUserConfig['tags']> {
  const names = Object.keys(NEEDS) as Need[];
  const missing = names.filter((name) => !NEEDS[name][1]());
  process.env[VARIABLE] = missing.join(' ');
  return names.map((name) => ({ name, description: NEEDS[name][0], ...(missing.includes(name) && { skip: true }) }));
}

/** Where more than skipping depends on it. */
export const isMissing = (need: Need): boolean => (process.env[VARIABLE] ?? '').split(' ').includes(need);

/** Tried now, outside of a run of tests. */
export const meets = (need: Need): boolean => NEEDS[need][1]();

export const inWords = (need: Need): string => NEEDS[need][0];
