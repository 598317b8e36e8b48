// `--sort -Updated,Name`: in memory while that is small, by sorted runs in a private temporary file beyond it.
import { ServiceError } from '../../../contract/errors.ts';
import { type Field, type Fields, isOfDays } from '../../../contract/field.ts';
import type { Row } from '../../../contract/resource.ts';
import { compareKeys, type DateView, fieldCalled, keyOf } from '../fields.ts';
import type { Rows } from '../result.ts';
import { type Keyed, openRuns, type Runs } from './runs.ts';

interface Room {
  /** The most that is sorted in memory, as JSON; as objects it takes several times as much. */
  readonly bytes: number;
  /** The most runs that are read at once. */
  readonly runs: number;
}
const ROOM: Room = { bytes: 4 * 1024 * 1024, runs: 256 };

interface Term {
  readonly name: string;
  readonly field: Field;
  readonly view: DateView;
  readonly sign: 1 | -1;
}

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

const keyed = (row: Row, terms: readonly Term[]): Keyed => ({
  row,
  keys: terms.map(({ name, field, view }) => keyOf(field, row[name], view)),
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
