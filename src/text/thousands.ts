// Numbers and lists for people: digits in groups, the word for the counted things, and `and` before the last of several.

/** A number with its digits in groups: `4 812`. */
export const spaced = (count: number): string => inThousands(String(count), ' ');

/** `1 row`, `4 812 rows`. */
export const counted = (count: number, what: string): string => `${spaced(count)} ${what}${count === 1 ? '' : 's'}`;

/**
 * Digits in groups of three from the right, with this text between them. A pattern that looks ahead to the end would take the
 * square of their count.
 */
export function inThousands(digits: string, separator: string): string {
  const first = digits.length % 3;
  const groups = digits.slice(first).match(/\d{3}/g) ?? [];
  return [...(first === 0 ? [] : [digits.slice(0, first)]), ...groups].join(separator);
}

/** Several in one sentence: `Name, Rank and Parent`. */
export const series = (parts: readonly string[], word: 'and' | 'or' = 'and'): string =>
  [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(` ${word} `);

/** The first of many, and a sign that there are more. */
export const firstOf = (names: readonly (string | number)[], most = 8): string =>
  [...names.slice(0, most), ...(names.length > most ? ['…'] : [])].join(', ');
