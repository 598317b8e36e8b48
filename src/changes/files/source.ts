// The bytes of an input file, which can be read as often as needed, and the first look at all of them.
import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ServiceError } from '../../contract/errors.ts';
import { whyUnreadable } from '../../text/system-code.ts';

export interface Source {
  /** What people call it: its path, or `stdin`. */
  readonly name: string;
  /** In bytes, as the system says, which does not know it of some. */
  readonly size: number;
  /**
   * All bytes from the beginning, in pieces that are never written to again. Throws `usage` at their end where the file was
   * changed meanwhile.
   */
  chunks(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

const PIECE = 1 << 18;

/**
 * Opens the file of that path, or stdin for `-`. A pipe is kept in a private temporary file that has no name any more when
 * this returns: it is gone with the process, however that ends. Throws `usage` for what cannot be read.
 */
export async function openSource(path: string, stdin?: Readable): Promise<Source> {
  if (path === '-') {
    if (!stdin) throw new ServiceError('usage', 'pm has no stdin to read');
    return sourceOf('stdin', await spooled(stdin));
  }
  const handle = await opened(path);
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw unreadable(path, 'it is a folder');
    if (stats.isFile()) return await sourceOf(path, handle);
    return await sourceOf(path, await spooled(handle.createReadStream()));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function sourceOf(name: string, handle: FileHandle): Promise<Source> {
  const [{ size }, atFirst] = [await handle.stat(), await stateOf(handle)];
  return {
    name,
    size,
    async *chunks() {
      let coming = pieceAt(handle, 0);
      for (let at = 0; ; ) {
        const piece = await coming;
        if (piece.length === 0) break;
        at += piece.length;
        // The next piece is read while this one is worked on.
        coming = pieceAt(handle, at);
        coming.catch(() => undefined);
        yield piece;
      }
      // Its rows are read after its form was found and its bytes were summed up: all of that must be of one file.
      if ((await stateOf(handle)) !== atFirst)
        throw new ServiceError('usage', `${name} was changed while it was read`, {
          hint: 'Run the command again when no other program writes that file.',
        });
    },
    close: () => handle.close(),
  };
}

async function stateOf(handle: FileHandle): Promise<string> {
  const { size, mtimeNs } = await handle.stat({ bigint: true });
  return `${size} ${mtimeNs}`;
}

async function pieceAt(handle: FileHandle, at: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(PIECE);
  const { bytesRead } = await handle.read(piece, 0, PIECE, at);
  return piece.subarray(0, bytesRead);
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw unreadable(path, whyUnreadable(error));
  }
}

const unreadable = (path: string, why: string): ServiceError =>
  new ServiceError('usage', `${path} cannot be read: ${why}`, {
    hint: 'Check the path: it starts from the current folder.',
  });

async function spooled(stream: Readable): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'pm-input-'));
  const handle = await open(join(folder, 'input'), 'wx+', 0o600);
  try {
    await rm(folder, { recursive: true, force: true });
    for await (const piece of stream) await handle.appendFile(piece);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export interface Survey {
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
  /** The first bytes, at most 64 KiB. */
  readonly head: Buffer;
  readonly isUtf8: boolean;
  /** Where the file is no UTF-8: some 64 KiB around its first bytes beyond ASCII. */
  readonly foreign: Buffer;
}

const SAMPLE = 1 << 16;
const BEFORE = 1 << 10;

/** Looks at all of a file, once, in flat memory. */
export async function surveyOf(source: Source): Promise<Survey> {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let foreign: Buffer = Buffer.alloc(0);
  let carry: Buffer = Buffer.alloc(0);
  let valid = true;
  for await (const piece of source.chunks()) {
    hash.update(piece);
    if (head.length < SAMPLE) head = Buffer.concat([head, piece.subarray(0, SAMPLE - head.length)]);
    if (foreign.length === 0) foreign = aroundFirstForeign(piece);
    if (!valid) continue;
    const bytes = carry.length > 0 ? Buffer.concat([carry, piece]) : piece;
    const end = endOfWhole(bytes);
    valid = isUtf8(bytes.subarray(0, end));
    carry = bytes.subarray(end);
  }
  return { hash: hash.digest('hex'), head, isUtf8: valid && carry.length === 0, foreign };
}

function aroundFirstForeign(piece: Buffer): Buffer {
  if (isAscii(piece)) return Buffer.alloc(0);
  const at = Math.max(0, piece.findIndex((byte) => byte >= 0x80) - BEFORE);
  return Buffer.from(piece.subarray(at, at + SAMPLE));
}

/** Where the last character that is certainly whole ends; a cut one is left for the next piece. */
function endOfWhole(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return lengthOf(byte) > back ? bytes.length - back : bytes.length;
    if (byte < 0x80) return bytes.length;
  }
  return bytes.length;
}

const lengthOf = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2);
