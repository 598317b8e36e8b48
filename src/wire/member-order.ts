// The order in which a service writes the members of its XML: it may read them in that order alone, and lose the others.
import { compareKeys } from '../text/text-key.ts';
import type { WireShape } from './shape.ts';
import { orderOf } from './xml-reader.ts';

export type MemberOrders = ReturnType<typeof memberOrders>;

export function memberOrders() {
  const learned = new Map<string, ReadonlySet<string>>();
  /** The members of some type came by the alphabet, which is not the contract's order of them. */
  let isByAlphabet = false;
  return {
    /** Takes the members of a record, in the order in which they came. */
    learn(shape: WireShape, names: readonly string[]): void {
      const known = learned.get(shape.type) ?? NONE;
      if (names.every((name) => known.has(name))) return;
      const all = merged([...known], names);
      learned.set(shape.type, new Set(all));
      isByAlphabet ||= isAlphabetical(all) && !isInOrder(all, orderOf(shape));
    },
    /** The order of all members of the type; undefined if no answer has shown another one than the contract's. */
    of(shape: WireShape): readonly string[] | undefined {
      const known = [...(learned.get(shape.type) ?? NONE)];
      const all = merged(known, orderOf(shape));
      if (isByAlphabet && (known.length === 0 || isAlphabetical(known))) return all.toSorted(compareKeys);
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

/** .NET orders members by the alphabet where they have no order of their own. */
const isAlphabetical = (names: readonly string[]): boolean =>
  names.length > 2 && names.every((name, at) => at === 0 || compareKeys(names[at - 1] ?? '', name) < 0);

/** Do the names that are in the order stand in it? */
function isInOrder(names: readonly string[], order: readonly string[]): boolean {
  const places = names.map((name) => order.indexOf(name)).filter((place) => place >= 0);
  return places.every((place, at) => at === 0 || (places[at - 1] ?? 0) < place);
}
