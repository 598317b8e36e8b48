// Measures whether work takes linear time: on texts that double, up to 1 MiB.
const MOST = 1 << 20;
/** Milliseconds that cannot be told from noise. */
const NOISE = 20;
/** How much longer twice the text may take: twice, and what a busy machine adds. */
const TWICE = 2.6;

type Work = (text: string) => unknown;

/**
 * Answers the size from which on each doubling takes more than it may, with both times; undefined where the work is linear.
 * One or two steps on the way are none: the memory of larger texts is kept otherwise. `most`: characters that can arrive.
 */
export async function firstSlow(
  work: Work,
  textOf: (size: number) => string,
  most = MOST,
): Promise<string | undefined> {
  const slow: string[] = [];
  for (let size = most / 64; size <= most && slow.length < 3; size *= 2) {
    const times = await both(work, textOf, size);
    // Once more: a pause of the machine is none of the work.
    if (isSlow(times) && isSlow(await both(work, textOf, size))) slow.push(`${size}: ${times.join(' and ')} ms`);
    else slow.length = 0;
  }
  return slow.length > 1 ? slow[0] : undefined;
}

type Times = readonly [half: number, whole: number];

const isSlow = ([half, whole]: Times): boolean => whole > NOISE && whole > TWICE * half;

const both = async (work: Work, textOf: (size: number) => string, size: number): Promise<Times> => [
  await medianOf(work, textOf(size / 2)),
  await medianOf(work, textOf(size)),
];

/** Milliseconds of the processor; the median of five. */
async function medianOf(work: Work, text: string): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    const begun = process.cpuUsage().user;
    await work(text);
    times.push((process.cpuUsage().user - begun) / 1000);
  }
  return times.sort((one, other) => one - other)[2] ?? 0;
}

/** A text of that size, made of one piece again and again. */
export const filledWith =
  (unit: string, head = '', tail = '') =>
  (size: number): string =>
    head + unit.repeat(Math.max(1, Math.floor((size - head.length - tail.length) / unit.length))) + tail;
