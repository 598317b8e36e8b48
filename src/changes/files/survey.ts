// The first look at a file: all bytes once, for the hash, the size, and whether they are UTF-8.
import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Source } from './source.ts';

export interface Survey {
  /** In bytes. */
  readonly size: number;
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
  let size = 0;
  let head = Buffer.alloc(0);
  let foreign: Buffer = Buffer.alloc(0);
  let carry: Buffer = Buffer.alloc(0);
  let valid = true;
  for await (const piece of source.chunks()) {
    hash.update(piece);
    size += piece.length;
    if (head.length < SAMPLE) head = Buffer.concat([head, piece.subarray(0, SAMPLE - head.length)]);
    if (foreign.length === 0) foreign = aroundFirstForeign(piece);
    if (!valid) continue;
    const bytes = carry.length > 0 ? Buffer.concat([carry, piece]) : piece;
    const end = endOfWhole(bytes);
    valid = isUtf8(bytes.subarray(0, end));
    carry = bytes.subarray(end);
  }
  return { size, hash: hash.digest('hex'), head, isUtf8: valid && carry.length === 0, foreign };
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
