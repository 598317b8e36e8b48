// Percentages as dashboards show them: one decimal, half away from zero, null without data (D36).
import type { Sum } from '../store/port.ts';

/** So many percent of a sum are done; null of nothing. */
export const percentOf = ({ done, of }: Sum): number | null => (of === 0 ? null : rounded((done / of) * 100));

/** The mean of the percentages that there are, each as exact as it is; null where there is none. */
export function meanPercent(sums: readonly Sum[]): number | null {
  const shares = sums.filter(({ of }) => of > 0).map(({ done, of }) => done / of);
  if (shares.length === 0) return null;
  return rounded((shares.reduce((sum, share) => sum + share, 0) / shares.length) * 100);
}

/** Some sums as one. */
export const together = (sums: readonly Sum[]): Sum => ({
  done: sums.reduce((sum, { done }) => sum + done, 0),
  of: sums.reduce((sum, { of }) => sum + of, 0),
});

/** What a fraction lacks in binary, so that 12.25 % of a whole is not taken for 12.2499… %. */
const SLACK = 1e-9;

const rounded = (percent: number): number => (Math.sign(percent) * Math.round(Math.abs(percent) * 10 + SLACK)) / 10;
