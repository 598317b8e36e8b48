// Work that runs side by side and ends together.
type Answers<Work extends readonly unknown[]> = { -readonly [At in keyof Work]: Awaited<Work[At]> };

/** Waits for all of it. Where some fails, throws the failure of the first in their order, whichever came first. */
export async function allOf<const Work extends readonly unknown[]>(work: Work): Promise<Answers<Work>> {
  const settled = await Promise.allSettled(work);
  const answers = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  // Each answer stands where its work stood.
  return answers as Answers<Work>;
}
