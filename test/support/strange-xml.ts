// How the strange service spells records in XML: by a table of its own, without the codec of src.
import { readFileSync } from 'node:fs';

type Kind = 'boolean' | 'integer' | 'decimal' | 'text';
export type Fields = Readonly<Record<string, unknown>>;

interface Member {
  readonly name: string;
  readonly kind: Kind;
  readonly isReadOnly: boolean;
}

const facts = (file: string): readonly (readonly string[])[] =>
  readFileSync(new URL(`../facts/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));

const kindOf = (kind = ''): Kind => {
  if (kind === 'boolean' || kind === 'decimal') return kind;
  return kind === 'integer' || kind === 'byte' ? 'integer' : 'text';
};

/** The members of each type, in the order of the document. */
const TYPES = new Map<string, Member[]>();
for (const [type = '', name = '', kind, rule] of facts('fields.tsv')) {
  const members = TYPES.get(type) ?? [];
  members.push({ name, kind: kindOf(kind), isReadOnly: rule === 'read-only' });
  TYPES.set(type, members);
}

export const operations = (): readonly (readonly string[])[] => facts('operations.tsv');

/** The members of a type that only the service writes. */
export const readOnlyMembers = (type: string): ReadonlySet<string> =>
  new Set((TYPES.get(type) ?? []).filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name));

/** All members of a type, and the further ones of this record: in the order of the document, or of the alphabet. */
export function membersOf(type: string, record: Fields, isAlphabetical: boolean): readonly string[] {
  const known = (TYPES.get(type) ?? []).map(({ name }) => name);
  const all = [...new Set([...known, ...Object.keys(record).sort()])];
  return isAlphabetical ? all.sort() : all;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign);
const NAMESPACE = 'urn:strangers';
const HEAD = `xmlns="${NAMESPACE}" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"`;

function inner(type: string, record: Fields, isAlphabetical: boolean): string {
  return membersOf(type, record, isAlphabetical)
    .map((name) => {
      const value = record[name] ?? null;
      return value === null ? `<${name} i:nil="true"/>` : `<${name}>${escaped(String(value))}</${name}>`;
    })
    .join('');
}

export const recordAsXml = (type: string, record: Fields, isAlphabetical: boolean): string =>
  `<${type} ${HEAD}>${inner(type, record, isAlphabetical)}</${type}>`;

/** `isWrapped`: a count stands beside the records. */
export function listAsXml(
  type: string,
  records: readonly Fields[],
  isAlphabetical: boolean,
  isWrapped: boolean,
): string {
  const all = records.map((record) => `<${type}>${inner(type, record, isAlphabetical)}</${type}>`).join('');
  if (!isWrapped) return `<ArrayOf${type} ${HEAD}>${all}</ArrayOf${type}>`;
  return `<List ${HEAD}><Count>${records.length}</Count><Items>${all}</Items></List>`;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex?: string, decimal?: string, name = '') =>
    hex || decimal
      ? String.fromCodePoint(Number.parseInt(hex ?? decimal ?? '', hex ? 16 : 10))
      : (ENTITIES[name] ?? ''),
  );

function readValue(type: string, name: string, text: string): unknown {
  const kind = TYPES.get(type)?.find((member) => member.name === name)?.kind;
  if (kind === 'boolean') return text === 'true';
  return kind === 'integer' || kind === 'decimal' ? Number(text) : text;
}

/**
 * The members of a body in XML. `order`: the order that the service heeds, as a serializer does that reads forwards only: a
 * member that comes behind a later one is passed over.
 */
export function xmlBody(type: string, xml: string, order: readonly string[] | undefined): Fields {
  const body: Record<string, unknown> = {};
  let reached = -1;
  for (const [, name = '', attributes = '', text] of inside(xml).matchAll(/<([\w.]+)([^>]*?)(?:\/>|>([^<]*)<\/\1>)/g)) {
    const at = order?.indexOf(name) ?? reached;
    if (order && at < reached) continue;
    reached = at;
    const isNull = /nil="true"/.test(attributes);
    body[name] = isNull ? null : readValue(type, name, unescaped(text ?? ''));
  }
  return body;
}

const inside = (xml: string): string => /<[\w.]+[^>]*xmlns[^>]*>([\s\S]*)<\/[\w.]+>\s*$/.exec(xml)?.[1] ?? '';
