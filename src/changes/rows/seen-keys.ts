// The keys of a file's rows, and the lines on which they stand: twelve bytes for each, whatever their length.

export interface SeenKeys {
  /** The line on which this key stood before; undefined where it is new, and then this line is kept. */
  meet(key: string, line: number): number | undefined;
}

const BEGIN = 1 << 10;
const WORDS = 3;

/**
 * A table of hashes of 64 bits. That two of a million different keys have the same one is as likely as one in thirty
 * million.
 */
export function seenKeys(): SeenKeys {
  let slots = BEGIN;
  let table = new Uint32Array(slots * WORDS);
  let count = 0;
  /** Where the key stands, or where it would. A line is never 0, so 0 is a free slot. */
  const slotOf = (high: number, low: number): number => {
    let slot = low & (slots - 1);
    while (table[slot * WORDS + 2] !== 0 && (table[slot * WORDS] !== high || table[slot * WORDS + 1] !== low))
      slot = (slot + 1) & (slots - 1);
    return slot * WORDS;
  };
  const grow = (): void => {
    const old = table;
    slots *= 2;
    table = new Uint32Array(slots * WORDS);
    for (let at = 0; at < old.length; at += WORDS) {
      if (old[at + 2] !== 0) table.set(old.subarray(at, at + WORDS), slotOf(old[at] ?? 0, old[at + 1] ?? 0));
    }
  };
  return {
    meet(key, line) {
      const [high, low] = hashOf(key);
      const slot = slotOf(high, low);
      const before = table[slot + 2];
      if (before !== 0) return before;
      table.set([high, low, line], slot);
      if (++count * 3 > slots * 2) grow();
      return undefined;
    },
  };
}

/** Two lanes that mix every unit with different primes, and at the end with each other. */
function hashOf(text: string): readonly [number, number] {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 2_654_435_761);
    other = Math.imul(other ^ unit, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return [one >>> 0, other >>> 0];
}
