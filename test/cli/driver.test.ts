// A driver of SQLite that does not fit this Node: pm says so, says what mends it, and the doctor looks at the rest as well.
// That help, version and explain need none: compile-cache.test.ts.
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { driverFor } from '../../src/engine/store/sqlite/driver.ts';
import { programCopy } from '../support/program-copy.ts';

const NAME = driverFor(process.versions);
const HERE = `Node ${process.versions.node}`;
const AGAIN = `nstall pm again with ${HERE}: npm ci in a checkout, else npm install -g pm-admin.`;

/** A driver whose constructor throws this error, as those do whose binary cannot be loaded. */
const throwing = (message: string, members: Readonly<Record<string, unknown>>): string => `
  module.exports = function Database() { throw Object.assign(new Error(${JSON.stringify(message)}), ${JSON.stringify(members)}); };
  module.exports.SqliteError = class SqliteError extends Error {};
`;
const FOR_NODE_24 = throwing(
  "The module 'better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 137.",
  { code: 'ERR_DLOPEN_FAILED' },
);

it('is not installed: exit 10, and how to install it', () => {
  const { run } = programCopy();
  const { exit, err, out } = run('individuals list');
  expect({ exit, out }).toEqual({ exit: 10, out: '' });
  expect(err).toContain(`error: SQLite cannot be used: ${HERE} needs the package ${NAME}, which is not installed`);
  expect(err).toContain(AGAIN);
});

it('was installed for another Node: exit 10, for which, and nothing is left behind', () => {
  const { run, home, folder } = programCopy(FOR_NODE_24);
  const { exit, err } = run('individuals list');
  expect(exit).toBe(10);
  // The command that compiles it anew, for the folder it lies in.
  if (NAME !== 'better-sqlite3')
    expect(err).toContain(`hint: npm rebuild ${NAME} --prefix "${folder}"; or install pm again`);
  expect(err).toContain(`error: SQLite cannot be used: ${NAME} was installed for Node 24; this is ${HERE} on `);
  expect(err).toContain(AGAIN);
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
  expect(findings[1]?.Advice).toContain('npm install -g pm-admin');
});

it('with a fault of its own is a defect, shown at its place in the sources', () => {
  const { run } = programCopy(throwing('no such thing', {}));
  const { exit, err } = run('whoami', { PM_DEBUG: '1' });
  expect(exit).toBe(70);
  expect(err).toMatch(/at openDatabase \(.*src\/engine\/store\/sqlite\/driver\.ts:\d+:\d+\)/);
});

it.each([
  ['8', 'better-sqlite3-12'],
  ['9', 'better-sqlite3-12'],
  ['10', 'better-sqlite3'],
  ['11', 'better-sqlite3'],
])('with Node-API %s is %s', (napi, name) => {
  expect(driverFor({ napi })).toBe(name);
});
