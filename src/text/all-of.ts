// Work that runs side by side and ends together.
/** Waits for all of it. Where some fails, throws the failure of the first in their order, whichever came first. */
export async function allOf<T extends readonly unknown[]>(
  work: { readonly [At in keyof T]: Promise<T[At]> },
): Promise<T> {
  try {
    // Each answer stands where its work stood.
    return (await Promise.all<unknown>(work)) as unknown as T;
  } catch (error) {
    const settled: readonly PromiseSettledResult<unknown>[] = await Promise.allSettled(work);
    throw settled.find((one) => one.status === 'rejected')?.reason ?? error;
  }
}
