// Records from XML: reads bodies strictly and answers leniently (D11).
import { type Fault, invalid } from '../contract/errors.ts';
import type { Field } from '../contract/field.ts';
import { withDashes } from '../contract/kinds.ts';
import type { Row } from '../contract/resource.ts';
import { fieldNamed } from '../contract/validate.ts';
import { type Chunks, checkRecordSize, decodeChunks, decodeUtf8, LIMITS, malformed } from './gate.ts';
import { type Members, memberNamed, type OnWrapper, type WireShape } from './shape.ts';
import { type Element, INSTANCE, parseXml, xmlParser } from './xml-tree.ts';
import { guidsOf, looseName, looseOf, plainValue, stampOf } from './xml-value.ts';

/** Takes the namespace of an answer's records. */
export type Learn = (namespace: string) => void;

/** The records of any server's list, as they arrive. Throws `invalid` for anything but records. */
export async function* readXmlList(
  shape: WireShape,
  chunks: Chunks,
  learn?: Learn,
  onWrapper?: OnWrapper,
): AsyncGenerator<Row> {
  let pending = 0;
  let count = 0;
  const parser = xmlListParser((child, root, list) =>
    list ? isWrapped(shape, child, list) && !isRecord(shape, root) : isArray(root),
  );
  const read = (element: Element): Row => {
    if (count++ === 0) learnFrom(element, learn);
    return rowOf(shape, element);
  };
  for await (const text of decodeChunks(chunks)) {
    const records = parser.push(text);
    pending = records.length > 0 ? 0 : pending + text.length;
    checkRecordSize(pending);
    for (const element of records) yield read(element);
  }
  const { root, records } = parser.end();
  for (const element of records) yield read(element);
  if (count === 0) learnFrom(root, learn);
  if (!isRecord(shape, root)) onWrapper?.(saidBeside(root));
  if (isArray(root) || count > 0) return;
  for (const element of recordsIn(shape, root)) yield rowOf(shape, element);
}

/** The attributes and texts beside the records of a list, and links such as `<link rel="next" href="…"/>`. */
const saidBeside = ({ attributes, children }: Element): Members => ({
  ...attributes,
  ...Object.fromEntries(
    children
      .filter(({ children: its }) => its.length === 0)
      .map(({ name, text, attributes: { rel, href } }) => [rel ?? name, href ?? text.trim()]),
  ),
});

/** The records of a whole text. Throws `invalid`. */
export function recordsInXml(shape: WireShape, text: string, learn?: Learn): readonly Row[] {
  const root = parseXml(text);
  learnFrom(root, learn);
  return recordsIn(shape, root).map((element) => rowOf(shape, element));
}

const isArray = (root: Element): boolean => root.name.startsWith('ArrayOf');

function learnFrom({ space }: Element, learn: Learn | undefined): void {
  if (space !== '') learn?.(space);
}

/** The records of a tree: the root itself, its children, or the children of its only child with children. */
function recordsIn(shape: WireShape, root: Element): readonly Element[] {
  if (/^html$/i.test(root.name)) throw malformed('the answer is a web page, not a record');
  if (isRecord(shape, root)) return [root];
  if (root.nil || root.children.length === 0) {
    if (root.text.trim() === '') return [];
    throw malformed(`the answer holds a text in ${root.name} where a record should be`);
  }
  if (isArray(root) || root.children.every((child) => isRecord(shape, child))) return root.children;
  const inner = root.children.filter((child) => child.children.length > 0 || isArray(child));
  if (inner.length === 1 && inner[0]) return recordsIn(shape, inner[0]);
  return isEmptyList(root) ? [] : [root];
}

/** The names of an element around the records of a list. Beside it stands at most their count. */
const LIST = /^(?:items|data|results|value)$/i;

const isEmptyList = ({ children }: Element): boolean =>
  children.some((child) => LIST.test(child.name) && child.text.trim() === '');

