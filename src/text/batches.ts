// Things taken together: in batches, in groups, or all of them.
import { valueAt } from './once-per.ts';

/** Rows that come in batches. To wait for each of a million by itself costs more than reading it: see `batchesOf`. */
interface BatchedRows<T> extends AsyncIterable<T> {
  batches(): AsyncGenerator<readonly T[]>;
}

/** The rows of these batches, also one by one. */
export const batchedRows = <T>(batches: () => AsyncGenerator<readonly T[]>): BatchedRows<T> => ({
  batches,
  async *[Symbol.asyncIterator]() {
    for await (const some of batches()) for (const row of some) yield row;
  },
});

/** Rows as they come: in their batches, as one list, or one by one. None is drawn before it is wanted. */
export function batchesOf<T>(rows: AsyncIterable<T> | Iterable<T>): AsyncGenerator<readonly T[]> {
  const { batches } = rows as Partial<BatchedRows<T>>;
  return batches ? batches() : asTheyCome(rows);
}

async function* asTheyCome<T>(rows: AsyncIterable<T> | Iterable<T>): AsyncGenerator<readonly T[]> {
  if (Array.isArray(rows)) yield rows;
  else for await (const row of rows) yield [row];
}

/** Groups of `size` rows; the last one may be smaller, and none is empty. */
export async function* chunks<T>(rows: AsyncIterable<T> | Iterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const some of batchesOf(rows))
    for (const row of some) {
      chunk.push(row);
      if (chunk.length < size) continue;
      yield chunk;
      chunk = [];
    }
  if (chunk.length > 0) yield chunk;
}

/**
 * The first rows, `count` at most, and all of them in their order: they can be read once. Where nothing of `all` is read,
 * `end` ends their source.
 */
export async function firstOf<T>(
  rows: AsyncIterable<T> | Iterable<T>,
  count: number,
): Promise<{ readonly first: readonly T[]; readonly all: AsyncIterable<T>; end(): Promise<void> }> {
  const rest = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  const first: T[] = [];
  while (first.length < count) {
    const { done, value } = await rest.next();
    if (done) break;
    first.push(value);
  }
  return { first, all: replayed(first, rest), end: async () => void (await rest.return?.()) };
}

async function* replayed<T>(first: readonly T[], rest: AsyncIterator<T> | Iterator<T>): AsyncGenerator<T> {
  try {
    yield* first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** The same rows; each is shown to `see` when it is read. */
export async function* seenBy<T>(rows: AsyncIterable<T> | Iterable<T>, see: (row: T) => void): AsyncGenerator<T> {
  for await (const row of rows) {
    see(row);
    yield row;
  }
}

export async function collect<T>(rows: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** Groups of the same key, each in its order; the groups stand in the order of their first members. */
export function grouped<K, T>(all: Iterable<T>, keyOf: (one: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) valueAt(groups, keyOf(one), () => []).push(one);
  return groups;
}
