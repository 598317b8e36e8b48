// Looks into a ZIP archive before anything else unpacks it (what it holds, and how much that really is), and writes one.
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw, inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  /** In bytes, as the archive says. */
  readonly size: number;
  /** Unpacks it. Throws where it is broken, or is not of the size that the archive says. */
  bytes(): Buffer;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const SIZES = 0x08074b50;
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

/** Writes an archive as its parts come, none of which stays in memory: the same parts make the same bytes. More than 4 GiB is a `RangeError`. */
export function zipWriter(send: (bytes: Buffer) => Promise<void>) {
  const entries: Buffer[] = [];
  let at = 0;
  const put = (...pieces: readonly Buffer[]): Promise<void> => {
    const bytes = Buffer.concat(pieces);
    at += bytes.length;
    return send(bytes);
  };
  return {
    async part(name: string, texts: AsyncIterable<string> | Iterable<string>): Promise<void> {
      const begin = at;
      let [checksum, packed, size] = [0, 0, 0];
      const bytesOf = async function* (): AsyncGenerator<Buffer> {
        for await (const text of texts) {
          const bytes = Buffer.from(text);
          [checksum, size] = [crc32(bytes, checksum), size + bytes.length];
          yield bytes;
        }
      };
      await put(words(LOCAL), factsOf(name, words(0, 0, 0)), Buffer.from(name));
      await pipeline(bytesOf, createDeflateRaw(), async (pieces: AsyncIterable<Buffer>) => {
        for await (const piece of pieces) {
          packed += piece.length;
          await put(piece);
        }
      });
      const sizes = words(checksum, packed, size);
      await put(words(SIZES), sizes);
      const place = [Buffer.alloc(10), words(begin), Buffer.from(name)];
      entries.push(Buffer.concat([words(ENTRY), VERSION, factsOf(name, sizes), ...place]));
    },
    async end(): Promise<void> {
      const list = Buffer.concat(entries);
      await put(list, words(END, 0, entries.length * 0x10001, list.length, at), Buffer.alloc(2));
    },
  };
}

const VERSION = Buffer.from([20, 0]);

function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [place, number] of numbers.entries()) bytes.writeUInt32LE(number, 4 * place);
  return bytes;
}

/** Its sizes follow a part, its name is UTF-8, it is deflated, and of 1980-01-01, the first day of ZIP. */
const factsOf = (name: string, sizes: Buffer): Buffer =>
  Buffer.concat([VERSION, Buffer.from([8, 8, 8, 0, 0, 0, 33, 0]), sizes, Buffer.from([name.length, 0, 0, 0])]);
