// How texts are compared (D16): everywhere by the same key, so that every store and every sorter agrees.

const PLAIN = /^[\x20-\x7e]*$/;

/** Normalization takes the square of the number of marks that follow one letter. */
const MOST_NORMALIZED = 4096;

/** NFKC and lower case; two texts with one key are the same text to us. Behind its first 4,096 characters a text is not normalized. */
export const textKey = (text: string): string =>
  (PLAIN.test(text)
    ? text
    : text.slice(0, MOST_NORMALIZED).normalize('NFKC') + text.slice(MOST_NORMALIZED)
  ).toLowerCase();

export const compareText = (a: string, b: string): number => compareKeys(textKey(a), textKey(b));

/** The order of the keys' UTF-8 bytes, which differs from that of UTF-16 units beyond the first plane. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === length) return a.length - b.length;
  return rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
}

/** Halves of surrogate pairs stand for characters that come after all others. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** The rank of a record that has none: it comes last. */
export const NO_RANK = 2_147_483_647;
const END_OF_NAME = '\u0001';
const END_OF_STEP = '\u0002';

/** The key of a record below the record with the key `above`; at the top that is empty. Ranks are 32-bit integers. */
export function treeKey(above: string, rank: unknown, name: unknown, id: unknown): string {
  const step = ((typeof rank === 'number' ? rank : NO_RANK) + 2_147_483_648).toString(16).padStart(8, '0');
  return `${above}${step}${textKey(String(name ?? ''))}${END_OF_NAME}${String(id)}${END_OF_STEP}`;
}
