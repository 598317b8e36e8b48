// The compiled code of the program is kept where nobody else can write, and nothing is made for it unasked.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import * as nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileCacheFolder } from '../../src/cli/main.ts';
import { programCopy } from '../support/program-copy.ts';

const hasCache = 'enableCompileCache' in nodeModule;
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
  it('makes nothing for help and version where pm has no folder', () => {
    const { run, home } = programCopy();
    for (const line of ['--help', '--version', 'individuals --help']) expect(run(line).exit).toBe(0);
    expect(existsSync(home)).toBe(false);
  });

  it.runIf(hasCache)('keeps its code, and runs from it', () => {
    const { run, home } = programCopy();
    mkdirSync(home, { mode: 0o700 });
    const first = run('--help');
    expect(readdirSync(join(home, 'cache'), { recursive: true }).length).toBeGreaterThan(1);
    expect(run('--help')).toEqual(first);
  });

  it.runIf(hasCache)('runs without it where others may write the folder', () => {
    const { run, home } = programCopy();
    mkdirSync(join(home, 'cache'), { recursive: true });
    chmodSync(join(home, 'cache'), 0o777);
    expect(run('--help').exit).toBe(0);
    expect(readdirSync(join(home, 'cache'))).toEqual([]);
  });

  it.skipIf(hasCache)('makes no folder for it on a Node that keeps no code', () => {
    const { run, home } = programCopy();
    mkdirSync(home, { mode: 0o700 });
    expect(run('--help').exit).toBe(0);
    expect(readdirSync(home)).toEqual([]);
  });
});
