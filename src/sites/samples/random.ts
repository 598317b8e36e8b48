// Chance that can be repeated: the same seed gives the same sequence, on every machine.

export type Random = ReturnType<typeof randomOf>;

/** The seed may have several parts: one for the sample, others for the part of it that is written. */
export function randomOf(...seed: readonly (string | number)[]) {
  /** At least 0, less than 1. */
  const next = sfc32(hashOf(seed.join('/')));
  /** A whole number from `low` to `high`, both included. */
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(from: readonly T[]) => from[between(0, from.length - 1)] as T,
    /** So many different ones, in their order. */
    some: <T>(from: readonly T[], count: number): readonly T[] => chosen(from, count, next),
    guid: (): string => guidFrom(next),
  };
}

/** A GUID that follows from its seed alone, so that records can name each other before they are made. */
export const guidOf = (...seed: readonly (string | number)[]): string => randomOf(...seed).guid();

/** Takes each one with the chance that is left for it. */
function chosen<T>(from: readonly T[], count: number, next: () => number): readonly T[] {
  let wanted = Math.min(count, from.length);
  return from.filter((_, index) => {
    const isTaken = next() * (from.length - index) < wanted;
    if (isTaken) wanted -= 1;
    return isTaken;
  });
}

/** Version 4, variant 1. */
function guidFrom(next: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(next() * 16));
  digits[12] = 4;
  digits[16] = 8 + ((digits[16] ?? 0) % 4);
  const text = digits.map((digit) => digit.toString(16)).join('');
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

type Words = readonly [number, number, number, number];

/** Four words out of a text, by four FNV-1a hashes that begin differently. */
function hashOf(text: string): Words {
  const hash = (begin: number): number => {
    let at = begin;
    for (let index = 0; index < text.length; index++) at = Math.imul(at ^ text.charCodeAt(index), 16_777_619);
    return at >>> 0;
  };
  return [hash(2_166_136_261), hash(84_696_351), hash(1_540_483_477), hash(3_266_489_917)];
}

/** The "small fast counter" generator with 128 bits of state; its first values still show the seed, so they are passed over. */
function sfc32([one, two, three, four]: Words): () => number {
  let [a, b, c, d] = [one, two, three, four];
  const next = (): number => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}
