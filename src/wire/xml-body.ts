// The body of a request as XML, read as strictly as a server that ignores what it does not expect would have it (D11).
import { type Fault, invalid } from '../contract/errors.ts';
import type { Field } from '../contract/field.ts';
import { decodeUtf8, LIMITS, malformed } from './gate.ts';
import { type Members, memberNamed } from './members.ts';
import type { WireShape } from './shape.ts';
import { type Element, parseXml } from './xml-tree.ts';
import { guidsOf, looseName, looseOf, plainValue, stampOf } from './xml-value.ts';

/** The one record of a request's body, its values as JSON would carry them. Throws `invalid`, with all faults at once. */
export function readXmlBody(shape: WireShape, namespace: string, bytes: Uint8Array): Members {
  const root = parseXml(decodeUtf8(bytes), { nodes: LIMITS.nodes });
  checkRoot(shape, namespace, root);
  const faults: Fault[] = [];
  const members = new Map<string, unknown>();
  const order = orderOf(shape);
  let last = -1;
  for (const child of root.children) {
    const name = child.space === namespace ? memberNamed(shape.fields, child.name) : undefined;
    const key = name ?? looseName(child, namespace);
    if (members.has(key) || key === '__proto__') faults.push(fault(key, 'is given twice, or cannot be a name'));
    checkAttributes(child, faults);
    members.set(
      key,
      name === undefined ? looseOf(child, namespace) : read(name, shape.fields[name] as Field, child, faults),
    );
    if (name === undefined) continue;
    const place = order.indexOf(name);
    if (place < last) faults.push(outOfOrder(name, order[last] ?? ''));
    last = Math.max(last, place);
  }
  if (faults.length > 0) throw invalid(shape.what, faults);
  return Object.fromEntries(members);
}

/** The order in which the members of a type stand in XML (D23). */
export const orderOf = ({ fields, xmlOrder }: WireShape): readonly string[] => xmlOrder ?? Object.keys(fields);

function checkRoot({ type, what }: WireShape, namespace: string, root: Element): void {
  if (root.name !== type) throw malformed(`the root of the XML is ${root.name}; that of ${what} is ${type}`);
  if (root.space !== namespace) {
    const given = root.space === '' ? 'no namespace' : `the namespace "${root.space}"`;
    throw malformed(`the root ${type} is in ${given}; it must be in "${namespace}"`);
  }
  if (root.nil) throw malformed(`the root ${type} is nil; a record is needed`);
  if (root.strange[0] !== undefined) throw malformed(`the root ${type} has an attribute ${root.strange[0]}`);
  if (isText(root.text)) throw malformed(`the root ${type} holds text between its members`);
}

function read(name: string, field: Field, element: Element, faults: Fault[]): unknown {
  const whole = element.children.length > 0;
  if (element.nil) {
    if (whole || isText(element.text)) faults.push(fault(name, 'is nil and yet holds something'));
    return null;
  }
  // What is read-only is ignored, whatever it holds (D11).
  if (field.rule === 'read-only') return whole ? (stampOf(element) ?? null) : plainValue(field, element.text);
  if (field.kind === 'stamp') {
    const stamp = isText(element.text) ? undefined : stampOf(element);
    if (stamp === undefined) faults.push(fault(name, 'is not a structure of DateTime, in UTC, and OffsetMinutes'));
    return stamp ?? null;
  }
  if (field.kind === 'guids' && whole) {
    const guids = isText(element.text) ? undefined : guidsOf(element);
    if (guids === undefined) faults.push(fault(name, 'is not a list of guid elements'));
    return guids ?? null;
  }
  if (whole) faults.push(fault(name, 'holds elements; a plain value is needed'));
  return plainValue(field, element.text);
}

function checkAttributes(element: Element, faults: Fault[]): void {
  const [strange] = element.strange;
  if (strange !== undefined) faults.push(fault(element.name, `has an attribute ${strange}, which means nothing here`));
}

const fault = (field: string, message: string): Fault => ({ field, code: 'malformed', message });

const outOfOrder = (field: string, after: string): Fault => ({
  field,
  code: 'malformed',
  message: `stands behind ${after}; a service may lose what is out of order`,
  hint: `Write ${field} before ${after}.`,
});

const isText = (text: string): boolean => /[^ \t\r\n]/.test(text);
