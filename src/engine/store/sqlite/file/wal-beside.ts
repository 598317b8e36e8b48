// Refuses a database beside the write-ahead log (wal) of another one, as where a backup was copied to the path of a database that a crash has
// left: SQLite would write the pages of the one over those of the other.
import { closeSync, openSync, readSync } from 'node:fs';
import { unusable } from '../../sql/steps.ts';

/** Each transaction writes one. */
export interface CommitMarker {
  /** One more than that of the transaction before. */
  readonly number: number;
  /** The end of that of the transaction before, then `>` and random digits. An older pm wrote a GUID. */
  readonly token: string;
}

/** The length of the end of a token. */
export const TOKEN_END = 18;
const TOKEN_LENGTH = 2 * TOKEN_END;

/** In bytes. A longer wal is looked at as far as this. */
const MOST = 4 * 1024 * 1024;
/** Another program may move the wal into the file between two reads. */
const TRIES = 5;
const HEADER = 32;
const FRAME = 24;

/**
 * Throws `storage` where the wal does not go on from this file: by its marker, the last transaction of the file is the one
 * before the wal, or one of the wal.
 */
export function checkWal(file: string): void {
  for (let tried = 0; tried < TRIES; tried++) if (goesOn(file)) return;
  const wal = `${file}-wal`;
  const hint = `Move ${wal} and ${file}-shm away: it would damage this file. Keep them for the file that they belong to.`;
  throw unusable(file, `has the write-ahead log of another file beside it, ${wal}`, hint);
}

function goesOn(file: string): boolean {
  const wal = bytesOf(`${file}-wal`, 0, MOST);
  const pageSize = wal.length > HEADER ? wal.readUInt32BE(8) : 0;
  let first: CommitMarker | undefined;
  let inFile: CommitMarker | undefined;
  let at = HEADER;
  for (; pageSize > 0 && at + FRAME + pageSize <= wal.length; at += FRAME + pageSize) {
    // The bytes behind the frames of this header are left of an older wal.
    if (wal.compare(wal, 16, 24, at + 8, at + 16) !== 0) break;
    const marker = markerIn(wal.subarray(at + FRAME, at + FRAME + pageSize));
    if (!marker) continue;
    if (!first) {
      first = marker;
      inFile = markerIn(bytesOf(file, (wal.readUInt32BE(at) - 1) * pageSize, pageSize));
      if (!inFile || isNext(first, inFile)) return true;
      if (inFile.number < first.number) return false;
    }
    if (marker.number === inFile?.number) return marker.token === inFile.token;
  }
  return !first || at + FRAME + pageSize > MOST;
}

/** Can the transaction of `later` be the one behind that of `marker`? */
const isNext = (later: CommitMarker, marker: CommitMarker): boolean =>
  later.number === marker.number + 1 &&
  (later.token[TOKEN_END] !== '>' || later.token.startsWith(marker.token.slice(-TOKEN_END)));

function bytesOf(file: string, from: number, most: number): Buffer {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const bytes = Buffer.allocUnsafe(most);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, most, from));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Where there is none, or it may not be read, SQLite says so.
    return Buffer.alloc(0);
  }
}

/** The lengths of a number by the type of its column. */
const LENGTHS: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 3, 4: 4, 5: 6 };
const LEAF = 13;
const CELL = [1, 4, 0];
const TOKEN_TYPE = 13 + 2 * TOKEN_LENGTH;

/** The one row of the table of markers, where this is its page: ID, Number, Token. */
function markerIn(page: Buffer): CommitMarker | undefined {
  if (page.length < 10 || page[0] !== LEAF || page.readUInt16BE(3) !== 1) return undefined;
  const cell = page.subarray(page.readUInt16BE(8) + 1);
  const length = LENGTHS[cell[3] ?? 0] ?? 0;
  if (CELL.some((byte, at) => cell[at] !== byte) || cell[4] !== TOKEN_TYPE || cell.length < 5 + length + TOKEN_LENGTH)
    return undefined;
  return {
    number: length === 0 ? Number(cell[3] === 9) : cell.readUIntBE(5, length),
    token: cell.toString('latin1', 5 + length, 5 + length + TOKEN_LENGTH),
  };
}
