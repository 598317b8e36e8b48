// The compiled code of the program is kept where nobody else can write, and nothing is made for it unasked.
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileCacheFolder, loaderOf } from '../../src/cli/code-cache.ts';
import { inLong } from '../support/long.ts';
import { programCopy } from '../support/program-copy.ts';

const newHome = (): string => mkdtempSync(join(tmpdir(), 'pm-home-'));
const folderIn = (home: string): string | undefined => compileCacheFolder({ PM_HOME: home });

describe('the folder', () => {
  it("is made in pm's own, for its owner alone", () => {
    const home = newHome();
    const folder = join(home, 'cache');
    expect(folderIn(home)).toBe(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(folderIn(home)).toBe(folder);
  });

  it('is not made where pm has no folder yet', () => {
    const home = join(newHome(), 'later');
    expect(folderIn(home)).toBeUndefined();
    expect(existsSync(home)).toBe(false);
  });

  it.each([0o777, 0o770, 0o1777, 0o702])("is passed over where pm's folder has the rights %o", (mode) => {
    const home = newHome();
    chmodSync(home, mode);
    expect(folderIn(home)).toBeUndefined();
    expect(readdirSync(home)).toEqual([]);
  });

  it('is passed over where others may write it', () => {
    const home = newHome();
    mkdirSync(join(home, 'cache'));
    chmodSync(join(home, 'cache'), 0o777);
    expect(folderIn(home)).toBeUndefined();
  });

  it.runIf(process.getuid?.() === 0)('is passed over where it is the folder of another user', () => {
    const home = newHome();
    mkdirSync(join(home, 'cache'), { mode: 0o700 });
    chownSync(join(home, 'cache'), 12_345, 12_345);
    expect(folderIn(home)).toBeUndefined();
  });

  it('is passed over where a file is in the way', () => {
    const home = newHome();
    writeFileSync(join(home, 'cache'), '');
    expect(folderIn(home)).toBeUndefined();
  });
});

describe('the program', () => {
  it('makes nothing for help and version where pm has no folder, and needs no driver of SQLite', () => {
    const { run, home } = programCopy();
    for (const line of ['--help', '--version', 'individuals --help', 'individuals -h', 'explain individuals'])
      expect(run(line).exit).toBe(0);
    expect(existsSync(home)).toBe(false);
  });

  const copyWithHome = (): ReturnType<typeof programCopy> & { readonly cache: string } => {
    const copy = programCopy();
    mkdirSync(copy.home, { mode: 0o700 });
    return { ...copy, cache: join(copy.home, 'cache') };
  };
  const sizes = (cache: string): number =>
    readdirSync(cache).reduce((sum, name) => sum + statSync(join(cache, name)).size, 0);

  it('keeps its code, runs from it, and adds what another command compiles', () => {
    const { run, cache } = copyWithHome();
    const first = run('-h');
    expect(first.exit).toBe(0);
    expect(readdirSync(cache)).toHaveLength(1);
    expect(run('-h')).toEqual(first);
    const before = sizes(cache);
    expect(run('explain individuals').exit).toBe(0);
    expect(sizes(cache)).toBeGreaterThan(before);
  });

  it('keeps nothing of a command that failed', () => {
    const { run, cache } = copyWithHome();
    expect(run('individals list').exit).toBe(2);
    expect(readdirSync(cache)).toEqual([]);
  });

  it.each(inLong(['no code'], ['', 'no code', '\0']))('runs where the kept code is damaged: %j', (text) => {
    const { run, cache } = copyWithHome();
    const first = run('-h');
    for (const name of readdirSync(cache)) writeFileSync(join(cache, name), text);
    expect(run('-h')).toEqual(first);
    expect(readdirSync(cache).every((name) => readFileSync(join(cache, name)).length > 100)).toBe(true);
  });

  it('keeps no code of an older build', () => {
    const { run, cache, folder } = copyWithHome();
    run('-h');
    const before = readdirSync(cache);
    for (const name of readdirSync(join(folder, 'dist')).filter((file) => file.endsWith('.js')))
      appendFileSync(join(folder, 'dist', name), '\n// A later build.\n');
    expect(run('-h').exit).toBe(0);
    expect(readdirSync(cache)).toHaveLength(before.length);
    expect(readdirSync(cache).filter((name) => before.includes(name))).toEqual([]);
  });

  it('runs without it where others may write the folder', () => {
    const { run, home } = programCopy();
    mkdirSync(join(home, 'cache'), { recursive: true });
    chmodSync(join(home, 'cache'), 0o777);
    expect(run('--help').exit).toBe(0);
    expect(readdirSync(join(home, 'cache'))).toEqual([]);
  });
});

it('loads letters of every script as they are written', () => {
  const folder = newHome();
  writeFileSync(join(folder, 'letters.js'), "module.exports = [/^Stra[ß]e 山$/u.test('Stra\\u00dfe \\u5c71'), '→'];");
  for (let run = 1; run <= 2; run++) {
    const { load, keep } = loaderOf(folder, folder, createRequire(import.meta.filename));
    expect(load('letters.js')).toEqual([true, '\u2192']);
    keep();
  }
});

describe('what is seldom needed', () => {
  const SPARED = [
    '--help',
    'individuals --help',
    'individuals list',
    'individuals get ann',
    'departments tree',
    'help where',
  ];

  it('is not loaded for what is often asked', () => {
    const { run, folder } = programCopy();
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    expect(run('whoami').exit).toBe(0);
    rmSync(join(folder, 'dist/seldom.js'));
    for (const line of SPARED) expect({ line, ...run(line) }).toMatchObject({ line, exit: 0, err: '' });
    expect(run('whoami').exit).not.toBe(0);
  });
});
