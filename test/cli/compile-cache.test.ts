// The compiled code of the program is kept where nobody else can write, and nothing is made for it unasked.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileCacheFolder, loaderOf } from '../../src/cli/code-cache.ts';
import { programCopy } from '../support/program-copy.ts';
import { spawned } from '../support/terminal.ts';

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

/** The runs that kept code is from. */
const runsIn = (file: string): number | undefined => readFileSync(file).at(-1);

/** What a page of help that is not written is made by. */
const FILES_OF_PAGE = ['asking.js', 'program.js'];

const deadProcess = (): number => spawnSync(process.execPath, ['-e', '']).pid;

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
    expect(readdirSync(cache)).toEqual(FILES_OF_PAGE);
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

  it('keeps no code of an older build, nor what a process has left that died', () => {
    const { run, cache, folder } = copyWithHome();
    run('-h');
    const before = readdirSync(cache);
    for (const name of readdirSync(join(folder, 'dist')).filter((file) => file.endsWith('.js')))
      appendFileSync(join(folder, 'dist', name), '\n// A later build.\n');
    for (const name of ['other.js', `program.js-${deadProcess()}`]) writeFileSync(join(cache, name), '');
    expect(run('-h').exit).toBe(0);
    expect(readdirSync(cache)).toEqual(before);
    expect(before.map((name) => runsIn(join(cache, name)))).toEqual(before.map(() => 1));
  });

  it('does not run the code that a process died with, and takes that of one that lives', () => {
    const { run, cache } = copyWithHome();
    const first = run('-h');
    const runsOfAll = () => FILES_OF_PAGE.map((name) => runsIn(join(cache, name)));
    const mark = (pid: number): void => writeFileSync(join(cache, `running-${pid}`), '');
    mark(process.pid);
    expect(run('-h')).toEqual(first);
    expect(runsOfAll()).toEqual([2, 2]);
    mark(deadProcess());
    expect(run('-h')).toEqual(first);
    expect(runsOfAll()).toEqual([1, 1]);
    expect(readdirSync(cache).sort()).toEqual([...FILES_OF_PAGE, `running-${process.pid}`]);
  });

  it('answers twenty at once', async () => {
    const { folder, home, cache, run } = copyWithHome();
    const first = run('-h');
    rmSync(cache, { recursive: true });
    const all = await Promise.all(
      Array.from({ length: 20 }, () => spawned(process.execPath, [join(folder, 'bin/pm.js'), '-h'], home)),
    );
    for (const one of all) expect(one).toEqual(first);
    expect(readdirSync(cache)).toEqual(FILES_OF_PAGE);
  });

  it('answers the same where Node makes no machine code', () => {
    const { run } = copyWithHome();
    const first = run('-h');
    expect(run('-h', { NODE_OPTIONS: '--jitless' })).toMatchObject({ exit: 0, out: first.out });
  });

  it('runs without it where others may write the folder', () => {
    const { run, home } = programCopy();
    mkdirSync(join(home, 'cache'), { recursive: true });
    chmodSync(join(home, 'cache'), 0o777);
    expect(run('--help').exit).toBe(0);
    expect(readdirSync(join(home, 'cache'))).toEqual([]);
  });
});

describe('a file of the program', () => {
  /** Loads it as a run of pm does; answers what it exports. */
  function loaded({ program, cache }: Folders): unknown {
    const loader = loaderOf(program, cache, createRequire(import.meta.filename));
    const exported = loader?.load('one.js');
    loader?.keep();
    loader?.end();
    return exported;
  }

  it('has letters of every script as they are written', () => {
    const folders = programOf("module.exports = [/^Stra[ß]e 山$/u.test('Stra\\u00dfe \\u5c71'), '→'];");
    for (let run = 1; run <= 2; run++) expect(loaded(folders)).toEqual([true, '\u2192']);
    expect(runsIn(folders.kept)).toBe(2);
  });

  it('runs as it is now, also where an edit has left its length and its time', () => {
    const folders = programOf('module.exports = 1;');
    const { atime, mtime } = statSync(folders.source);
    expect(loaded(folders)).toBe(1);
    writeFileSync(folders.source, 'module.exports = 2;');
    utimesSync(folders.source, atime, mtime);
    expect(loaded(folders)).toBe(2);
  });

  it.runIf(process.getuid?.() === 0).each<[string, (file: string) => void]>([
    ['another user has put there', (file) => chownSync(file, 12_345, 12_345)],
    ['others may write', (file) => chmodSync(file, 0o666)],
  ])('is compiled anew beside code that %s', (_, open) => {
    const folders = programOf('module.exports = 1;');
    loaded(folders);
    open(folders.kept);
    expect(loaded(folders)).toBe(1);
    expect(runsIn(folders.kept)).toBe(1);
    expect(statSync(folders.kept)).toMatchObject({ uid: process.getuid?.(), mode: 0o100600 });
  });

  it('is compiled anew beside a link to code in another place', () => {
    const folders = programOf('module.exports = 1;');
    loaded(folders);
    renameSync(folders.kept, join(folders.program, 'moved'));
    symlinkSync(join(folders.program, 'moved'), folders.kept);
    expect(loaded(folders)).toBe(1);
    expect(runsIn(folders.kept)).toBe(1);
  });
});

interface Folders {
  readonly program: string;
  readonly cache: string;
  readonly source: string;
  readonly kept: string;
}

/** A program of one file. */
function programOf(text: string): Folders {
  const [program, cache] = [newHome(), newHome()];
  writeFileSync(join(program, 'one.js'), text);
  return { program, cache, source: join(program, 'one.js'), kept: join(cache, 'one.js') };
}

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
