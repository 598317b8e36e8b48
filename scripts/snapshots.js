// Pins anew what the tests of the named files and folders pin: npm run snapshots -- test/laws/route.test.ts test/stories …
// A file one of whose tests fails, is skipped or does not end leaves everything that it pins as it was.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const root = process.cwd();
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
/** Where tests pin: their output, and what the README shows of commands. */
const PINNED = ['README.md', 'test/snapshots'];

const EXAMPLE = 'npm run snapshots -- test/laws/route.test.ts test/stories';
const words = process.argv.slice(2);
const missing = words.filter((word) => !statSync(word, { throwIfNoEntry: false }));
if (missing.length > 0) fail(2, `there is no ${missing.join(', no ')}: ${EXAMPLE}`);
const files = words
  .flatMap(filesIn)
  .map((file) => relative(root, file))
  .filter((file) => file.endsWith('.test.ts'));
if (files.length === 0) fail(2, `name files or folders of tests: ${EXAMPLE}`);
// The terminal sends Ctrl-C to the tests as well: what they have pinned until then is put back below.
process.on('SIGINT', () => {});
const left = files.filter((file) => !pinsAnew(file));
if (left.length > 0) fail(1, `nothing was pinned of ${left.join(', ')}: mend these tests, then run it again`);

/** Runs the tests of one file; answers whether each has passed. Otherwise what they pinned is taken back. */
function pinsAnew(file) {
  const before = pinned();
  const folder = mkdtempSync(join(tmpdir(), 'pm-snapshots-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { status } = spawnSync(process.execPath, [vitest, 'run', file, '--update=all', ...reporters], {
    cwd: root,
    stdio: 'inherit',
  });
  const hasPassed = status === 0 && skippedIn(report) === 0;
  if (!hasPassed) putBack(before);
  rmSync(folder, { recursive: true });
  return hasPassed;
}

function skippedIn(report) {
  const { numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, 'utf8'));
  return numPendingTests + numTodoTests;
}

/** Every pinned file with its content. */
function pinned() {
  return new Map(PINNED.flatMap(filesIn).map((file) => [file, readFileSync(file)]));
}

function filesIn(path) {
  const whole = join(root, path);
  if (!statSync(whole).isDirectory()) return [whole];
  return readdirSync(whole, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function putBack(before) {
  for (const file of pinned().keys()) if (!before.has(file)) rmSync(file);
  for (const [file, content] of before) writeFileSync(file, content);
}

function fail(code, message) {
  console.error(message);
  process.exit(code);
}
