// Waits for work: for all of it together, or not at all where it is done already.

/** What `next` makes of the value, once it is there: at once for most rows. A wait costs as much as all that is done for a row. */
export const after = <T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> =>
  value instanceof Promise ? value.then(next) : next(value);

/** Waits for all of it. Where some fails, throws the failure of the first in their order, whichever came first. */
export async function allOf<T extends readonly unknown[]>(
  work: { readonly [At in keyof T]: Promise<T[At]> },
): Promise<T> {
  // A failure is thrown in its turn.
  for (const one of work) one.catch(() => undefined);
  const answers: unknown[] = [];
  try {
    // Promise.all takes four times as much memory, for each row.
    for (const one of work) answers.push(await one);
  } catch (error) {
    await Promise.allSettled(work);
    throw error;
  }
  // Each answer stands where its work stood.
  return answers as unknown as T;
}
