// Sorted runs in a private temporary file, and what they give when they are merged: so the memory does not grow with the list.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../../../contract/resource.ts';
import type { Key } from '../fields.ts';

export interface Keyed {
  readonly row: Row;
  readonly keys: readonly Key[];
}

interface Order {
  readonly keyed: (row: Row) => Keyed;
  readonly order: (a: Keyed, b: Keyed) => number;
  /** The most runs that are merged at once. */
  readonly most: number;
}

export interface Runs {
  /** Writes one run. */
  add(rows: Iterable<Row>): Promise<void>;
  /** One ordered stream of all; of rows that are alike the earlier run's comes first. */
  merged(): AsyncGenerator<Row>;
  /** Closes and deletes the file. */
  close(): Promise<void>;
}

/** Where a run stands in the file, in bytes. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Begins a file in the system's temporary folder. */
export async function openRuns(order: Order): Promise<Runs> {
  const folder = await mkdtemp(join(tmpdir(), 'pm-sort-'));
  const file = await open(join(folder, 'runs'), 'wx+', 0o600);
  // An open file is deleted where the system allows it, so that even a kill leaves nothing behind.
  if (process.platform !== 'win32') await rm(folder, { recursive: true });
  let spans: Span[] = [];
  let size = 0;
  const write = async (rows: Iterable<Row> | AsyncIterable<Row>): Promise<Span> => {
    const start = size;
    size = await writeRows(file, rows, start);
    return { start, end: size };
  };
  return {
    async add(rows) {
      spans.push(await write(rows));
    },
    async *merged() {
      while (spans.length > order.most) {
        const fewer: Span[] = [];
        for (let i = 0; i < spans.length; i += order.most)
          fewer.push(await write(merge(file, spans.slice(i, i + order.most), order)));
        spans = fewer;
      }
      yield* merge(file, spans, order);
    },
    async close() {
      await file.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Head {
  readonly first: Keyed;
  readonly place: number;
  readonly rest: AsyncGenerator<Row>;
}

async function* merge(file: FileHandle, spans: readonly Span[], { keyed, order }: Order): AsyncGenerator<Row> {
  // The first to come stands last.
  const heads: Head[] = [];
  const enter = async ({ place, rest }: Omit<Head, 'first'>): Promise<void> => {
    const { done, value } = await rest.next();
    if (done) return;
    const head = { first: keyed(value), place, rest };
    heads.splice(
      placeOf(heads, (other) => order(head.first, other.first) || place - other.place),
      0,
      head,
    );
  };
  for (const [place, span] of spans.entries()) await enter({ place, rest: readRows(file, span) });
  for (let head = heads.pop(); head; head = heads.pop()) {
    yield head.first.row;
    await enter(head);
  }
}

/** How many stand before one that is to be entered; `against` is below zero where it is read before the other. */
function placeOf(heads: readonly Head[], against: (other: Head) => number): number {
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (against(heads[middle] as Head) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const WRITTEN_AT_ONCE = 64 * 1024;
/** Each run that is merged holds so much of itself. */
const READ_AT_ONCE = 16 * 1024;

/** Answers where they end. */
async function writeRows(file: FileHandle, rows: Iterable<Row> | AsyncIterable<Row>, start: number): Promise<number> {
  let position = start;
  let text = '';
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(text);
    text = '';
    for (let done = 0; done < bytes.length; )
      done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
    position += bytes.length;
  };
  for await (const row of rows) {
    text += `${JSON.stringify(row)}\n`;
    if (text.length >= WRITTEN_AT_ONCE) await flush();
  }
  await flush();
  return position;
}

async function* readRows(file: FileHandle, { start, end }: Span): AsyncGenerator<Row> {
  let rest: Buffer = Buffer.alloc(0);
  for (let position = start; position < end; ) {
    const room = Buffer.alloc(Math.min(READ_AT_ONCE, end - position));
    const { bytesRead } = await file.read(room, 0, undefined, position);
    if (bytesRead === 0) throw new Error('the temporary file of --sort was cut short');
    position += bytesRead;
    const bytes = Buffer.concat([rest, room.subarray(0, bytesRead)]);
    const last = bytes.lastIndexOf(0x0a) + 1;
    rest = bytes.subarray(last);
    for (const line of bytes.toString('utf8', 0, last).split('\n')) if (line !== '') yield JSON.parse(line);
  }
}
