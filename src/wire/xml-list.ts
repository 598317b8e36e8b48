// Parses a list of records as it arrives. Most records are plain: a pattern reads them in a fraction of the parser's time.
import { type Element, INSTANCE, xmlParser } from './xml-tree.ts';

interface XmlListParser {
  /** Parses the next piece; answers the records that it completes. Throws `invalid` at the first fault. */
  push(text: string): readonly Element[];
  /** The root of the complete document, without the records, and the last of these. Throws `invalid` if something is missing. */
  end(): { readonly root: Element; readonly records: readonly Element[] };
}

/** Is a child of the root, or of its child `list`, a record of the list? */
export type IsRecord = (child: Element, root: Element, list?: Element) => boolean;

/** The first record shows how the others are named, and where they stand. With a prefix the parser reads them all. */
interface RecordForm {
  readonly depth: number;
  readonly closing: string;
}

/** Characters of a record that is given to the parser as it comes: its end is not looked for again and again. */
const LONG = 1 << 18;

/** A comment, CDATA or a processing instruction; `<?xml` at the start is none. */
const MARK = /<!|<\?(?!xml )/;

/** The parser reads all that is not plain. Behind a comment, which may hold what looks like a record, it reads alone. */
export function xmlListParser(isRecord: IsRecord): XmlListParser {
  let ready: Element[] = [];
  let form: RecordForm | undefined;
  let isMarked = false;
  /** What has come and is not parsed: the beginning of a record. */
  let rest = '';
  const parser = xmlParser({
    take(child, root, list) {
      if (!isRecord(child, root, list)) return false;
      ready.push(child);
      if (child.prefix === '') form ??= { depth: list ? 2 : 1, closing: `</${child.name}>` };
      return true;
    },
  });
  /** The last sign that the parser has read: a mark may be cut. */
  let last = '';
  const parse = (text: string): void => {
    isMarked ||= MARK.test(last + text);
    last = text.slice(-1) || last;
    parser.push(text);
  };
  const parseRecords = ({ depth, closing }: RecordForm): void => {
    let from = 0;
    for (let end = rest.indexOf(closing); end >= 0 && !isMarked; end = rest.indexOf(closing, from)) {
      const next = end + closing.length;
      const record = parser.open.length === depth ? plainElement(rest, from, next, parser.spaceOf) : undefined;
      if (record) ready.push(record);
      else parse(rest.slice(from, next));
      from = next;
    }
    rest = rest.slice(from);
  };
  return {
    push(text) {
      rest += text;
      if (form && !isMarked) parseRecords(form);
      if (!form || isMarked || rest.length > LONG) {
        parse(rest);
        rest = '';
      }
      const records = ready;
      ready = [];
      return records;
    },
    end() {
      parser.push(rest);
      return { root: parser.end(), records: ready };
    },
  };
}

/** A start tag with its prefix, name, and one attribute at most. */
const START =
  /^<((?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*))(?: ([A-Za-z_][\w.-]*):([A-Za-z_][\w.-]*)="([^"<&\s]+)")? ?(\/?)>$/;
const BLANK = /^[ \t\n]*$/;
/** Only the parser reads or refuses these: `]]>`, line ends that it changes, other references, signs that XML cannot hold. */
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
function plainElement(text: string, from: number, to: number, spaceOf: SpaceOf): Element | undefined {
  const start = text.indexOf('<', from);
  if (start < 0 || !BLANK.test(text.slice(from, start))) return undefined;
  const cursor: Cursor = { text, at: start };
  const element = readElement(cursor, spaceOf, DEPTH);
  return cursor.at === to ? element : undefined;
}

interface Tag {
  readonly prefix: string;
  readonly name: string;
  readonly attribute: Attribute | undefined;
  /** The end tag; undefined of an empty element. */
  readonly end: string | undefined;
}

interface Attribute {
  readonly left: string;
  readonly right: string;
  readonly value: string;
}

/** The records of a list have the same tags. */
const tags = new Map<string, Tag>();
const MAX_TAGS = 1_000;
const MAX_LENGTH = 200;

/** The start tag at this place; undefined where it is not plain. */
function tagAt(text: string, at: number, end: number): Tag | undefined {
  const source = text.slice(at, end);
  const known = tags.get(source);
  if (known) return known;
  // A copy: a part of a text keeps the whole of it in memory.
  const own = Buffer.from(source).toString();
  const tag = tagOf(own);
  if (tag && own.length <= MAX_LENGTH && tags.size < MAX_TAGS) tags.set(own, tag);
  return tag;
}

function tagOf(source: string): Tag | undefined {
  const [, fullName, prefix = '', name = '', left, right = '', value = '', slash] = START.exec(source) ?? [];
  if (fullName === undefined) return undefined;
  const attribute = left === undefined ? undefined : { left, right, value };
  return { prefix, name, attribute, end: slash === '/' ? undefined : `</${fullName}>` };
}

/** Moves behind the element that begins at the cursor, which has so many levels at most. */
function readElement(cursor: Cursor, outer: SpaceOf, levels: number): Element | undefined {
  const end = cursor.text.indexOf('>', cursor.at) + 1;
  const tag = end === 0 || levels === 0 ? undefined : tagAt(cursor.text, cursor.at, end);
  if (!tag) return undefined;
  const { prefix, name, attribute } = tag;
  const spaceOf = attribute ? spacesInside(attribute, outer) : outer;
  const space = spaceOf?.(prefix) ?? (prefix === '' ? '' : undefined);
  if (!spaceOf || space === undefined) return undefined;
  cursor.at = end;
  const content = tag.end === undefined ? EMPTY : readContent(cursor, tag.end, spaceOf, levels - 1);
  if (!content) return undefined;
  const nil = attribute?.right === 'nil';
  return { name, prefix, space, nil, attributes: NONE, children: content.children, text: content.text };
}

/** The namespaces within a tag with an attribute; undefined where it is neither `nil` nor the plain declaration of a prefix. */
function spacesInside({ left, right, value }: Attribute, outer: SpaceOf): SpaceOf | undefined {
  if (right === 'nil') return value === 'true' && outer(left) === INSTANCE ? outer : undefined;
  // The prefixes `xml` and `xmlns` have namespaces of their own, which the parser knows.
  if (left !== 'xmlns' || /^xml/i.test(right) || value.startsWith('http://www.w3.org/')) return undefined;
  return (prefix) => (prefix === right ? value : outer(prefix));
}

type Content = Pick<Element, 'children' | 'text'>;

const NONE = {};
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
    cursor.at = next;
    const child = readElement(cursor, spaceOf, levels);
    if (!child) return undefined;
    children.push(child);
  }
}

const textOf = (text: string): string =>
  text.includes('&') ? text.replace(REFERENCE, (_, name: string) => CHARACTERS[name] ?? '') : text;
