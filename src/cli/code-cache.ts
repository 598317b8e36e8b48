// Loads the files of the built program with the code that earlier runs have compiled: compiling is most of what a short command
// does. Node's own cache keeps no function that is compiled when it is first called, and Node 20 has none.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { homeOf } from './profiles/home.ts';

/** The runs of a file whose functions are kept: later ones seldom call others. */
const RUNS = 8;

export interface Loader {
  /** What a file of the program's folder exports, such as `program.js`. */
  load(name: string): unknown;
  /** Keeps what was compiled, for later runs. What cannot be written is not kept. */
  keep(): void;
}

interface Compiled {
  readonly file: string;
  readonly script: Script;
  /** The runs that the kept code is from, and its bytes; none where there is none. */
  readonly runs: number;
  readonly size: number;
}

/**
 * Loads from the folder `program`, whose files are CommonJS, and keeps code in the folder `cache`. What is no file of the program is
 * loaded by `ofNode`.
 */
export function loaderOf(program: string, cache: string, ofNode: NodeJS.Require): Loader {
  const modules = new Map<string, { exports: unknown }>();
  const compiled: Compiled[] = [];
  const required = Object.assign((name: string) => (name.startsWith('./') ? load(name) : ofNode(name)), ofNode);
  const load = (name: string): unknown => {
    const path = join(program, name);
    const known = modules.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(path, module);
    const one = compile(path, join(cache, keyOf(path)));
    compiled.push(one);
    one.script.runInThisContext().call(module.exports, module.exports, required, module, path, dirname(path));
    return module.exports;
  };
  return {
    load,
    keep() {
      for (const one of compiled) if (one.runs < RUNS) write(one);
    },
  };
}

/** Another build, Node or machine has another name. V8 refuses code of another version by itself. */
function keyOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  const stem = `${process.version}_${process.arch}_${path.slice(-80)}`.replaceAll(/\W+/g, '_');
  return `${stem}-${size}-${Math.round(mtimeMs)}`;
}

/** A module is a function, as Node makes it of each file of CommonJS. */
const WRAPPER = '(function (exports, require, module, __filename, __dirname) { ';

/** The last byte of a kept file is the number of its runs. */
function compile(path: string, file: string): Compiled {
  const source = `${WRAPPER}${readFileSync(path, 'utf8')}\n})`;
  const kept = read(file);
  const script = new Script(source, {
    filename: path,
    columnOffset: -WRAPPER.length,
    ...(kept && { cachedData: kept.subarray(0, -1) }),
  });
  return kept && !script.cachedDataRejected
    ? { file, script, runs: kept.at(-1) ?? 0, size: kept.length - 1 }
    : { file, script, runs: 0, size: 0 };
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Code that V8 has thrown away meanwhile is not lost: what is kept never becomes less. */
function write({ file, script, runs, size }: Compiled): void {
  try {
    const code = script.createCachedData();
    if (runs === 0) deleteOlder(file);
    const whole = code.length < size ? readFileSync(file).subarray(0, -1) : code;
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, Buffer.concat([whole, Buffer.of(runs + 1)]), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // The next run compiles again.
  }
}

/** What is kept of other builds of the same file. */
function deleteOlder(file: string): void {
  const stem = basename(file).split('-', 1)[0];
  for (const name of readdirSync(dirname(file))) {
    if (name.startsWith(`${stem}-`)) rmSync(join(dirname(file), name));
  }
}

/** The cache folder, created if missing. Undefined if it is not private, or pm has no folder yet. */
export function compileCacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  try {
    const home = homeOf({ env });
    if (!isPrivate(home)) return undefined;
    const folder = join(home, 'cache');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isPrivate(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Cached code that other users could write must not run. On Windows the user's folder is private. */
function isPrivate(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
