// Damaged code, and code of another text, is never handed to V8, which would end the process by it. Code that was bad when it was kept
// ends one process.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { type Loader, loaderOf } from '../../src/cli/code-cache.ts';
import { inLong, isLong } from '../support/long.ts';
import { type ProgramCopy, programCopy } from '../support/program-copy.ts';
import { seeded } from '../support/seeded.ts';

/** In the place of V8: what it was handed, and the code that it has made. */
const v8 = vi.hoisted(() => ({ handed: undefined as Buffer | undefined, made: undefined as Buffer | undefined }));
vi.mock(import('node:vm'), async (original) => {
  class Script {
    readonly cachedDataRejected = false;
    constructor(_source: string, { cachedData }: { readonly cachedData?: Buffer }) {
      v8.handed = cachedData && Buffer.from(cachedData);
    }
    runInThisContext = () => () => undefined;
    createCachedData = () => v8.made;
  }
  return { ...(await original()), Script: Script as never };
});

const DAMAGES = inLong(40, 200);
const PROFILE = { PM_PROFILE: 'local' };
/** A command that reads each file. */
const COMMANDS: Readonly<Record<string, string>> = {
  'program.js': 'individuals list',
  'asking.js': 'individuals -h',
  'packages+better-sqlite3.js': 'individuals get ann -o id',
  'seldom.js': 'whoami',
  'packages+yaml.js': 'individuals list -o yaml',
};

/** A home in which each command has run once: the key of kept code holds no path. */
const template = mkdtempSync(join(tmpdir(), 'pm-compiled-'));
afterAll(() => rmSync(template, { recursive: true, force: true }));

let copy: ProgramCopy;
let cache = '';
beforeEach(() => {
  copy = programCopy();
  symlinkSync(resolve('node_modules'), join(copy.folder, 'node_modules'));
  cache = join(copy.home, 'cache');
  if (readdirSync(template).length > 0) return cpSync(template, copy.home, { recursive: true });
  mkdirSync(copy.home, { mode: 0o700 });
  for (const line of Object.values(COMMANDS)) expect(copy.run(line, PROFILE)).toMatchObject({ exit: 0 });
  cpSync(copy.home, template, { recursive: true });
});

const kept = (file: string): Buffer => readFileSync(join(cache, file));
const put = (file: string, bytes: Uint8Array): void => writeFileSync(join(cache, file), bytes);

/** A run that loads the program file whose code is kept in `file`. */
function loading(file: string): Loader | undefined {
  const loader = loaderOf(join(copy.folder, 'dist'), cache, createRequire(import.meta.filename));
  loader?.load(`./${file.replaceAll('+', '/')}`);
  return loader;
}

function handedFor(file: string): Buffer | undefined {
  loading(file)?.end();
  return v8.handed;
}

/** Turned bits, zeros behind a good begin or in between, other bytes, cuts: as many as asked for, less those that change nothing. */
function* damagesOf(whole: Buffer, count: number): Generator<{ readonly what: string; readonly bytes: Buffer }> {
  const random = seeded(whole.length);
  const below = (most: number): number => Math.floor(random() * most);
  for (let number = 0; number < count; number++) {
    const at = number < 5 ? number * 8 : below(whole.length);
    const to = Math.min(whole.length, at + 1 + below(4096));
    const bytes = Buffer.from(whole);
    const kind = number % 5;
    if (kind === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
    if (kind === 1) bytes.fill(0, at);
    if (kind === 2) bytes.fill(0, at, to);
    if (kind === 3) for (let one = at; one < to; one++) bytes[one] = below(256);
    const what = `${['a bit', 'zeros from', 'zeros', 'other bytes', 'cut off'][kind]} at ${at} of ${whole.length}`;
    const damaged = kind === 4 ? bytes.subarray(0, at) : bytes;
    if (!damaged.equals(whole)) yield { what, bytes: damaged };
  }
}

it.each(Object.keys(COMMANDS))('no damaged code of %s is handed to V8, and the whole one is', (file) => {
  const whole = kept(file);
  const code = handedFor(file);
  expect(code && whole.indexOf(code)).toBeGreaterThan(0);
  const handed: string[] = [];
  let tried = 0;
  for (const { what, bytes } of damagesOf(whole, DAMAGES)) {
    put(file, bytes);
    tried++;
    if (handedFor(file) !== undefined) handed.push(what);
  }
  expect(handed).toEqual([]);
  expect(tried).toBeGreaterThan(DAMAGES * 0.75);
});

it.each(Object.entries(COMMANDS))('where %s is damaged, pm %s answers as ever', (file, line) => {
  const answer = copy.run(line, PROFILE);
  const all = [...damagesOf(kept(file), inLong(5, DAMAGES))];
  // In the suite each file is damaged in one way, and each way is tried.
  const way = Object.keys(COMMANDS).indexOf(file) % all.length;
  for (const { what, bytes } of all.filter((_, nth) => isLong || nth === way)) {
    put(file, bytes);
    expect({ what, ...copy.run(line, PROFILE) }).toEqual({ what, ...answer });
    expect(handedFor(file)).toBeDefined();
  }
});

it('no code of another file or another build is handed to V8', () => {
  const whole = kept('program.js');
  put('program.js', kept('seldom.js'));
  expect(handedFor('program.js')).toBeUndefined();
  appendFileSync(join(copy.folder, 'dist/program.js'), '\n// A later build.\n');
  put('program.js', whole);
  expect(handedFor('program.js')).toBeUndefined();
});

it('code that was bad when it was kept ends one process; the next one deletes it, and tells the doctor', () => {
  const answer = copy.run('-h');
  // Zeros behind the header that V8 itself looks at.
  v8.made = Buffer.from(handedFor('program.js') ?? '').fill(0, 64);
  put('program.js', Buffer.alloc(0));
  const loader = loading('program.js');
  loader?.keep();
  loader?.end();
  const env = { ...process.env, CI: '', PM_HOME: copy.home, USER: 'ann' };
  const { pid, signal } = spawnSync(process.execPath, [join(copy.folder, 'bin/pm.js'), '-h'], { env });
  expect(signal).not.toBeNull();
  expect(readdirSync(cache)).toContain(`running-${pid}`);
  expect(copy.run('doctor -o json', PROFILE).out).toContain(`process ${pid} ended too early`);
  expect(readdirSync(cache)).not.toContain(`running-${pid}`);
  for (let run = 1; run <= 2; run++) expect(copy.run('-h')).toEqual(answer);
});

it('code is read by no process that cannot leave a marker', () => {
  const nowhere = join(copy.home, 'not there');
  expect(loaderOf(join(copy.folder, 'dist'), nowhere, createRequire(import.meta.filename))).toBeUndefined();
});