/** A record in a list that is a member of the root can be taken before the list ends. */
const isWrapped = ({ type }: WireShape, child: Element, list: Element): boolean =>
  child.name.toLowerCase() === type.toLowerCase() && (LIST.test(list.name) || isArray(list));

const isRecord = ({ type, fields }: WireShape, element: Element): boolean =>
  element.name.toLowerCase() === type.toLowerCase() ||
  (!isArray(element) && element.children.some((child) => memberNamed(fields, child.name) !== undefined));

function rowOf({ fields }: WireShape, element: Element): Row {
  const row: Record<string, unknown> = {};
  for (const child of element.nil ? [] : element.children) {
    const name = memberNamed(fields, child.name);
    const other = name ?? looseName(child, element.space);
    if (name === undefined && other !== '__proto__') row[other] = looseOf(child, element.space);
    else if (name !== undefined && !Object.hasOwn(row, name))
      row[name] = fieldValue(fields[name] as Field, child, element.space);
  }
  // Unknown members may hold more than a Value.
  return row as Row;
}

function fieldValue(field: Field, element: Element, space: string): unknown {
  if (element.nil) return null;
  const bare = element.text.trim() === '';
  if (field.kind === 'guids' && bare) return (guidsOf(element) ?? []).join(' ') || null;
  if (element.children.length > 0) return (bare ? stampOf(element) : undefined) ?? looseOf(element, space);
  if (field.kind === 'guid') return withDashes(element.text.trim()) || null;
  return bare && field.kind !== 'text' && field.kind !== 'bytes' ? null : plainValue(field, element.text);
}

/** The record in a request's body, with the values of JSON. Throws `invalid` with all faults. */
export function readXmlBody(shape: WireShape, namespace: string, bytes: Uint8Array): Members {
  const root = parseXml(decodeUtf8(bytes), { nodes: LIMITS.nodes });
  checkRoot(shape, namespace, root);
  const faults: Fault[] = [];
  const members = new Map<string, unknown>();
  const order = orderOf(shape);
  let last = -1;
  for (const child of root.children) {
    const name = child.space === namespace ? fieldNamed(shape.fields, child.name) : undefined;
    const key = name ?? looseName(child, namespace);
    if (members.has(key) || key === '__proto__') faults.push(fault(key, 'is given twice, or cannot be a name'));
    checkAttributes(child, faults);
    members.set(
      key,
      name === undefined ? looseOf(child, namespace) : memberValue(name, shape.fields[name] as Field, child, faults),
    );
    if (name === undefined) continue;
    const place = order.indexOf(name);
    if (place < last) faults.push(outOfOrder(name, order[last] ?? ''));
    last = Math.max(last, place);
  }
  if (faults.length > 0) throw invalid(shape.what, faults);
  return Object.fromEntries(members);
}

/** The order of the members in XML (D23). */
export const orderOf = ({ fields, xmlOrder }: WireShape): readonly string[] => xmlOrder ?? Object.keys(fields);

function checkRoot({ type, what }: WireShape, namespace: string, root: Element): void {
  if (root.name !== type) throw malformed(`the root of the XML is ${root.name}; that of ${what} is ${type}`);
  if (root.space !== namespace) {
    const given = root.space === '' ? 'no namespace' : `the namespace "${root.space}"`;
    throw malformed(`the root ${type} is in ${given}; it must be in "${namespace}"`);
  }
  if (root.nil) throw malformed(`the root ${type} is nil; a record is needed`);
  for (const name in root.attributes) throw malformed(`the root ${type} has an attribute ${name}`);
  if (isText(root.text)) throw malformed(`the root ${type} holds text between its members`);
}

