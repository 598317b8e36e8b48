// A test fails by what it sees, never by how long a busy machine took: the limits are for what hangs.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { packagesAsBuilt } from './scripts/plugins.js';
import { tagsOfNeeds } from './test/support/needs.ts';

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

/** Variables of whoever runs the tests, by which a command or a library would do otherwise: no test inherits them. */
const OF_USER =
  /^(PM_(?!TEST_)|PG|LC_|XDG_|npm_config_)|^(CI|LANG|LANGUAGE|TZ|NO_COLOR|FORCE_COLOR|COLUMNS|LINES|EDITOR|VISUAL|PAGER|NODE_OPTIONS|NODE_EXTRA_CA_CERTS)$|_proxy$/i;

for (const name of Object.keys(process.env)) if (OF_USER.test(name)) delete process.env[name];

export default defineConfig({
  plugins: [packagesAsBuilt],
  test: {
    server: { deps: { inline: ['atomically', 'cli-table3', 'conf', 'stubborn-fs'] } },
    ...(TMPDIR && { env: { TMPDIR } }),
    maxWorkers: 3,
    tags: tagsOfNeeds(),
    reporters: ['default', './test/support/skipped.ts'],
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
