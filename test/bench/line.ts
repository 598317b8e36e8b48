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
  /** Undefined where there is no goal. */
  readonly met: boolean | undefined;
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

/** The same without a goal, beside a line that has one. */
export const growthLine = (times: Omit<Times, 'goal'>): Line => ({
  ...timesLine({ ...times, goal: Number.NaN }),
  goal: '',
  met: undefined,
});

interface Rates {
  readonly row: string;
  readonly what: string;
  /** How much was done in each of the times. */
  readonly count: number;
  readonly ours: number;
  readonly limit: number;
  /** Ours is to be this share of the limit's rate. */
  readonly goal: number;
}

/** A line about so much a second, measured in milliseconds. */
export function rateLine({ row, what, count, ours, limit, goal }: Rates): Line {
  const share = limit / ours;
  return {
    row,
    what,
    ours: rate(count, ours),
    limit: rate(count, limit),
    ratio: `${(share * 100).toFixed(0)} %`,
    goal: `≥ ${goal * 100} %`,
    met: share >= goal,
  };
}

/** A line about how many times as much a second is done, beside the others. */
export function gainLine({ row, what, count, ours, limit }: Omit<Rates, 'goal'>): Line {
  const gain = limit / ours;
  return {
    row,
    what,
    ours: rate(count, ours),
    limit: rate(count, limit),
    ratio: `${gain.toFixed(2)}×`,
    goal: '',
    met: undefined,
  };
}

interface Peer {
  readonly row: string;
  readonly what: string;
  readonly count: number;
  readonly time: number;
}

/** A line about what another program does, to look at beside ours. */
export const peerLine = ({ row, what, count, time }: Peer): Line => ({
  ...{ row, what, ours: '', limit: rate(count, time) },
  ...{ ratio: '', goal: '', met: undefined },
});

const rate = (count: number, time: number): string => `${Math.round((count / time) * 1000).toLocaleString('en')}/s`;

const milliseconds = (time: number): string => `${time < 10 ? time.toFixed(3) : time.toFixed(1)} ms`;
