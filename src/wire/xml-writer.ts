// Records as XML (D23): this file spells the values, fast-xml-parser writes the elements.
import { XMLBuilder } from 'fast-xml-parser';
import type { Fields, Kind } from '../contract/field.ts';
import { guidsIn } from '../contract/kinds.ts';
import { valueAt } from '../text/once-per.ts';
import type { Members, WireShape, Writer } from './shape.ts';

const INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';
const SYSTEM = 'http://schemas.datacontract.org/2004/07/System';
const ARRAYS = 'http://schemas.microsoft.com/2003/10/Serialization/Arrays';
const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';
/** Members that the contract does not know, if their names can be elements (D11); in braces the namespace of a foreign one. */
const NAME = /^(?:\{([^{}]*)\})?([A-Za-z_][A-Za-z0-9_.-]*)$/;
const MARKUP = /[&<>"\r]/g;
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};
/** Signs that XML 1.0 cannot hold. */
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu;
/** Most texts have nothing of either, which is quickly seen. */
const SPECIAL = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/;

/** The type is the name of the root, and within `ArrayOf…` of each member. */
interface XmlShape extends Omit<WireShape, 'what'> {
  /** Only these members; without it all that a record holds. */
  readonly members?: ReadonlySet<string>;
  readonly namespace: string;
  /** Spread over lines, for people. */
  readonly indented?: boolean;
}

/** An element as the builder takes it: its name with its content, and its attributes. */
type Element = Readonly<Record<string, unknown>>;
type Attributes = Readonly<Record<string, string>>;

/** The content is a text or elements. */
const element = (name: string, content: string | readonly Element[], attributes?: Attributes): Element =>
  attributes ? { [name]: content, ':@': attributes } : { [name]: content };
const NIL: Attributes = { '@_i:nil': 'true' };
const nilElement = (name: string, attributes?: Attributes): Element => element(name, [], { ...attributes, ...NIL });

/** All texts are escaped before, so that the builder escapes nothing. */
const builderOf = (indented: boolean): XMLBuilder =>
  new XMLBuilder({
    preserveOrder: true,
    ignoreAttributes: false,
    processEntities: false,
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
    format: indented,
  });

/** A writer for records of one type, members in the contract's order, null as `i:nil`. */
export function xmlWriter(shape: XmlShape): Writer {
  const { type, namespace, indented = false } = shape;
  const builder = builderOf(indented);
  const line = indented ? '\n' : '';
  const spaces = { '@_xmlns': escapeText(namespace).replace(/\s/g, ''), '@_xmlns:i': INSTANCE };
  const build = (root: Element): string => `${String(builder.build([root])).trimStart()}${line}`;
  const membersOf = memberElements(shape);
  const list = `ArrayOf${type}`;
  const [opening = '', closing = ''] = build(element(list, [element(type, [])], spaces)).split(
    `${indented ? '  ' : ''}<${type}/>${line}`,
  );
  return {
    one: (row) => DECLARATION + build(row === null ? nilElement(type, spaces) : element(type, membersOf(row), spaces)),
    opening: DECLARATION + opening,
    between: '',
    member: (row) => within(build(element('a', [element(type, membersOf(row))])), line),
    closing,
  };
}

/** The content of a root of one letter, which is indented as in a list. */
const within = (text: string, line: string): string =>
  text.slice(`<a>${line}`.length, text.length - `</a>${line}`.length);

function memberElements({ fields, xmlOrder, members }: XmlShape): (row: Members) => readonly Element[] {
  const names = (xmlOrder ?? Object.keys(fields)).filter((name) => members?.has(name) ?? true);
  const inside = new Set(names);
  return (row) => {
    const strangers = members ? NONE : strangersIn(fields, row, inside);
    const elements: Element[] = [];
    const addLoose = (behind: string): void => {
      for (const name of strangers.get(behind) ?? []) elements.push(...looseElements(name, row[name]));
    };
    for (const name of names) {
      const value = row[name];
      if (value !== undefined) elements.push(...memberOf(fields, name, value));
      addLoose(name);
    }
    addLoose('');
    return elements;
  };
}

