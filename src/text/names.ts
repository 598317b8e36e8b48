// Names are one line of text: the blanks around them are found and trimmed, and the characters that no name holds are found.
import { textKey } from './text-key.ts';

/** White space of Unicode, and the characters of no width that stand around copied texts. */
const BLANK = /[\s\u0085\u00ad\u200b\u2060]/;
/**
 * C0, DEL and C1 controls, line and paragraph separators, the marks that turn the direction of writing, and signs of no width that no
 * script needs: two names would look the same.
 */
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/;

/** Signs that are not shown by themselves. Some scripts and pictures need them in a name; in a user name they make a second one. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;

/** Do two names look the same? */
export const looksSame = (one: string, other: string): boolean => seenOf(one) === seenOf(other);

const seenOf = (text: string): string => textKey(text.split(UNSEEN).join(''));

const isBlankAt = (text: string, at: number): boolean => BLANK.test(text.charAt(at));

/** The text without the blanks around it. A pattern would take the square of the length of a run of blanks. */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlankAt(text, start)) start++;
  while (end > start && isBlankAt(text, end - 1)) end--;
  return end - start === text.length ? text : text.slice(start, end);
}

/** Why a text is no name, as a predicate: `begins with the blank U+00A0`. Undefined where it is one. `isUnique`: of one record alone. */
export function nameFault(text: string, isUnique = false): string | undefined {
  if (isBlankAt(text, 0)) return `begins with the blank ${codeAt(text, 0)}`;
  if (isBlankAt(text, text.length - 1)) return `ends with the blank ${codeAt(text, text.length - 1)}`;
  const found = FORBIDDEN.exec(text) ?? (isUnique ? UNSEEN.exec(text) : null);
  return found
    ? `holds the character ${codeAt(text, found.index)} at position ${found.index + 1}, which no name may have`
    : undefined;
}

const codeAt = (text: string, at: number): string =>
  `U+${text.codePointAt(at)?.toString(16).toUpperCase().padStart(4, '0')}`;
