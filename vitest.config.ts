// A test fails by what it sees, never by how long a busy machine took: the limits are for what hangs.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { tablesAsBuilt } from './scripts/plugins.js';

const MINUTES = 60_000;
const isLong = process.env.PM_TEST_LONG !== undefined;

/** What replaces modules, or looks at the memory of its process, has a process of its own. */
const ALONE = /\bvi\.mock\(|\bmemoryUsage\(/;

const folder = join(import.meta.dirname, 'test');
const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
const alone = tests
  .filter((name) => ALONE.test(readFileSync(join(folder, name), 'utf8')))
  .map((name) => `test/${name.replaceAll('\\', '/')}`);

/** Files of tests are in memory where there is room, so that no test waits for a disk; tests of disks mount their own. */
const MEMORY = '/dev/shm';
const ROOM = 4 * 2 ** 30;

function temporaryFolder(): string | undefined {
  if (!existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < ROOM) return undefined;
  // A run that was killed has left its own.
  for (const [name, id] of readdirSync(MEMORY).flatMap((one) => [/^pm-tests-(\d+)$/.exec(one) ?? []]))
    if (name && !existsSync(`/proc/${id}`)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  const made = join(MEMORY, `pm-tests-${process.pid}`);
  mkdirSync(made, { recursive: true });
  // A server of a test runs as another user.
  chmodSync(made, 0o1777);
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}

const TMPDIR = temporaryFolder();

export default defineConfig({
  plugins: [tablesAsBuilt],
  test: {
    server: { deps: { inline: ['cli-table3'] } },
    ...(TMPDIR && { env: { TMPDIR } }),
    maxWorkers: 3,
    testTimeout: (isLong ? 30 : 5) * MINUTES,
    hookTimeout: 5 * MINUTES,
    teardownTimeout: MINUTES,
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: alone,
          isolate: false,
          setupFiles: ['test/support/together.ts'],
        },
      },
    ],
  },
});
