// Names are one line of text: the blanks around them are found and trimmed, and the characters that no name holds are found.
import { folded } from './folded.ts';
import { once } from './once-per.ts';
import { textKey } from './text-key.ts';

/** White space of Unicode, and the characters of no width that stand around copied texts. */
const BLANK = /[\s\u0085\u00ad\u200b\u2060]/;
/**
 * C0, DEL and C1 controls, line and paragraph separators, the marks that turn the direction of writing, and signs of no width that no
 * script needs: two names would look the same.
 */
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/;

/** Signs that are not shown by themselves. Some scripts and pictures need them in a name; in a user name they make a second one. */
const unseen = once(() => /\p{Default_Ignorable_Code_Point}/u);

export const looksSame = (one: string, other: string): boolean => seenOf(one) === seenOf(other);

const seenOf = (text: string): string => textKey(text.split(unseen()).join(''));

const isBlankAt = (text: string, at: number): boolean => BLANK.test(text.charAt(at));

/** The text without the blanks around it. */
export const trimBlanks = (text: string): string => trimWhere(text, isBlankAt);

/** The text without what is blank at its ends. A pattern would take the square of the length of a run of blanks. */
export function trimWhere(text: string, isBlank: (text: string, at: number) => boolean): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text, start)) start++;
  while (end > start && isBlank(text, end - 1)) end--;
  return text.slice(start, end);
}

/** Why a text is no name, as a predicate: `begins with the blank U+00A0`. Undefined if it is one. `isUnique`: of one record alone. */
export function nameFault(text: string, isUnique = false): string | undefined {
  if (isBlankAt(text, 0)) return `begins with the blank ${codeAt(text, 0)}`;
  if (isBlankAt(text, text.length - 1)) return `ends with the blank ${codeAt(text, text.length - 1)}`;
  const found = FORBIDDEN.exec(text) ?? (isUnique ? unseen().exec(text) : null);
  return found
    ? `holds the character ${codeAt(text, found.index)} at position ${found.index + 1}, which no name may have`
    : undefined;
}

const codeAt = (text: string, at: number): string =>
  `U+${text.codePointAt(at)?.toString(16).toUpperCase().padStart(4, '0')}`;

/** Holds the text white space and signs of no width alone? */
export const showsNothing = (text: string): boolean => /^[\s\u200b\u2060]*$/.test(text);

export const oneLine = (text: string): string => trimBlanks(text).replace(/\s+/g, ' ');

const TITLES = /^(?:(?:dr|prof|mr|mrs|ms|miss|mx|sir|dame|herr|frau|mme|mlle)\b\.? ?)+/i;

/** The address in a text such as `Ann <ann@x.example>` or `mailto:ann@x.example`, as mail programs write it; undefined for others. */
export const addressIn = (text: string): string | undefined =>
  /<([^<>]+)>$/.exec(text)?.[1] ?? /^mailto:(.+)$/i.exec(text)?.[1];

/** How else a text may name a person, the text itself first: as mail programs, directories and lists of people write one. */
export function formsOfName(text: string): readonly string[] {
  const whole = oneLine(text);
  const login = /^[^\\]+\\([^\\]+)$/.exec(whole)?.[1];
  const common = /^CN=((?:\\.|[^\\,])+)/i.exec(whole)?.[1]?.replace(/\\(.)/g, '$1');
  const name = common ?? whole;
  const untitled = name.replace(TITLES, '');
  // A single word may be a user name.
  const names = [name, untitled.includes(' ') ? untitled : name].flatMap((one) => [one, ...inOrder(one)]);
  return [...new Set([text, whole, addressIn(whole) ?? login ?? whole, ...names])];
}

/** The folded texts by which a typed one is looked for, one after another until something has one. */
export function foundBy(text: string): readonly string[] {
  const named = formsOfName(text).map((form) => folded(form).trim());
  // Where a keyboard has no ö, people write oe.
  const spelled = named.map((form) => form.replace(/([aou])e(?=\p{L})/gu, '$1'));
  return [...new Set([...named, ...spelled])].filter(Boolean);
}

/** Those by which it is guessed as well: `anna roe` of `ROE Anna`, as in some countries, and of `Anna Roe - Head of sales`. */
export function guessedBy(text: string): readonly string[] {
  const [, first, middle = '', last] = /^(\S+)( .+)? (\S+)$/.exec(oneLine(text)) ?? [];
  const turned = first ? [`${last} ${first}${middle}`, `${`${middle} ${last}`.trim()} ${first}`] : [];
  const [begun = ''] = oneLine(text).split(/ ?[,;:|/(]| [-–—] /, 1);
  return [...foundBy(text), ...[...turned, ...(/[ ._]/.test(begun) ? [begun] : [])].map(folded)];
}

/** `Jane Roe (x1)` of `Roe, Jane (x1)`. */
function inOrder(text: string): readonly string[] {
  const end = text.indexOf(' (') < 0 ? text.length : text.indexOf(' (');
  const comma = text.lastIndexOf(',', end);
  return comma < 0 ? [] : [`${text.slice(comma + 1, end).trim()} ${text.slice(0, comma)}${text.slice(end)}`];
}

/** `Jane Roe` and `x1` of `Jane Roe (x1)`. */
export function nameAndMark(text: string): readonly [name: string, mark: string] | undefined {
  const [, name, mark] = /^([^()]+) \(([^()]+)\)$/.exec(text) ?? [];
  return name === undefined || mark === undefined ? undefined : [name, mark];
}

/** The members of a person by which `Jane Roe (x1)` may say which Jane Roe is meant. */
export const MARKS_OF_PEOPLE = ['UserName', 'Email', 'UserDefined1', 'UserDefined2', 'UserDefined3', 'UserDefined4'];
