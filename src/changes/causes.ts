// The causes of failures: each of them once, with the number of its rows and the first of these.

export interface Cause<T> {
  readonly rows: number;
  /** Three at most. */
  readonly first: readonly [T, ...T[]];
}

const MOST_CAUSES = 1000;
const MOST_ROWS = 3;

/** Counts the rows of the first 1,000 causes. `causeOf` tells causes apart; of as many rows, the one at the first place comes first. */
export function causeList<T>(causeOf: (one: T) => string, placeOf: (one: T) => number) {
  const causes = new Map<string, { rows: number; first: [T, ...T[]] }>();
  return {
    add(one: T): void {
      const cause = causes.get(causeOf(one));
      if (cause) {
        cause.rows++;
        if (cause.first.length < MOST_ROWS) cause.first.push(one);
      } else if (causes.size < MOST_CAUSES) causes.set(causeOf(one), { rows: 1, first: [one] });
    },
    /** Those of the most rows first. */
    all: (): readonly Cause<T>[] =>
      [...causes.values()].sort((a, b) => b.rows - a.rows || placeOf(a.first[0]) - placeOf(b.first[0])),
  };
}
