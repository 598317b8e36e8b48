// Reads the values of XML elements by the kind of their field; the counterpart of the writer.
import type { Field, Kind } from '../contract/field.ts';
import { isRefusal, RULES } from '../contract/kinds.ts';
import type { Value } from '../contract/resource.ts';
import { writeOffset } from '../contract/zone.ts';
import { isBlank } from '../text/json-array.ts';
import { trimWhere } from '../text/names.ts';
import { valueAt } from '../text/once-per.ts';
import { keepsValue } from './json-scan.ts';
import type { Loose } from './shape.ts';
import type { Element } from './xml-tree.ts';

const UTC = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{1,7})?Z$/;
const MINUTE = 60_000;
const BLANK = /[ \t\r\n]+/g;

/** Kinds with a value that is no text. */
const READ: ReadonlySet<Kind> = new Set<Kind>(['integer', 'byte', 'decimal', 'boolean']);

/**
 * The value of an element without children. An invalid value keeps a form that validation refuses as in JSON; dates stay
 * texts, which validation checks.
 */
export function plainValue({ kind }: Field, text: string): Value {
  if (kind === 'text') return text;
  if (kind === 'bytes') return text.replace(BLANK, '');
  const bare = trim(text);
  if (!READ.has(kind)) return bare;
  const value = RULES[kind].read(bare);
  if (isRefusal(value)) return value.range ? Number(bare) : bare;
  return kind === 'decimal' && !keepsValue(bare) && !isSameNumber(bare) ? bare : value;
}

/** XML Schema allows a plus sign and a leading or trailing point; JSON does not. */
const isSameNumber = (text: string): boolean =>
  keepsValue(
    text
      .replace(/^\+/, '')
      .replace(/^(-?)\./, '$10.')
      .replace(/\.(?=e|$)/i, ''),
  );

/** Trims the blanks of XML. */
const trim = (text: string): string => trimWhere(text, (all, at) => isBlank(all.charCodeAt(at)));

/** The text of a structure of DateTime and OffsetMinutes (D23); undefined for anything else. */
export function stampOf({ children }: Element): string | undefined {
  const part = (name: string): string | undefined => {
    const found = children.filter((child) => child.name === name);
    return found.length === 1 && found[0]?.children.length === 0 ? trim(found[0].text) : undefined;
  };
  const [, local, fraction = ''] = UTC.exec(part('DateTime') ?? '') ?? [];
  const minutes = RULES.integer.read(part('OffsetMinutes') ?? '');
  if (local === undefined || children.length !== 2 || typeof minutes !== 'number' || Math.abs(minutes) > 14 * 60)
    return undefined;
  const instant = Date.parse(`${local}Z`) + minutes * MINUTE;
  if (Number.isNaN(instant)) return undefined;
  return new Date(instant).toISOString().slice(0, 19) + fraction + writeOffset(minutes);
}

/** The texts of `guid` elements in any namespace; undefined for anything else. */
export function guidsOf({ children }: Element): readonly string[] | undefined {
  const isList = children.every((child) => child.name === 'guid' && child.children.length === 0 && !child.nil);
  return isList ? children.map((child) => trim(child.text)) : undefined;
}

/**
 * The value of an unknown member: a text, or its own members. A name carries another namespace than `space` in braces,
 * and a repeated name becomes an array, so that the writer can restore all of it.
 */
export function looseOf(element: Element, space: string): Loose {
  if (element.nil) return null;
  if (element.children.length === 0) return element.text;
  const members = new Map<string, Loose[]>();
  for (const child of element.children) valueAt(members, looseName(child, space), () => []).push(looseOf(child, space));
  return Object.fromEntries(
    [...members].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? null) : values]),
  );
}

/** The name under which an unknown element is kept. */
export const looseName = (element: Element, space: string): string =>
  element.space === space ? element.name : `{${element.space}}${element.name}`;
