// Makes text from elsewhere harmless: nothing in it can move the cursor, change colors or reorder the words.
import { once } from './once-per.ts';

/**
 * C0, DEL, C1, soft hyphen, zero width and bidi controls, line and paragraph separators, tags, halves of surrogate pairs. A
 * joiner within a picture (U+200D) is no harm: a family is one picture of several people. It is made when it is first used, since
 * to look up the classes of Unicode takes a part of each start.
 */
const unsafe = (): RegExp =>
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]|\u200d(?:(?<!(?:\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])\u200d)|(?!\p{Extended_Pictographic}))/gu;
const beyondLines = once(() => new RegExp(unsafe().source.replace('\\u001f', '\\u0008\\u000b-\\u001f'), 'gu'));
/** Most texts hold none of these. That is seen faster than by a search for unsafe characters. */
const SUSPECT = /[^\x20-\x7e]/;
const SUSPECT_LINES = /[^\t\n\x20-\x7e]/;
const SHORT: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** One line of text: every unsafe character is shown by its code, `\x1b` or `\u202e`. */
export const sanitise = (text: string): string => (SUSPECT.test(text) ? text.replace(unsafe(), visible) : text);

/** As `sanitise`, but line feeds and tabs stay. */
export const sanitiseLines = (text: string): string =>
  SUSPECT_LINES.test(text) ? text.replace(beyondLines(), visible) : text;

/** The same for JSON or quoted YAML: the escapes are the format's own, so that no value changes. */
export const escapeJson = (text: string): string =>
  SUSPECT_LINES.test(text) ? text.replace(beyondLines(), escaped) : text;

/** The same for XML, by character references. */
export const escapeXml = (text: string): string => text.replace(beyondLines(), (char) => `&#x${hex(char, 1)};`);

function visible(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${hex(char, 1)}}`;
  return SHORT[char] ?? (code < 0x100 ? `\\x${hex(char, 2)}` : `\\u${hex(char, 4)}`);
}

const escaped = (char: string): string =>
  [...Array(char.length).keys()].map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

const hex = (char: string, digits: number): string => (char.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');

/** Unsafe characters, and blanks that are not seen to differ from a space. */
const unseen = once(() => new RegExp(`${unsafe().source}|[^\\S ]`, 'gu'));

/** A text in quotes. Characters that cannot be seen as what they are stand there by their codes, as in JSON. */
export const quoted = (text: string): string => `"${text.replace(unseen(), (char) => SHORT[char] ?? escaped(char))}"`;

/** One word of a command line of a Unix system. */
export const inQuotes = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

const LONGEST = 300;

/** A text in Markdown that is no markup. */
export const plainMarkdown = (text: string): string => text.replace(/[\\*_<>[\]`#&~|]/g, '\\$&');

/** Words of another server: one harmless line of at most 300 characters. */
export function clean(text: string): string {
  const line = text
    .slice(0, LONGEST * 20)
    // Controls, marks that turn the direction of writing, characters without width, halves of pairs.
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : line;
}
