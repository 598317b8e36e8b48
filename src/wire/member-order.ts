// The order in which a service writes the members of its XML: it may read them in that order alone, and lose the others.

import type { WireShape } from './shape.ts';
import { orderOf } from './xml-reader.ts';

export interface MemberOrders {
  /** Takes the members of a record of this type, in the order in which they came. */
  learn(type: string, names: readonly string[]): void;
  /** The order of all members of the type; undefined where no answer has shown it, of this type or of all. */
  of(shape: WireShape): readonly string[] | undefined;
}

export function memberOrders(): MemberOrders {
  const learned = new Map<string, ReadonlySet<string>>();
  return {
    learn(type, names) {
      const known = learned.get(type) ?? NONE;
      if (names.some((name) => !known.has(name))) learned.set(type, new Set(merged([...known], names)));
    },
    of(shape) {
      const known = [...(learned.get(shape.type) ?? NONE)];
      const all = merged(known, orderOf(shape));
      if ([...learned.values()].some((names) => isAlphabetical([...names]))) return all.toSorted(byCode);
      return known.length > 0 ? all : undefined;
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

/** The first names in their order; each of the others stands behind the one that it follows. */
function merged(first: readonly string[], others: readonly string[]): readonly string[] {
  const all = [...first];
  for (const [at, name] of others.entries())
    if (!all.includes(name)) all.splice(all.indexOf(others[at - 1] ?? '') + 1, 0, name);
  return all;
}

/** By the alphabet is how .NET orders what has no order of its own. */
const isAlphabetical = (names: readonly string[]): boolean =>
  names.length > 2 && names.every((name, at) => at === 0 || byCode(names[at - 1] ?? '', name) < 0);

const byCode = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
