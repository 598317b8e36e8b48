// Writes an output file: complete or not at all, never over an input, and over another file only with --overwrite.
import { createHash, randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  lstatSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ServiceError } from '../contract/errors.ts';
import { storageFault } from '../text/system-code.ts';
import { flushFolder, linkInto, moveInto } from './disk.ts';

export interface Output {
  /** The flag and the name in messages: `--out q4.plan`. */
  readonly name: string;
  /** Absolute. A link is followed. */
  readonly path: string;
  /** It may take the place of a file that is there. */
  readonly overwrite: boolean;
  /** Nothing is written; all that leads to it is done. */
  readonly dryRun?: boolean;
  /** Others may read it, as far as the umask lets them; otherwise its owner alone. */
  readonly shared?: boolean;
  /** Aborts when the process is asked to end. */
  readonly stopped?: AbortSignal | undefined;
}

/** Is the file a device, such as a terminal or a pipe? It is written to directly. In /dev/shm are ordinary files. */
export const isStream = (file: string): boolean => /^\/(?:dev(?!\/shm\/)|proc)\//.test(file);

/**
 * Refuses a file that `writeOutput` would refuse, so that nothing is done in vain. `inputs` are absolute paths that the same
 * command reads; none of them is ever written to. Throws `usage`.
 */
export function checkOutput(output: Output, inputs: readonly string[] = []): void {
  try {
    check(output, inputs);
  } catch (error) {
    throw isOfFiles(error) ? refused(output, String(error.code)) : error;
  }
}

function check(output: Output, inputs: readonly string[]): void {
  const { path } = output;
  checkFolder(output);
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found?.isDirectory()) throw refused(output, 'it is a folder');
  if (found && !found.isFile()) throw refused(output, 'it is not an ordinary file');
  const input = found && inputs.find((one) => isSameFile(one, found));
  if (input !== undefined) throw refused(output, `this command reads it (${input})`, 'Name another file.');
  if (!output.overwrite && lstatSync(path, { throwIfNoEntry: false })) throw taken(output);
}

/**
 * Writes a draft beside the file, flushes it and moves it into place. Answers as `work`; where that throws, or
 * the process is asked to end, the file is as it was. Throws `usage`, `storage`, `disk_full`, `interrupted`.
 */
export async function writeOutput<T>(output: Output, work: (draft: FileHandle) => Promise<T>): Promise<T> {
  if (output.dryRun) return inDraft(output, devNull, work);
  checkOutput(output);
  const path = realPathOf(output.path);
  const draft = `${path}.${process.pid}.${randomUUID().slice(0, 8)}.part`;
  try {
    const answer = await inDraft(output, draft, work);
    if (output.overwrite) moveInto(draft, path);
    else if (linkInto(draft, path) === 'existed') throw taken(output);
    return answer;
  } catch (error) {
    throw unwritable(output, error);
  } finally {
    await rm(draft, { force: true });
  }
}

/** As `writeOutput`, for a file that `replace` writes by itself: whole, or not at all. */
export function replaceOutput(output: Output, replace: () => void): void {
  checkOutput(output);
  try {
    replace();
    flushFolder(dirname(realPathOf(output.path)));
  } catch (error) {
    throw unwritable(output, error);
  }
}

/** As `writeOutput`, with the draft as a stream. */
export const writeStream = <T>(output: Output, work: (stream: Writable) => Promise<T>): Promise<T> =>
  writeOutput(output, async (draft) => {
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => void draft.appendFile(chunk).then(() => done(), done),
    });
    const written = finished(stream);
    written.catch(() => undefined);
    const answer = await work(stream);
    stream.end();
    await written;
    return answer;
  });

/** Makes an empty file that grows visibly while it is written. Throws as `writeOutput`. */
export function beginOutput(output: Output): void {
  checkOutput(output);
  const path = realPathOf(output.path);
  try {
    // The file that was there may be one that others can read.
    if (output.overwrite) rmSync(path, { force: true });
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    throw unwritable(output, error);
  }
}

async function inDraft<T>(output: Output, draft: string, work: (draft: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(draft, output.dryRun ? 'w' : 'wx', output.shared ? 0o666 : 0o600);
  try {
    const answer = await unlessStopped(output, work(handle));
    if (!output.dryRun) await handle.sync();
    return answer;
  } finally {
    await handle.close();
  }
}

/** Rejects on a signal, so that the draft can be removed before the process ends. */
function unlessStopped<T>({ name, stopped }: Output, work: Promise<T>): Promise<T> {
  if (!stopped) return work;
  return new Promise((resolve, reject) => {
    const interrupt = (): void =>
      reject(new ServiceError('interrupted', `it was interrupted: ${name} was not written`));
    stopped.addEventListener('abort', interrupt);
    work.then(resolve, reject).finally(() => stopped.removeEventListener('abort', interrupt));
  });
}

function checkFolder(output: Output): void {
  const folder = dirname(realPathOf(output.path));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw refused(output, 'there is no such folder');
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw refused(output, 'you may not write in its folder');
  }
}

/** Where the path is a link, its target is written, and the link stays. A link that leads nowhere is a file by itself. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isSameFile(path: string, { dev, ino }: { readonly dev: bigint; readonly ino: bigint }): boolean {
  const other = statSync(path, { bigint: true, throwIfNoEntry: false });
  return other?.dev === dev && other.ino === ino;
}

const taken = (output: Output): ServiceError =>
  refused(output, 'the file exists already', 'Name another file, or add --overwrite.');

const refused = ({ name }: Output, why: string, hint = 'Name another file: its path starts from the current folder.') =>
  new ServiceError('usage', `${name} cannot be written: ${why}`, { hint });

const isOfFiles = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error;

/** In words, where files are the cause. */
function unwritable({ name }: Output, error: unknown): unknown {
  if (!isOfFiles(error)) return error;
  const isFull = storageFault(error) === 'disk_full';
  return new ServiceError(isFull ? 'disk_full' : 'storage', `${name} cannot be written: ${error.code}`, {
    hint: isFull ? 'Make room, or name a file in another place.' : 'Name a file in another place.',
    cause: error,
  });
}

/** SHA-256 of the bytes of a file, in hexadecimal digits. Throws errors of the system. */
export async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