function memberValue(name: string, field: Field, element: Element, faults: Fault[]): unknown {
  const hasElements = element.children.length > 0;
  if (element.nil) {
    if (hasElements || isText(element.text)) faults.push(fault(name, 'is nil and yet holds something'));
    return null;
  }
  // Read-only members are ignored (D11).
  if (field.rule === 'read-only') return hasElements ? (stampOf(element) ?? null) : plainValue(field, element.text);
  if (field.kind === 'stamp') {
    const stamp = isText(element.text) ? undefined : stampOf(element);
    if (stamp === undefined) faults.push(fault(name, 'is not a structure of DateTime, in UTC, and OffsetMinutes'));
    return stamp ?? null;
  }
  if (field.kind === 'guids' && hasElements) {
    const guids = isText(element.text) ? undefined : guidsOf(element);
    if (guids === undefined) faults.push(fault(name, 'is not a list of guid elements'));
    return guids ?? null;
  }
  if (hasElements) faults.push(fault(name, 'holds elements; a plain value is needed'));
  // XML Schema knows true and false in lower case alone.
  const isShouted = field.kind === 'boolean' && /[A-Z]/.test(element.text);
  return isShouted ? element.text : plainValue(field, element.text);
}

function checkAttributes(element: Element, faults: Fault[]): void {
  const [unknown] = Object.keys(element.attributes);
  if (unknown !== undefined) faults.push(fault(element.name, `has an attribute ${unknown}, which is not known here`));
}

const fault = (field: string, message: string): Fault => ({ field, code: 'malformed', message });

const outOfOrder = (field: string, after: string): Fault => ({
  field,
  code: 'malformed',
  message: `comes after ${after}; a service may lose members that are out of order`,
  hint: `Write ${field} before ${after}.`,
});

const isText = (text: string): boolean => /[^ \t\r\n]/.test(text);

/** The first record shows how the others are named, and where they stand. With a prefix the parser reads them all. */
interface RecordForm {
  readonly depth: number;
  readonly closing: string;
}

/** Characters of a record that is given to the parser as it comes: its end is not looked for again and again. */
const LONG = 1 << 18;

/** A comment, CDATA or a processing instruction; `<?xml` at the start is none. */
const MARK = /<!|<\?(?!xml )/;

/**
 * Parses a list as it arrives. A pattern reads plain records, which most are, in a fraction of the parser's time, and the
 * parser all others. Behind a comment, which may hold what looks like a record, the parser reads alone. `isRecord`: is a child of
 * the root, or of its child `list`, a record of the list?
 */
function xmlListParser(isRecord: (child: Element, root: Element, list?: Element) => boolean) {
  let ready: Element[] = [];
  let form: RecordForm | undefined;
  let isMarked = false;
  /** The beginning of a record: it has come, and is not parsed. */
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
    /** Parses the next piece; answers the records that it completes. Throws `invalid` at the first fault. */
    push(text: string): readonly Element[] {
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
    /** The root of the complete document, without the records, and the last of these. Throws `invalid` if something is missing. */
    end(): { readonly root: Element; readonly records: readonly Element[] } {
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
 * The one element from `from` to `to`; undefined if it is not plain, or goes on. Plain is well-formed XML without comments,
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

/** The start tag at this place; undefined if it is not plain. */
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

/** The namespaces within a tag with an attribute; undefined if it is neither `nil` nor the plain declaration of a prefix. */
function spacesInside({ left, right, value }: Attribute, outer: SpaceOf): SpaceOf | undefined {
  if (right === 'nil') return value === 'true' && outer(left) === INSTANCE ? outer : undefined;
  // The prefixes `xml` and `xmlns` have namespaces of their own, which the parser knows.
  if (left !== 'xmlns' || /^xml/i.test(right) || value.startsWith('http://www.w3.org/')) return undefined;
  return (prefix) => (prefix === right ? value : outer(prefix));
}

type Content = Pick<Element, 'children' | 'text'>;

const NONE = {};
const EMPTY: Content = { children: [], text: '' };

/** A text or elements, up to the end tag, and moves behind it. Undefined if it is not plain. */
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
