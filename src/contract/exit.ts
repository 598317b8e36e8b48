// The exit codes of the command line, by name, and the one rule that makes one of many.

/** Frozen: scripts rely on each. */
export const EXIT = {
  ok: 0,
  usage: 2,
  partly: 3,
  unauthorized: 4,
  forbidden: 5,
  notFound: 6,
  rejected: 7,
  unreachable: 8,
  unknown: 9,
  storage: 10,
  confirmation: 12,
  defect: 70,
  hungUp: 129,
  interrupted: 130,
  readerGone: 141,
  terminated: 143,
} as const;

/** How several records, rows or files went. */
export interface Outcomes {
  /** The exit code of each of them, as far as they are known; those of 0 count for nothing. */
  readonly exits: Iterable<number>;
  /** Was any of them changed? Rows that were as wanted already are no change. */
  readonly done: boolean;
  /** Is any of them left as it was, for whatever reason? */
  readonly left?: boolean;
}

/** These decide alone: whoever repeats the command must know them first. */
const FIRST: readonly number[] = [
  EXIT.interrupted,
  EXIT.hungUp,
  EXIT.terminated,
  EXIT.defect,
  EXIT.storage,
  EXIT.unknown,
];

/**
 * The exit code of many: that of `FIRST`, else 0 where none failed and none is left, else 3 where some were done, else the
 * code that all have in common, else 3.
 */
export function exitOfMany({ exits, done, left = false }: Outcomes): number {
  const failed = new Set([...exits].filter((exit) => exit !== EXIT.ok));
  const first = FIRST.find((exit) => failed.has(exit));
  if (first !== undefined) return first;
  if (failed.size === 0 && !left) return EXIT.ok;
  const [common = EXIT.partly, ...others] = failed;
  return done || others.length > 0 ? EXIT.partly : common;
}
