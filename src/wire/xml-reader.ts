// Records from XML: reads bodies strictly and answers leniently (D11).
import { type Fault, invalid } from '../contract/errors.ts';
import type { Field } from '../contract/field.ts';
import type { Row } from '../contract/resource.ts';
import { fieldNamed } from '../contract/validate.ts';
import { type Chunks, checkRecordSize, decodeChunks, decodeUtf8, LIMITS, malformed } from './gate.ts';
import { type Members, memberNamed, type OnWrapper, type WireShape } from './shape.ts';
import { xmlListParser } from './xml-list.ts';
import { type Element, parseXml } from './xml-tree.ts';
import { guidsOf, looseName, looseOf, plainValue, stampOf, withDashes } from './xml-value.ts';

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

/** What a list says of itself: attributes and texts beside its records, and links such as `<link rel="next" href="…"/>`. */
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

/** What stands for the records of a list, beside which there is at most their count. */
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
  if (unknown !== undefined) faults.push(fault(element.name, `has an attribute ${unknown}, which means nothing here`));
}

const fault = (field: string, message: string): Fault => ({ field, code: 'malformed', message });

const outOfOrder = (field: string, after: string): Fault => ({
  field,
  code: 'malformed',
  message: `stands behind ${after}; a service may lose what is out of order`,
  hint: `Write ${field} before ${after}.`,
});

const isText = (text: string): boolean => /[^ \t\r\n]/.test(text);
