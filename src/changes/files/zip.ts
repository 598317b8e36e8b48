// Looks into a ZIP archive before anything else unpacks it: what it holds, and how much that really is.
import { inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  /** In bytes, as the archive says. */
  readonly size: number;
  /** Unpacks it. Throws where it is broken, or is not of the size that the archive says. */
  bytes(): Buffer;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_LENGTH = 22;
const MOST_COMMENT = 0xffff;

/** The entries of an archive. Throws an `Error` where the archive is broken or cut. */
export function zipEntries(archive: Buffer): readonly ZipEntry[] {
  const end = endOf(archive);
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: count }, () => {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error('the list of its parts is broken');
    const entry = entryAt(archive, at);
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    return entry;
  });
}

function endOf(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_LENGTH - MOST_COMMENT);
  for (let at = archive.length - END_LENGTH; at >= first; at--) if (archive.readUInt32LE(at) === END) return at;
  throw new Error('its end is missing');
}

function entryAt(archive: Buffer, at: number): ZipEntry {
  const isPacked = archive.readUInt16LE(at + 10) === 8;
  const packed = archive.readUInt32LE(at + 20);
  const size = archive.readUInt32LE(at + 24);
  const nameEnd = at + 46 + archive.readUInt16LE(at + 28);
  const local = archive.readUInt32LE(at + 42);
  return {
    name: archive.toString('utf8', at + 46, nameEnd),
    size,
    bytes() {
      const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      const part = archive.subarray(begin, begin + packed);
      // One byte more than it may be is already a lie; nothing beyond is unpacked.
      const bytes = isPacked ? inflateRawSync(part, { maxOutputLength: Math.max(1, size) }) : part;
      if (bytes.length !== size) throw new Error('a part is not of the size it says');
      return bytes;
    },
  };
}
