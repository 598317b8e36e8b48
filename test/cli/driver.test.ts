// A driver of SQLite that does not fit this Node: pm says so, says what mends it, and the doctor looks at the rest as well.
// That help, version and explain need none: compile-cache.test.ts.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { driverFor } from '../../src/engine/store/sqlite/driver.ts';
import { programCopy } from '../support/program-copy.ts';

const NAME = driverFor(process.versions);
const HERE = `Node ${process.versions.node}`;
const IS_OLDER = NAME !== 'better-sqlite3';
const GLOBAL = 'lib/node_modules/pm-admin';
const VERSION = '12.11.1';
const AFTER = '; it may need a C++ compiler. Node 22.14 and newer need neither.';
/** What is said of a pm that is installed: the command for an older Node, and `Install pm again` for the others. */
const mending = (command: string): string =>
  IS_OLDER ? `hint: ${command}${AFTER}` : `hint: Install pm again with ${HERE}: npm install -g and its tarball.`;

/** A driver whose constructor throws this error, as those do whose binary cannot be loaded. */
const throwing = (message: string, members: Readonly<Record<string, unknown>>): string => `
  module.exports = function Database() { throw Object.assign(new Error(${JSON.stringify(message)}), ${JSON.stringify(members)}); };
  module.exports.SqliteError = class SqliteError extends Error {};
`;
const FOR_NODE_24 = throwing(
  "The module 'better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 137.",
  { code: 'ERR_DLOPEN_FAILED' },
);

describe('that is not installed: exit 10, and the command that installs it', () => {
  it('in a checkout', () => {
    const { run, folder } = programCopy();
    const { exit, err, out } = run('individuals list');
    expect({ exit, out }).toEqual({ exit: 10, out: '' });
    expect(err).toContain(`error: SQLite cannot be used: ${HERE} needs the package ${NAME}, which `);
    expect(err).toContain(`hint: npm ci --prefix "${folder}"\n`);
  });

  it('beside a pm that is installed globally', () => {
    const { run, folder } = programCopy(undefined, GLOBAL);
    const prefix = join(folder, '../../..');
    expect(run('whoami').err).toContain(
      mending(`npm install -g --prefix "${prefix}" better-sqlite3-12@npm:better-sqlite3@${VERSION}`),
    );
  });

  it('beside a pm that is installed in a project', () => {
    const { run, folder } = programCopy(undefined, GLOBAL);
    const project = join(folder, '../..');
    writeFileSync(join(project, 'package.json'), '{}');
    expect(run('whoami').err).toContain(
      mending(`npm install --prefix "${project}" better-sqlite3-12@npm:better-sqlite3@${VERSION}`),
    );
  });

  it('of the version that a checkout has, and that the help names', async () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: { [folder: string]: { version: string } };
    };
    expect(packages['node_modules/better-sqlite3-12']?.version).toBe(VERSION);
    expect(readFileSync('src/cli/help/install.md', 'utf8')).toContain(
      `better-sqlite3-12@npm:better-sqlite3@${VERSION}`,
    );
  });
});

it('was installed for another Node: exit 10, for which, and nothing is left behind', () => {
  const { run, home, folder } = programCopy(FOR_NODE_24, GLOBAL);
  const { exit, err } = run('individuals list');
  expect(exit).toBe(10);
  // The command that compiles it anew, for the folder it lies in.
  expect(err).toContain(mending(`npm rebuild better-sqlite3-12 --prefix "${folder}"`));
  expect(err).toContain(`error: SQLite cannot be used: ${NAME} was installed for Node 24; this is ${HERE} on `);
  expect(err).not.toContain('defect');
  expect(readdirSync(home).filter((name) => name !== 'cache')).toEqual([]);
});

it.each([
  ['cannot be read', throwing('libc.so.6: version GLIBC_2.38 not found\nand more', { code: 'ERR_DLOPEN_FAILED' })],
  ['lacks its binary', throwing('Could not locate the bindings file.\nTried: …', { tries: [] })],
])('%s: exit 10, with the first line of the reason', (_, driver) => {
  const { exit, err } = programCopy(driver).run('whoami');
  expect(exit).toBe(10);
  expect(err).toMatch(
    new RegExp(`the binary of ${NAME} cannot be loaded \\((libc|Could)[^\\n]*\\); this is ${HERE} on `),
  );
});

it('is a finding of the doctor, who looks at the rest as well', () => {
  const { exit, out, err } = programCopy(FOR_NODE_24).run('doctor -o json');
  const findings = JSON.parse(out) as { Check: string; State: string; Found: string; Advice: string | null }[];
  expect({ exit, err }).toEqual({ exit: 11, err: '' });
  expect(findings.map(({ Check, State }) => `${Check} ${State}`)).toEqual(['node ok', 'sqlite fault', 'folder ok']);
  expect(findings[1]?.Found).toContain('was installed for Node 24');
  expect(findings[1]?.Advice).toMatch(/^npm ci --prefix /);
});

it('with a fault of its own is a defect, shown at its place in the sources', () => {
  const { run, home } = programCopy(throwing('no such thing', {}));
  // Where pm has a folder, code of an earlier run is loaded as well.
  mkdirSync(home, { mode: 0o700 });
  for (const line of ['whoami', '--help', 'whoami']) run(line);
  const { exit, err } = run('whoami', { PM_DEBUG: '1' });
  expect(exit).toBe(70);
  const [, line = ''] = /at openDatabase \(src\/engine\/store\/sqlite\/driver\.ts:(\d+):\d+\)/.exec(err) ?? [];
  const source = readFileSync('src/engine/store/sqlite/driver.ts', 'utf8').split('\n');
  expect(source[Number(line) - 1]).toContain('withAdvice(() => new Opened(');
});

it.each([
  ['8', 'better-sqlite3-12'],
  ['9', 'better-sqlite3-12'],
  ['10', 'better-sqlite3'],
  ['11', 'better-sqlite3'],
])('with Node-API %s is %s', (napi, name) => {
  expect(driverFor({ napi })).toBe(name);
});
