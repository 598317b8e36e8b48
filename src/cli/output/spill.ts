// Sorted runs of rows in a temporary file that nobody else can read.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../../contract/resource.ts';

const CHUNK = 64 * 1024;

export interface Spill {
  /** Writes one run. */
  add(rows: readonly Row[]): Promise<void>;
  /** A reader for each run, in the order they were added. */
  runs(): AsyncIterator<Row>[];
  /** Closes and deletes the file. */
  close(): Promise<void>;
}

/** Begins a file in the system's temporary folder. */
export async function openSpill(): Promise<Spill> {
  const folder = await mkdtemp(join(tmpdir(), 'pm-sort-'));
  const file = await open(join(folder, 'runs'), 'wx+', 0o600);
  // Where an open file can be deleted it goes at once: then not even a kill leaves it behind.
  if (process.platform !== 'win32') await rm(folder, { recursive: true });
  const ends = [0];
  return {
    async add(rows) {
      ends.push(await write(file, rows, ends.at(-1) ?? 0));
    },
    runs: () => ends.slice(1).map((end, i) => read(file, ends[i] ?? 0, end)),
    async close() {
      await file.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function write(file: FileHandle, rows: readonly Row[], start: number): Promise<number> {
  let position = start;
  let text = '';
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(text);
    text = '';
    await writeAll(file, bytes, position);
    position += bytes.length;
  };
  for (const row of rows) {
    text += `${JSON.stringify(row)}\n`;
    if (text.length >= CHUNK) await flush();
  }
  if (text !== '') await flush();
  return position;
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

async function* read(file: FileHandle, start: number, end: number): AsyncGenerator<Row, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for (let position = start; position < end; ) {
    const { bytesRead, buffer } = await file.read(
      Buffer.alloc(Math.min(CHUNK, end - position)),
      0,
      undefined,
      position,
    );
    if (bytesRead === 0) throw new Error('the temporary file of --sort was cut short');
    position += bytesRead;
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const last = bytes.lastIndexOf(0x0a) + 1;
    rest = bytes.subarray(last);
    for (const line of bytes.toString('utf8', 0, last).split('\n')) if (line !== '') yield JSON.parse(line);
  }
  return undefined;
}
