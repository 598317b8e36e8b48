// One line of the table of benchmarks.

export interface Line {
  /** The row's number among the goals of speed. */
  readonly row: string;
  readonly what: string;
  readonly ours: string;
  readonly limit: string;
  /** Ours measured against the limit. */
  readonly ratio: string;
  readonly goal: string;
  readonly met: boolean;
  /** The most memory that was held, where the goal names it. */
  readonly memory?: string;
}

interface Times {
  readonly row: string;
  readonly what: string;
  readonly ours: number;
  readonly limit: number;
  /** Ours may take so many times as long. */
  readonly goal: number;
}

/** A line about milliseconds. */
export function timesLine({ row, what, ours, limit, goal }: Times): Line {
  const ratio = ours / limit;
  return {
    row,
    what,
    ours: milliseconds(ours),
    limit: milliseconds(limit),
    ratio: `${ratio.toFixed(2)}×`,
    goal: `≤ ${goal}×`,
    met: ratio <= goal,
  };
}

const milliseconds = (time: number): string => `${time < 10 ? time.toFixed(3) : time.toFixed(1)} ms`;