const memberOf = (fields: Fields, name: string, value: unknown): readonly Element[] =>
  Object.hasOwn(fields, name) ? [valueElement(fields[name]?.kind, name, value)] : looseElements(name, value);

function valueElement(kind: Kind | undefined, name: string, value: unknown): Element {
  if (value === null) return nilElement(name);
  if (kind === 'stamp') return stamp(name, String(value));
  if (kind !== 'guids') return element(name, content(value));
  const each = guidsIn(value).map((one) => element('d2p1:guid', content(one)));
  return element(name, each, { '@_xmlns:d2p1': ARRAYS });
}

const NONE: ReadonlyMap<string, readonly string[]> = new Map();

/**
 * Members without a place in the order, by the known one before them: a service may lose a member that moves (D11).
 * `ordered`: those that have their place.
 */
function strangersIn(
  fields: Fields,
  row: Members,
  ordered: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  let found: Map<string, string[]> | undefined;
  let behind = '';
  for (const name in row) {
    if (Object.hasOwn(fields, name) || ordered.has(name)) behind = name;
    else if (row[name] !== undefined) {
      found ??= new Map();
      valueAt(found, behind, () => []).push(name);
    }
  }
  return found ?? NONE;
}

/** An unknown member: a text, a structure, or an array, which is the same element several times. */
function looseElements(name: string, value: unknown): readonly Element[] {
  const [, space, bare] = NAME.exec(name) ?? [];
  // A computed name is a member of its own also where it is `__proto__`.
  if (bare === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one) => looseElements(name, one));
  const attributes = space === undefined ? undefined : { '@_xmlns': escapeText(space) };
  if (value === null || value === undefined) return [nilElement(bare, attributes)];
  if (typeof value !== 'object') return [element(bare, content(value), attributes)];
  const members = Object.entries(value).flatMap(([member, its]) => looseElements(member, its));
  return [element(bare, members, attributes)];
}

const content = (value: unknown): string => {
  if (typeof value === 'number') return decimalText(value);
  return typeof value === 'string' ? escapeText(value) : typeof value === 'object' ? '' : String(value);
};

/** A number in digits: a decimal of XML has no exponent. */
function decimalText(value: number): string {
  const [, sign = '', digits = '', exponent] = /^(-?)([\d.]+)e([+-]\d+)$/.exec(String(value)) ?? [];
  if (exponent === undefined) return String(value);
  const [whole = '', fraction = ''] = digits.split('.');
  const point = whole.length + Number(exponent);
  const all = whole + fraction;
  return point > 0 ? sign + all.padEnd(point, '0') : `${sign}0.${'0'.repeat(-point)}${all}`;
}

/** The structure in which .NET writes a date-time with an offset; the date-time itself is in UTC. */
function stamp(name: string, text: string): Element {
  const instant = Date.parse(text);
  const utc = Number.isNaN(instant) ? '' : new Date(instant).toISOString();
  // A year of more digits has no structure.
  if (!/^\d{4}-/.test(utc)) return element(name, escapeText(text));
  const fraction = /\.\d+/.exec(text)?.[0] ?? '';
  const dateTime = element('d2p1:DateTime', `${utc.slice(0, 19)}${fraction}Z`);
  const minutes = element('d2p1:OffsetMinutes', String(offsetOf(text)));
  return element(name, [dateTime, minutes], { '@_xmlns:d2p1': SYSTEM });
}

function offsetOf(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})$/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) || 0;
}

const escapeText = (text: string): string =>
  SPECIAL.test(text) ? text.replace(MARKUP, (char) => REFERENCES[char] ?? char).replace(UNFIT, '\ufffd') : text;
