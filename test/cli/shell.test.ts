// Words of a printed command in the quotes of the shell that it is pasted into.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { inShell, type Shell, shellOf } from '../../src/cli/output/calling.ts';

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
