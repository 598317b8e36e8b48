// The bytes of an input file, which can be read as often as needed, also where they came through a pipe.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ServiceError } from '../../contract/errors.ts';

export interface Source {
  /** What people call it: its path, or `stdin`. */
  readonly name: string;
  /** All bytes from the beginning, in pieces that are never written to again. */
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
    if (!stdin) throw new ServiceError('usage', 'there is no standard input to be read');
    return sourceOf('stdin', await spooled(stdin));
  }
  const handle = await opened(path);
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw unreadable(path, 'it is a folder');
    if (stats.isFile()) return sourceOf(path, handle);
    return sourceOf(path, await spooled(handle.createReadStream()));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function sourceOf(name: string, handle: FileHandle): Source {
  return {
    name,
    async *chunks() {
      let coming = pieceAt(handle, 0);
      for (let at = 0; ; ) {
        const piece = await coming;
        if (piece.length === 0) return;
        at += piece.length;
        // The next piece is read while this one is worked on.
        coming = pieceAt(handle, at);
        coming.catch(() => undefined);
        yield piece;
      }
    },
    close: () => handle.close(),
  };
}

async function pieceAt(handle: FileHandle, at: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(PIECE);
  const { bytesRead } = await handle.read(piece, 0, PIECE, at);
  return piece.subarray(0, bytesRead);
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder',
};

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw unreadable(path, WHY[code] ?? code);
  }
}

const unreadable = (path: string, why: string): ServiceError =>
  new ServiceError('usage', `${path} cannot be read: ${why}`, {
    hint: 'Check the name; it is taken from the folder you are in.',
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
