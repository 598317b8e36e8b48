// How everything here is timed: contenders take turns, so that a busy moment of the machine meets all of them alike.

/** Does one round of work; answers what is measured, such as its milliseconds. */
export type Contender = () => Promise<number> | number;

/** The median of each contender over so many rounds, after `warmUp` rounds that are not counted. */
export async function medians<N extends string>(
  rounds: number,
  contenders: Readonly<Record<N, Contender>>,
  warmUp = 1,
): Promise<Readonly<Record<N, number>>> {
  const names = Object.keys(contenders) as N[];
  const times = new Map<N, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const name of names) {
      const time = await contenders[name]();
      if (round >= warmUp) times.get(name)?.push(time);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<N, number>;
}

/** The milliseconds that a piece of work takes. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
