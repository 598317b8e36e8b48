// npm run snapshots pins what the tests of the named files pin, and nothing of a file whose tests did not all pass.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inLong } from '../support/long.ts';

const ROOT = join(import.meta.dirname, '../..');
const project = mkdtempSync(join(tmpdir(), 'pm-pinning-'));
const NAMES = ['named', 'failed', 'skipped', 'other'];
const pinned = (name: string): string => join(project, 'test/snapshots', `${name}.txt`);

/** A file of tests that pins `new`; another test of it stands behind. */
const fileOfTests = (name: string, another: string): string => `import { expect, it } from 'vitest';
it('pins', () => expect('new').toMatchFileSnapshot('snapshots/${name}.txt'));
${another}('goes on', () => expect(1).toBe(${name === 'failed' ? 2 : 1}));
`;

beforeAll(() => {
  mkdirSync(join(project, 'test/snapshots'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, 'README.md'), '');
  for (const name of NAMES) {
    writeFileSync(join(project, `test/${name}.test.ts`), fileOfTests(name, name === 'skipped' ? 'it.skip' : 'it'));
    writeFileSync(pinned(name), 'old');
  }
});
afterAll(() => rmSync(project, { recursive: true }));

it('writes the snapshots of files that pass alone, and says of which it wrote none', () => {
  const files = inLong(['named', 'failed'], ['named', 'failed', 'skipped']);
  const words = [join(ROOT, 'scripts/snapshots.js'), ...files.map((name) => `test/${name}.test.ts`)];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain(`nothing was pinned of ${words.slice(2).join(', ')}: mend these tests`);
  expect(NAMES.map((name) => readFileSync(pinned(name), 'utf8'))).toEqual(['new', 'old', 'old', 'old']);
});

it.each([
  [[], 'name files or folders of tests: '],
  [['test/laws/none.test.ts'], 'there is no test/laws/none.test.ts: '],
])('wants the names of files and folders of tests: %j', (words, why) => {
  const args = [join(ROOT, 'scripts/snapshots.js'), ...words];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `${why}npm run snapshots -- test/laws/route.test.ts test/stories\n`,
  });
});
