// Loads the files of the built program with the code that earlier runs have compiled: compiling is most of what a short command
// does. Node's own cache keeps no function that is compiled when it is first called, and Node 20 has none.
//
// V8 trusts the code that it is handed: damaged code ends the process without a word. So it is handed only code that has the right
// checksum and no other user can have written, and code that a run died with is deleted.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { checksum, room } from './checksum.ts';
import { homeOf, makeHome } from './profiles/home.ts';

/** Functions are kept from so many runs of a file: later ones seldom call others. */
const RUNS = 8;

export interface Loader {
  /** The exports of a file of the program's folder, such as `program.js`. */
  load(name: string): unknown;
  /** Keeps compiled code for later runs, as far as it can be written. */
  keep(): void;
  /** This run has ended well. Where none has said so, the code that it used may be the cause: the next run deletes it. */
  end(): void;
}

interface Compiled {
  readonly script: Script;
  readonly file: string;
  readonly key: bigint;
  /** The runs that the kept code is from; 0 where there is none. */
  readonly runs: number;
}

interface Kept {
  readonly code: Buffer;
  readonly runs: number;
}

/**
 * Loads from the folder `program` files of CommonJS, and keeps code in the folder `cache`. A file that is none of the program is
 * loaded by `ofNode`. Undefined if `cache` cannot be written.
 */
export function loaderOf(program: string, cache: string, ofNode: NodeJS.Require): Loader | undefined {
  const died = begin(cache);
  if (died === undefined) return undefined;
  const modules = new Map<string, { exports: unknown }>();
  const compiled: Compiled[] = [];
  const required = Object.assign((name: string) => (name.startsWith('./') ? load(name) : ofNode(name)), ofNode);
  const load = (name: string): unknown => {
    const path = join(program, name);
    const known = modules.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(path, module);
    const one = compile(path, join(cache, keptName(name)), died.length === 0);
    compiled.push(one);
    one.script.runInThisContext().call(module.exports, module.exports, required, module, path, dirname(path));
    return module.exports;
  };
  return {
    load,
    keep() {
      const grown = compiled.filter(({ runs }) => runs < RUNS);
      const isKept = (name: string): boolean => isMarker(name) || existsSync(join(program, programName(name)));
      if (grown.length > 0) quietly(() => deleteFrom(cache, isKept));
      for (const one of grown) write(one);
    },
    end: () => quietly(() => rmSync(markerOf(cache), { force: true })),
  };
}

/** The cache only spares time: a command goes on without it. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The next run tries again.
  }
}

const MARKER = 'running-';
export const isMarker = (name: string): boolean => name.startsWith(MARKER);

/** The marker file exists while this process runs. It names the processes that died earlier, with the code that was then deleted. */
export const markerOf = (cache: string): string => join(cache, `${MARKER}${process.pid}`);

/**
 * Marks this run, and deletes all code if there are marks of processes that died. Answers their numbers; undefined if the folder
 * cannot be written, so that a death would leave no mark.
 */
function begin(cache: string): readonly string[] | undefined {
  try {
    // Fails where Node does without WebAssembly, and so without the checksum.
    room(0);
    // A process that ends well takes its mark first: so the mark is looked for once more after the process.
    const marks = readdirSync(cache).filter(
      (name) => isMarker(name) && !isOfLiving(name) && existsSync(join(cache, name)),
    );
    if (marks.length > 0) {
      deleteFrom(cache, isMarker);
      deleteFrom(cache, (name) => !marks.includes(name));
    }
    const died = marks.map((name) => name.slice(MARKER.length));
    writeFileSync(markerOf(cache), died.join(), { flag: 'wx', mode: 0o600 });
    return died;
  } catch {
    return undefined;
  }
}

function deleteFrom(cache: string, isSpared: (name: string) => boolean): void {
  for (const name of readdirSync(cache))
    if (!isSpared(name) && !isOfLiving(name)) rmSync(join(cache, name), { recursive: true, force: true });
}

/** Marks and drafts end with the number of their process. This one has none when it is asked. */
function isOfLiving(name: string): boolean {
  const pid = Number(/-(\d+)$/.exec(name)?.[1] ?? process.pid);
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Each file of the program has one, whatever the build and the Node: code that others have kept is replaced. */
const keptName = (name: string): string => name.replace('./', '').replaceAll('/', '+');
const programName = (kept: string): string => kept.replaceAll('+', '/');

/** A module is a function, as Node makes it of each file of CommonJS. Other Nodes compile other code. */
const BEFORE = '(function (exports, require, module, __filename, __dirname) { ';
const BEHIND = `\n}) // ${process.version} ${process.arch}`;

function compile(path: string, file: string, mayRead: boolean): Compiled {
  const { source, key } = sourceOf(path);
  const kept = mayRead ? read(file, key) : undefined;
  const script = new Script(source, {
    filename: path,
    columnOffset: -BEFORE.length,
    ...(kept && { cachedData: kept.code }),
  });
  return { script, file, key, runs: kept && !script.cachedDataRejected ? kept.runs : 0 };
}

/** The key is the checksum of the whole source: an edit is seen whatever length and time the file has. */
function sourceOf(path: string): { readonly source: string; readonly key: bigint } {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const bytes = room(BEFORE.length + size + BEHIND.length);
    let end = bytes.write(BEFORE);
    end += readSync(descriptor, bytes, end, size, 0);
    end += bytes.write(BEHIND, end);
    return { source: bytes.toString('utf8', 0, end), key: checksum(end) };
  } finally {
    closeSync(descriptor);
  }
}

/** Behind the code are the number of its runs, in one byte, and the checksum of code and number, with the key as `before`. */
const CHECKSUM = 8;

/** The folder may have been open to others for a time. They may have left a link there, or a pipe without a writer. */
const AS_IT_IS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Into the room. Undefined if the file is damaged, from another text or Node, or could have been written by others. */
function read(file: string, key: bigint): Kept | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, AS_IT_IS);
    const stats = fstatSync(descriptor);
    if (!isPrivate(stats) || stats.size <= CHECKSUM) return undefined;
    const bytes = room(stats.size);
    const end = readSync(descriptor, bytes, 0, stats.size, 0) - CHECKSUM;
    const sum = bytes.readBigUInt64LE(end);
    return checksum(end, key) === sum ? { code: bytes.subarray(0, end - 1), runs: bytes[end - 1] ?? 0 } : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Code that V8 has thrown away meanwhile is not lost: the kept code never becomes less. */
function write({ script, file, key, runs }: Compiled): void {
  const draft = `${file}-${process.pid}`;
  try {
    const fresh = script.createCachedData();
    const kept = runs > 0 ? read(file, key) : undefined;
    const code = kept && kept.code.length > fresh.length ? kept.code : fresh;
    const end = code.length + 1;
    const bytes = room(end + CHECKSUM);
    bytes.set(code);
    bytes[end - 1] = runs + 1;
    bytes.writeBigUInt64LE(checksum(end, key), end);
    writeFileSync(draft, bytes.subarray(0, end + CHECKSUM), { flag: 'wx', mode: 0o600, flush: true });
    renameSync(draft, file);
  } catch {
    // The next run compiles again.
    rmSync(draft, { force: true });
  }
}

/** The cache folder, created if missing. Undefined if it is not private, or pm has no folder yet. */
export function compileCacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  try {
    const home = homeOf({ env });
    if (!isPrivate(statSync(home))) return undefined;
    const folder = join(home, 'cache');
    makeHome(folder);
    return isPrivate(statSync(folder)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Can this user alone write it? On Windows the user's folder is private. */
export function isPrivate({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
