// "Did you mean": the known word nearest to a mistyped one.
import { folded } from './folded.ts';

/** The nearest of `words` within about a third of the letters, all folded; undefined if none is near. */
export function nearest(given: string, words: Iterable<string>): string | undefined {
  const wanted = folded(given);
  let best: string | undefined;
  let least = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const word of words) {
    const steps = distance(wanted, folded(word), least);
    if (steps < least) {
      least = steps;
      best = word;
    }
  }
  return best;
}

/** A hint for an unknown word: the nearest known one, with `before` in front of it; `otherwise` where none is near. */
export function didYouMean(given: string, words: Iterable<string>, otherwise: string, before = ' '): string {
  const close = nearest(given, words);
  return close === undefined ? otherwise : `Did you mean${before}${close}?`;
}

/** Edits (insert, delete, replace, swap of neighbours) between two words; gives up at `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let steps = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        steps = Math.min(steps, (before[j - 2] ?? 0) + 1);
      current.push(steps);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? limit;
}
