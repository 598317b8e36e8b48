// Reads elements that are plainly written, as services write most records, in a fraction of the parser's time.
import { type Element, INSTANCE } from './xml-tree.ts';

/** A start tag with its prefix, name, and one attribute at most. */
const START =
  /[ \t\n]*<((?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*))(?: ([A-Za-z_][\w.-]*):([A-Za-z_][\w.-]*)="([^"<&\s]+)")? ?(\/?)>/y;
const BLANK = /^[ \t\n]*$/;
/** What only the parser reads or refuses: `]]>`, line ends that it changes, other references, and what XML cannot hold. */
const NOT_PLAIN = /[\]\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&(?!(?:amp|lt|gt|quot|apos);)/;
const REFERENCE = /&([a-z]+);/g;
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** A record, its members, and their parts. */
const DEPTH = 3;

/** The namespace of a prefix; that of names without one for the empty prefix. */
type SpaceOf = (prefix: string) => string | undefined;

interface Cursor {
  readonly text: string;
  at: number;
}

/**
 * The one element from `from` to `to`; undefined where it is not plain, or goes on. Plain is well-formed XML without comments,
 * with the five references of XML alone, and in a tag one attribute at most: `nil`, or the declaration of a prefix.
 */
export function plainElement(text: string, from: number, to: number, spaceOf: SpaceOf): Element | undefined {
  const cursor: Cursor = { text, at: from };
  const element = readElement(cursor, spaceOf, DEPTH);
  return cursor.at === to ? element : undefined;
}

/** Moves behind the element, which has so many levels at most. */
function readElement(cursor: Cursor, outer: SpaceOf, levels: number): Element | undefined {
  START.lastIndex = cursor.at;
  const tag = START.exec(cursor.text);
  if (!tag || levels === 0) return undefined;
  const [, fullName = '', prefix = '', name = ''] = tag;
  const spaceOf = tag[4] === undefined ? outer : spacesInside(tag, outer);
  const nil = tag[5] === 'nil';
  const space = spaceOf?.(prefix) ?? (prefix === '' ? '' : undefined);
  if (!spaceOf || space === undefined) return undefined;
  cursor.at = START.lastIndex;
  const content = tag[7] === '/' ? EMPTY : readContent(cursor, `</${fullName}>`, spaceOf, levels - 1);
  return (
    content && { name, prefix, space, nil, unknownAttributes: NONE, children: content.children, text: content.text }
  );
}

/** The namespaces within a tag with an attribute; undefined where it is neither `nil` nor the plain declaration of a prefix. */
function spacesInside(
  [, , , , left = '', right = '', value = '']: RegExpExecArray,
  outer: SpaceOf,
): SpaceOf | undefined {
  if (right === 'nil') return value === 'true' && outer(left) === INSTANCE ? outer : undefined;
  // The prefixes `xml` and `xmlns` have namespaces of their own, which the parser knows.
  if (left !== 'xmlns' || /^xml/i.test(right) || value.startsWith('http://www.w3.org/')) return undefined;
  return (prefix) => (prefix === right ? value : outer(prefix));
}

type Content = Pick<Element, 'children' | 'text'>;

const NONE: readonly string[] = [];
const EMPTY: Content = { children: [], text: '' };

/** A text or elements, up to the end tag, and moves behind it. Undefined where it is not plain. */
function readContent(cursor: Cursor, endTag: string, spaceOf: SpaceOf, levels: number): Content | undefined {
  const { text } = cursor;
  const children: Element[] = [];
  for (;;) {
    const next = text.indexOf('<', cursor.at);
    if (next < 0) return undefined;
    const between = text.slice(cursor.at, next);
    const isEnd = text.startsWith(endTag, next);
    if (isEnd) cursor.at = next + endTag.length;
    if (isEnd && children.length === 0)
      return NOT_PLAIN.test(between) ? undefined : { children, text: textOf(between) };
    if (!BLANK.test(between)) return undefined;
    if (isEnd) return { children, text: '' };
    const child = readElement(cursor, spaceOf, levels);
    if (!child) return undefined;
    children.push(child);
  }
}

const textOf = (text: string): string =>
  text.includes('&') ? text.replace(REFERENCE, (_, name: string) => CHARACTERS[name] ?? '') : text;
