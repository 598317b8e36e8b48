// Records as XML (D23): the writing half. Our own records need no library to be written.
import type { Fields, Kind } from '../contract/field.ts';
import { guidsIn } from '../contract/kinds.ts';
import type { Members, Writer } from './shape.ts';

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
/** What XML 1.0 has no way to say. */
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu;
/** Most texts have nothing of either, which is quickly seen. */
const SPECIAL = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/;

export interface XmlShape {
  /** The document's name of the type: the root, and within `ArrayOf…` each member. */
  readonly type: string;
  readonly fields: Fields;
  /** The order of the members, where it is not the order of the fields (D23). */
  readonly xmlOrder?: readonly string[];
  /** Only these members; without it all that a record holds. */
  readonly members?: ReadonlySet<string>;
  /** The default namespace. */
  readonly namespace: string;
  /** Spread over lines, for people. */
  readonly indented?: boolean;
}

/** A writer for records of one type, members in the contract's order, null as `i:nil`. */
export function xmlWriter(shape: XmlShape): Writer {
  const spaces = ` xmlns="${escapeText(shape.namespace).replace(/\s/g, '')}" xmlns:i="${INSTANCE}"`;
  const [line, step] = shape.indented ? ['\n', '  '] : ['', ''];
  const { type } = shape;
  const inOne = innerOf(shape, line + step);
  const inList = innerOf(shape, line + step + step);
  return {
    one: (row) => {
      if (row === null) return `${DECLARATION}<${type}${spaces} i:nil="true"/>${line}`;
      return `${DECLARATION}<${type}${spaces}>${inOne(row)}${line}</${type}>${line}`;
    },
    opening: `${DECLARATION}<ArrayOf${type}${spaces}>${line}`,
    between: '',
    member: (row) => `${step}<${type}>${inList(row)}${line}${step}</${type}>${line}`,
    closing: `</ArrayOf${type}>${line}`,
  };
}

interface Known {
  readonly name: string;
  readonly kind: Kind | undefined;
  readonly begin: string;
  readonly end: string;
  readonly nil: string;
}

/** Writes the members of a record, each behind `gap`. */
function innerOf({ fields, xmlOrder, members }: XmlShape, gap: string): (row: Members) => string {
  const names = (xmlOrder ?? Object.keys(fields)).filter((name) => members?.has(name) ?? true);
  const plan = names.map((name): Known => {
    const [begin, end, nil] = [`${gap}<${name}>`, `</${name}>`, `${gap}<${name} i:nil="true"/>`];
    return { name, kind: fields[name]?.kind, begin, end, nil };
  });
  return (row) => {
    const strangers = members ? NONE : strangersIn(fields, row);
    let text = '';
    for (const { name, kind, begin, end, nil } of plan) {
      const value = row[name];
      if (value === null) text += nil;
      else if (value !== undefined) text += structured(kind, gap, name, value) ?? `${begin}${content(value)}${end}`;
      if (strangers.has(name)) text += loose(strangers.get(name) ?? [], row, gap);
    }
    return text + loose(strangers.get('') ?? [], row, gap);
  };
}

/** A value that XML writes as elements; undefined for a plain one. */
function structured(kind: Kind | undefined, gap: string, name: string, value: unknown): string | undefined {
  if (kind === 'stamp') return gap + stamp(name, String(value));
  if (kind !== 'guids') return undefined;
  const each = guidsIn(value).map((one) => `<d2p1:guid>${content(one)}</d2p1:guid>`);
  return `${gap}<${name} xmlns:d2p1="${ARRAYS}">${each.join('')}</${name}>`;
}

const NONE: ReadonlyMap<string, readonly string[]> = new Map();

/** Members that the contract does not know, by the known one behind which they were read: a service may lose what moves (D11). */
function strangersIn(fields: Fields, row: Members): ReadonlyMap<string, readonly string[]> {
  let found: Map<string, string[]> | undefined;
  let behind = '';
  for (const name in row) {
    if (Object.hasOwn(fields, name)) behind = name;
    else if (row[name] !== undefined) {
      found ??= new Map();
      const others = found.get(behind);
      if (others) others.push(name);
      else found.set(behind, [name]);
    }
  }
  return found ?? NONE;
}

const loose = (names: readonly string[], row: Members, gap: string): string =>
  names.map((name) => looseElements(name, row[name], gap)).join('');

/** An unknown member: a text, a structure, or an array, which is the same element several times. */
function looseElements(name: string, value: unknown, gap: string): string {
  const [, space, bare] = NAME.exec(name) ?? [];
  if (bare === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => looseElements(name, one, gap)).join('');
  const begin = space === undefined ? bare : `${bare} xmlns="${escapeText(space)}"`;
  if (value === null || value === undefined) return `${gap}<${begin} i:nil="true"/>`;
  if (typeof value !== 'object') return `${gap}<${begin}>${content(value)}</${bare}>`;
  const members = Object.entries(value).map(([member, its]) => looseElements(member, its, ''));
  return `${gap}<${begin}>${members.join('')}</${bare}>`;
}

const content = (value: unknown): string =>
  typeof value === 'string' ? escapeText(value) : typeof value === 'object' ? '' : String(value);

/** The structure in which .NET writes a date-time with an offset; the date-time itself is in UTC. */
function stamp(name: string, text: string): string {
  const instant = Date.parse(text);
  const utc = Number.isNaN(instant) ? '' : new Date(instant).toISOString();
  // A year of more digits has no structure.
  if (!/^\d{4}-/.test(utc)) return `<${name}>${escapeText(text)}</${name}>`;
  const fraction = /\.\d+/.exec(text)?.[0] ?? '';
  const dateTime = `<d2p1:DateTime>${utc.slice(0, 19)}${fraction}Z</d2p1:DateTime>`;
  const minutes = `<d2p1:OffsetMinutes>${offsetOf(text)}</d2p1:OffsetMinutes>`;
  return `<${name} xmlns:d2p1="${SYSTEM}">${dateTime}${minutes}</${name}>`;
}

function offsetOf(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})$/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) || 0;
}

const escapeText = (text: string): string =>
  SPECIAL.test(text) ? text.replace(MARKUP, (char) => REFERENCES[char] ?? char).replace(UNFIT, '\ufffd') : text;
