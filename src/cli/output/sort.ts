// `--sort -Updated,Name`: in memory while that is small, by sorted runs in a private temporary file beyond it.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import { type Field, type Fields, isOfDays } from '../../contract/field.ts';
import type { Row } from '../../contract/resource.ts';
import { compareKeys, type DateView, fieldCalled, type Key, keyOf } from './fields.ts';
import type { Rows } from './result.ts';

/** The most that is sorted in memory; as objects it takes several times as much. */
interface Room {
  readonly rows: number;
  readonly bytes: number;
}
const ROOM: Room = { rows: 30_000, bytes: 16 * 1024 * 1024 };

interface Term {
  readonly name: string;
  readonly field: Field;
  readonly view: DateView;
  readonly sign: 1 | -1;
}
type Keyed = { readonly row: Row; readonly keys: readonly Key[] };

/**
 * Sorts rows by the fields in `text`, the most significant first; `-` in front sorts descending. Null comes last. The sort
 * is stable. Days that begin at one moment are sorted as they are written. Throws `usage` for an unknown field, before anything is read.
 */
export function sorted(rows: Rows, text: string, fields: Fields, room: Room = ROOM): AsyncIterable<Row> {
  return run(rows, parse(text, fields), room);
}

function parse(text: string, fields: Fields): Term[] {
  return text.split(',').flatMap((part) => {
    const [, minus, given = ''] = /^\s*(-?)\+?(.*)$/s.exec(part) ?? [];
    if (given.trim() === '')
      throw new ServiceError('usage', `--sort "${text}" names no field`, {
        hint: 'Write --sort -Updated,Name.',
      });
    const name = fieldCalled(fields, given, '--sort');
    const field = fields[name] as Field;
    const views: readonly DateView[] = isOfDays(field) ? ['moment', 'day'] : ['moment'];
    return views.map((view) => ({ name, field, view, sign: minus ? -1 : 1 }));
  });
}

async function* run(rows: Rows, terms: readonly Term[], room: Room): AsyncGenerator<Row> {
  let batch: Keyed[] = [];
  let bytes = 0;
  let spill: Spill | undefined;
  try {
    for await (const row of rows) {
      batch.push(keyed(row, terms));
      bytes += sizeOf(row);
      if (batch.length < room.rows && bytes < room.bytes) continue;
      spill ??= await openSpill();
      await spill.add(inOrder(batch, terms));
      batch = [];
      bytes = 0;
    }
    const last = inOrder(batch, terms);
    yield* spill ? merged([...spill.runs(), last.values()], terms) : last;
  } finally {
    await spill?.close();
  }
}

const keyed = (row: Row, terms: readonly Term[]): Keyed => ({
  row,
  keys: terms.map(({ name, field, view }) => keyOf(field, row[name], view)),
});

const inOrder = (batch: Keyed[], terms: readonly Term[]): Row[] =>
  batch.sort((a, b) => compare(a, b, terms)).map(({ row }) => row);

function compare(a: Keyed, b: Keyed, terms: readonly Term[]): number {
  for (const [i, { sign }] of terms.entries()) {
    const [x, y] = [a.keys[i] ?? null, b.keys[i] ?? null];
    const order = x === null || y === null ? Number(x === null) - Number(y === null) : sign * compareKeys(x, y);
    if (order !== 0) return order;
  }
  return 0;
}

/** One ordered stream of several; of rows that are alike the earlier run's comes first. */
async function* merged(
  runs: readonly (AsyncIterator<Row> | Iterator<Row>)[],
  terms: readonly Term[],
): AsyncGenerator<Row> {
  const next = async (source: AsyncIterator<Row> | Iterator<Row>): Promise<Keyed | undefined> => {
    const { done, value } = await source.next();
    return done ? undefined : keyed(value, terms);
  };
  const heads = await Promise.all(runs.map(next));
  for (;;) {
    const first = least(heads, terms);
    const head = heads[first];
    const source = runs[first];
    if (!head || !source) return;
    yield head.row;
    heads[first] = await next(source);
  }
}

function least(heads: readonly (Keyed | undefined)[], terms: readonly Term[]): number {
  let best = -1;
  for (const [i, head] of heads.entries()) {
    const leader = heads[best];
    if (head && (!leader || compare(head, leader, terms) < 0)) best = i;
  }
  return best;
}

const CHUNK = 64 * 1024;

interface Spill {
  /** Writes one run. */
  add(rows: readonly Row[]): Promise<void>;
  /** A reader for each run, in the order they were added. */
  runs(): AsyncIterator<Row>[];
  /** Closes and deletes the file. */
  close(): Promise<void>;
}

/** Begins a file in the system's temporary folder. */
async function openSpill(): Promise<Spill> {
  const folder = await mkdtemp(join(tmpdir(), 'pm-sort-'));
  const file = await open(join(folder, 'runs'), 'wx+', 0o600);
  // An open file is deleted where the system allows it, so that even a kill leaves nothing behind.
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
    const room = Buffer.alloc(Math.min(CHUNK, end - position));
    const { bytesRead, buffer } = await file.read(room, 0, undefined, position);
    if (bytesRead === 0) throw new Error('the temporary file of --sort was cut short');
    position += bytesRead;
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const last = bytes.lastIndexOf(0x0a) + 1;
    rest = bytes.subarray(last);
    for (const line of bytes.toString('utf8', 0, last).split('\n')) if (line !== '') yield JSON.parse(line);
  }
  return undefined;
}

/** The length of the record's JSON, to within a few bytes per member. */
export function sizeOf(row: Row): number {
  let size = 2;
  for (const name in row) {
    const value = row[name];
    size += name.length + 6 + (typeof value === 'string' ? value.length : 6);
  }
  return size;
}
