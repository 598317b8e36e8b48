// Words of a printed command in the quotes of the shell that it is pasted into.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inShell, type Shell, shellOf } from '../../src/cli/output/calling.ts';
import { usingPm } from '../support/pm.ts';

describe('the shell', () => {
  test.each([
    ['linux', {}, 'posix'],
    ['darwin', { SHELL: '/bin/zsh' }, 'posix'],
    ['linux', { SHELL: '/bin/bash', PSModulePath: '/home/ann/.local/share/powershell/Modules' }, 'powershell'],
    ['win32', {}, 'cmd'],
    ['win32', { PSModulePath: String.raw`C:\Program Files\Modules;C:\Windows\Modules` }, 'cmd'],
    [
      'win32',
      { PSModulePath: String.raw`C:\Users\me\Modules;C:\Program Files\Modules;C:\Windows\Modules` },
      'powershell',
    ],
    ['win32', { MSYSTEM: 'MINGW64', PSModulePath: 'a;b;c' }, 'posix'],
  ] as const)('on %s with %j is %s', (platform, env, shell) => {
    expect(shellOf(env, platform)).toBe(shell);
  });
});

describe('a word', () => {
  test.each<[string, Shell, string]>([
    ['ann@example.org', 'posix', 'ann@example.org'],
    ["o'neil x", 'posix', String.raw`'o'\''neil x'`],
    ['', 'posix', "''"],
    ['$HOME', 'posix', "'$HOME'"],
    ['ann@example.org', 'powershell', 'ann@example.org'],
    ['@ann', 'powershell', "'@ann'"],
    ['UserName,FullName', 'powershell', "'UserName,FullName'"],
    ["o'neil’s", 'powershell', "'o''neil’’s'"],
    [String.raw`C:\a`, 'cmd', String.raw`C:\a`],
    ["o'neil x", 'cmd', `"o'neil x"`],
    ['say "a"', 'cmd', '"say ""a"""'],
    [String.raw`C:\my files${'\\'}`, 'cmd', String.raw`"C:\my files\\"`],
    ['100%', 'cmd', '"100"^%""'],
  ])('%j in %s is %s', (word, shell, written) => {
    expect(inShell(word, shell)).toBe(written);
  });

  test('reaches a program from sh as it is', () => {
    const all = ["o'neil x", '', '$HOME `id` "a" \\', '*', '~', 'a;b&c|d', '-x', '!!', 'a\nb'];
    const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
    const line = `"$NODE" -e '${script}' -- ${all.map((word) => inShell(word, 'posix')).join(' ')}`;
    const out = execFileSync('/bin/sh', ['-c', line], { env: { NODE: process.execPath } });
    expect(JSON.parse(String(out))).toEqual(all);
  });
});

describe('the name of a file', () => {
  const pm = usingPm();
  test.each<[readonly string[], string]>([
    [['import', 'hr data'], "pm apply 'hr data'"],
    [['import', "it's.csv"], String.raw`pm import individuals 'it'\''s.csv'`],
    [['each', 'a b.csv'], "pm each 'a b.csv' --"],
    [['plan', 'individuals', 'a b.csv'], "--out 'a b.plan'"],
    [['apply', 'hr data', '--expect', 'a'.repeat(64)], "pm apply 'hr data' -n"],
    [['individuals', 'update', 'ann', '--suffix', 'x', '--out', 'a b.plan'], "-n --out 'a b.plan'"],
  ])('in a hint after %j can be pasted: %s', async (line, hint) => {
    mkdirSync(join(pm.home, 'hr data'), { recursive: true });
    for (const name of ["it's.csv", 'a b.csv']) writeFileSync(join(pm.home, name), 'UserName,FirstName,LastName\n');
    await pm.refuses(line, 2, hint);
  });

  test('in the hints of a folder of tables can be pasted', async () => {
    mkdirSync(join(pm.home, 'hr data'), { recursive: true });
    writeFileSync(join(pm.home, 'hr data/people.csv'), 'UserName,Department,Hire date\nann,Nowhere,1/2/2020\n');
    await pm.refuses(['check', 'hr data'], 7, "pm apply 'hr data' -n", "hr data/people.csv' -n", "hr data/people.pm'");
  });
});
