// Work that runs side by side and ends together.
/** Waits for all of it. Where some fails, throws the failure of the first in their order, whichever came first. */
export async function allOf<T extends readonly unknown[]>(
  work: { readonly [At in keyof T]: Promise<T[At]> },
): Promise<T> {
  const settled: readonly PromiseSettledResult<unknown>[] = await Promise.allSettled(work);
  const answers = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  // Each answer stands where its work stood.
  return answers as unknown as T;
}
