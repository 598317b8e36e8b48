// `--sort -Updated,Name`: in memory while that is small, by sorted runs in a private temporary file beyond it.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '../../../contract/errors.ts';
import { type Field, type Fields, isOfDays, text } from '../../../contract/field.ts';
import { idKey } from '../../../contract/kinds.ts';
import type { Row } from '../../../contract/resource.ts';
import { compareKeys, type DateView, fieldCalled, type Key, keyOf } from '../fields.ts';
import type { Rows } from '../result.ts';
import type { Refer } from '../where.ts';
import { refersToOne } from '../where-condition.ts';

interface Room {
  /** The most that is sorted in memory, as JSON; as objects it takes several times as much. */
  readonly bytes: number;
  /** The most runs that are read at once. */
  readonly runs: number;
}
const ROOM: Room = { bytes: 4 * 1024 * 1024, runs: 256 };

interface Ways {
  /** Sorts references by the names that are shown in place of IDs. */
  readonly namesOf: Refer['names'] | undefined;
  readonly room: Room;
}

interface Term {
  readonly name: string;
  readonly field: Field;
  readonly view: DateView;
  readonly sign: 1 | -1;
  /** The names of the records that the member may name, which are shown in place of IDs. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

/**
 * Sorts rows by the fields in `by`, the most significant first; `-` in front sorts descending. Null comes last. The sort
 * is stable. Days that begin at one moment are sorted as they are written. Throws `usage` for an unknown field, before anything is read.
 */
export function sorted(
  rows: Rows,
  by: string,
  fields: Fields,
  { namesOf, room = ROOM }: Partial<Ways> = {},
): AsyncIterable<Row> {
  return run(rows, parse(by, fields), { namesOf, room });
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

async function* run(rows: Rows, parsed: readonly Term[], { namesOf, room }: Ways): AsyncGenerator<Row> {
  const terms = await Promise.all(
    parsed.map(async (one) => (refersToOne(one.field) ? { ...one, names: await namesOf?.(one.field) } : one)),
  );
  const order = (a: Keyed, b: Keyed): number => compare(a, b, terms);
  const rowsOf = (batch: Keyed[]): Row[] => batch.sort(order).map(({ row }) => row);
  let batch: Keyed[] = [];
  let bytes = 0;
  let runs: Runs | undefined;
  try {
    for await (const row of rows) {
      batch.push(keyed(row, terms));
      bytes += sizeOf(row);
      if (bytes < room.bytes) continue;
      runs ??= await openRuns({ keyed: (one) => keyed(one, terms), order, most: room.runs });
      await runs.add(rowsOf(batch));
      batch = [];
      bytes = 0;
    }
    if (!runs) return yield* rowsOf(batch);
    await runs.add(rowsOf(batch));
    batch = [];
    yield* runs.merged();
  } finally {
    await runs?.close();
  }
}

const NAME = text('read-only');

const keyed = (row: Row, terms: readonly Term[]): Keyed => ({
  row,
  keys: terms.map(({ name, field, view, names }) =>
    names ? keyOf(NAME, names.get(idKey(row[name]))) : keyOf(field, row[name], view),
  ),
});

function compare(a: Keyed, b: Keyed, terms: readonly Term[]): number {
  for (const [i, { sign }] of terms.entries()) {
    const [x, y] = [a.keys[i] ?? null, b.keys[i] ?? null];
    const order = x === null || y === null ? Number(x === null) - Number(y === null) : sign * compareKeys(x, y);
    if (order !== 0) return order;
  }
  return 0;
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

interface Keyed {
  readonly row: Row;
  readonly keys: readonly Key[];
}

interface Order {
  readonly keyed: (row: Row) => Keyed;
  readonly order: (a: Keyed, b: Keyed) => number;
  /** The most runs that are merged at once. */
  readonly most: number;
}

interface Runs {
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
async function openRuns(order: Order): Promise<Runs> {
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
      countBefore(heads, (other) => order(head.first, other.first) || place - other.place),
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
function countBefore(heads: readonly Head[], against: (other: Head) => number): number {
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
