// Works that run side by side, and end in the order in which they began.

/** Yields the results in the order of the items; up to `most` works run at one time. Throws the first failure in this order. */
export async function* ahead<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  most: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    // A failure is thrown in its turn.
    result.catch(() => undefined);
    running.push(result);
    if (running.length >= most) yield* next(running);
  }
  while (running.length > 0) yield* next(running);
}

async function* next<R>(running: Promise<R>[]): AsyncGenerator<R> {
  const first = running.shift();
  if (first) yield await first;
}
