// Loads the files of the built program with the code that earlier runs have compiled: compiling is most of what a short command
// does. Node's own cache keeps no function that is compiled when it is first called, and Node 20 has none.
//
// V8 trusts the code that it is handed: damaged code ends the process without a word. So it is handed only code that is in its file
// twice, beside the text that it is compiled from, and that no other user can have written; and code that a run died with is
// deleted. To compare takes a millisecond; the checksums of Node are in modules that take four to load.
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
  readonly source: string;
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
  const text = textOf(path);
  const source = text.toString();
  const kept = mayRead ? read(file, text) : undefined;
  const script = new Script(source, {
    filename: path,
    columnOffset: -BEFORE.length,
    ...(kept && { cachedData: kept.code }),
  });
  return { script, file, source, runs: kept && !script.cachedDataRejected ? kept.runs : 0 };
}

/** One memory for all files, one after the other: memory that is new costs more than what is read into it. */
let memory = Buffer.allocUnsafeSlow(2 ** 20);

function room(size: number): Buffer {
  if (size > memory.length) memory = Buffer.allocUnsafeSlow(size);
  return memory.subarray(0, size);
}

/** The source as V8 gets it, in the room. */
function textOf(path: string): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const text = room(BEFORE.length + size + BEHIND.length);
    const end = text.write(BEFORE) + readSync(descriptor, text, BEFORE.length, size, 0);
    return text.subarray(0, end + text.write(BEHIND, end));
  } finally {
    closeSync(descriptor);
  }
}

/** The folder may have been open to others for a time. They may have left a link there, or a pipe without a writer. */
const AS_IT_IS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Into the room, in the place of the text. Undefined if the file is damaged, from another text or Node, or could have been written
 * by others. It holds the text, the code with the number of its runs behind it, in one byte, and both of these once more.
 */
function read(file: string, text: Buffer): Kept | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, AS_IT_IS);
    const stats = fstatSync(descriptor);
    const begin = text.length;
    const size = (stats.size - begin) / 2;
    if (!isPrivate(stats) || size < 2 || !holds(descriptor, text, 0)) return undefined;
    const bytes = room(size);
    const isWhole = readSync(descriptor, bytes, 0, size, begin) === size && holds(descriptor, bytes, begin + size);
    if (!isWhole) return undefined;
    return { code: bytes.subarray(0, -1), runs: bytes.at(-1) ?? 0 };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const PIECE = Buffer.allocUnsafeSlow(2 ** 16);

/** Does the file hold these bytes there? */
function holds(descriptor: number, bytes: Buffer, there: number): boolean {
  for (let at = 0; at < bytes.length; at += PIECE.length) {
    const end = Math.min(at + PIECE.length, bytes.length);
    const count = readSync(descriptor, PIECE, 0, end - at, there + at);
    if (bytes.compare(PIECE, 0, count, at, end) !== 0) return false;
  }
  return true;
}

/** Code that V8 has thrown away meanwhile is not lost: the kept code never becomes less. */
function write({ script, file, source, runs }: Compiled): void {
  const draft = `${file}-${process.pid}`;
  try {
    const text = Buffer.from(source);
    const fresh = script.createCachedData();
    const kept = runs > 0 ? read(file, text) : undefined;
    const code = kept && kept.code.length > fresh.length ? kept.code : fresh;
    const once = Buffer.concat([code, Buffer.of(runs + 1)]);
    writeFileSync(draft, Buffer.concat([text, once, once]), { flag: 'wx', mode: 0o600, flush: true });
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
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) makeHome(folder);
    return isPrivate(statSync(folder)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Can this user alone write it? On Windows the user's folder is private. */
export function isPrivate({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
