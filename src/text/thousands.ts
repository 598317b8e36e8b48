// Groups the digits of a number. A pattern that looks ahead to the end would take the square of their count.

/** Digits in groups of three from the right, with this text between them: `4 812`. */
export function inThousands(digits: string, separator: string): string {
  const first = digits.length % 3;
  const groups = digits.slice(first).match(/\d{3}/g) ?? [];
  return [...(first === 0 ? [] : [digits.slice(0, first)]), ...groups].join(separator);
}

/** A count as people read it: `20 000`. */
export const spaced = (count: number): string => inThousands(String(count), ' ');
