// `--sort -Updated,Name`: in memory while that is small, by sorted runs in a temporary file beyond it.
import { ServiceError } from '../../contract/errors.ts';
import type { Field, Fields } from '../../contract/field.ts';
import type { Row } from '../../contract/resource.ts';
import { fieldCalled } from './fields.ts';
import { compareKeys, type Key, keyOf } from './key.ts';
import { sizeOf } from './size.ts';
import { openSpill, type Spill } from './spill.ts';

/** How much is sorted in memory at once. */
interface Room {
  readonly rows: number;
  readonly bytes: number;
}
const ROOM: Room = { rows: 100_000, bytes: 64 * 1024 * 1024 };

interface Term {
  readonly name: string;
  readonly field: Field;
  readonly sign: 1 | -1;
}
type Keyed = { readonly row: Row; readonly keys: readonly Key[] };

/**
 * The rows in the order that `text` names: fields in order of weight, `-` in front for the largest first, null last either
 * way; rows that are alike keep their order. Throws `usage` for an unknown field, before anything is read.
 */
export function sorted(rows: AsyncIterable<Row>, text: string, fields: Fields, room: Room = ROOM): AsyncIterable<Row> {
  return run(rows, parse(text, fields), room);
}

function parse(text: string, fields: Fields): Term[] {
  return text.split(',').map((part) => {
    const [, minus, given = ''] = /^\s*(-?)\+?(.*)$/s.exec(part) ?? [];
    if (given.trim() === '')
      throw new ServiceError('usage', `--sort "${text}" names no field`, {
        hint: 'Write --sort -Updated,Name.',
      });
    const name = fieldCalled(fields, given, '--sort');
    return { name, field: fields[name] as Field, sign: minus ? -1 : 1 };
  });
}

async function* run(rows: AsyncIterable<Row>, terms: readonly Term[], room: Room): AsyncGenerator<Row> {
  let held: Keyed[] = [];
  let bytes = 0;
  let spill: Spill | undefined;
  try {
    for await (const row of rows) {
      held.push(keyed(row, terms));
      bytes += sizeOf(row);
      if (held.length < room.rows && bytes < room.bytes) continue;
      spill ??= await openSpill();
      await spill.add(inOrder(held, terms));
      held = [];
      bytes = 0;
    }
    const last = inOrder(held, terms);
    yield* spill ? merged([...spill.runs(), fromMemory(last)], terms) : last;
  } finally {
    await spill?.close();
  }
}

const keyed = (row: Row, terms: readonly Term[]): Keyed => ({
  row,
  keys: terms.map(({ name, field }) => keyOf(field, row[name])),
});

const inOrder = (held: Keyed[], terms: readonly Term[]): Row[] =>
  held.sort((a, b) => compare(a, b, terms)).map(({ row }) => row);

function compare(a: Keyed, b: Keyed, terms: readonly Term[]): number {
  for (const [i, { sign }] of terms.entries()) {
    const [x, y] = [a.keys[i] ?? null, b.keys[i] ?? null];
    const order = x === null || y === null ? Number(x === null) - Number(y === null) : sign * compareKeys(x, y);
    if (order !== 0) return order;
  }
  return 0;
}

async function* fromMemory(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

/** One ordered stream of several; of rows that are alike the earlier run's comes first. */
async function* merged(runs: readonly AsyncIterator<Row>[], terms: readonly Term[]): AsyncGenerator<Row> {
  const next = async (source: AsyncIterator<Row>): Promise<Keyed | undefined> => {
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
