// Reads and writes the records of one shape in JSON or XML (D22): bodies are read strictly, answers leniently.
import type { Field } from '../contract/field.ts';
import { listsIn, withDashes } from '../contract/kinds.ts';
import type { Row } from '../contract/resource.ts';
import { isObject } from '../text/defined.ts';
import { arraySplitter } from '../text/json-array.ts';
import { type Chunks, checkRecordSize, decodeChunks, decodeUtf8, malformed } from './gate.ts';
import { parseJson, parseStrictly } from './json-scan.ts';
import { type MediaType, type Syntax, syntaxOf } from './media.ts';
import { inOrder, type Members, memberNamed, type OnWrapper, type WireShape, type Writer } from './shape.ts';
import { type Learn, readXmlBody, readXmlList, recordsInXml } from './xml-reader.ts';
import { plainValue } from './xml-value.ts';
import { xmlWriter } from './xml-writer.ts';

/** The namespace of the endpoint's XML, unless it is served under another one (D23). */
export const NAMESPACE = 'urn:performance-management:v4';

/** The namespace of a login's answer: a session token has one of its own (D23). */
export const tokenNamespace = (namespace: string): string => `${namespace}:common`;

/** A writer for this shape. JSON has no namespace. */
export const writerOf = (media: MediaType, shape: WireShape, namespace: string = NAMESPACE): Writer =>
  syntaxOf(media) === 'json' ? jsonWriter(shape) : xmlWriter({ ...shape, namespace });

/** The record in a request's body, not validated yet. Throws `invalid`. */
export const readBody = (
  media: MediaType,
  shape: WireShape,
  bytes: Uint8Array,
  namespace: string = NAMESPACE,
): Members => (syntaxOf(media) === 'json' ? readJsonBody(bytes) : readXmlBody(shape, namespace, bytes));

/** The record of any server's answer; empty if there is none. Throws `invalid`. */
export function readRecord(syntax: Syntax, shape: WireShape, bytes: Uint8Array, learn?: Learn): Row {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return {};
  const [first = {}, second] =
    syntax === 'json' ? recordsIn(shape, parseAnswer(text)) : recordsInXml(shape, text, learn);
  if (second) throw malformed('the answer holds several records where one was asked for');
  return first;
}

/** The records of any server's list, as they arrive. Throws `invalid`. */
export const readList = (
  syntax: Syntax,
  shape: WireShape,
  chunks: Chunks,
  learn?: Learn,
  onWrapper?: OnWrapper,
): AsyncGenerator<Row> =>
  syntax === 'json' ? readJsonList(shape, chunks, onWrapper) : readXmlList(shape, chunks, learn, onWrapper);

/** Writes known members in the contract's order, then the others; null is written. */
function jsonWriter({ fields }: WireShape): Writer {
  const names = Object.keys(fields);
  const lists = listsIn(fields);
  const member = (row: Members): string => withLongNumbers(JSON.stringify(inOrder(names, lists ? lists(row) : row)));
  return {
    one: (row) => (row === null ? 'null' : member(row)),
    opening: '[',
    between: ',',
    member,
    closing: ']',
  };
}

/** The record in a request's body, as it was sent. Throws `invalid`. */
export function readJsonBody(bytes: Uint8Array): Members {
  if (bytes.length === 0) throw malformed('the body is empty; a record is needed');
  const value = parseStrictly(decodeUtf8(bytes));
  if (isObject(value)) return value;
  throw malformed('the body is not one JSON object; a record is needed');
}

/** The records of any server's list, as they arrive. Throws `invalid` for anything but records. */
export async function* readJsonList(shape: WireShape, chunks: Chunks, onWrapper?: OnWrapper): AsyncGenerator<Row> {
  const splitter = arraySplitter((_where, sign) => {
    throw malformed(`the answer is not well-formed JSON: ${JSON.stringify(sign)} between its records`);
  });
  /** Another value than an array: a single object, or a wrapper. It is read whole. */
  let whole: string | undefined;
  let waiting = 0;
  for await (const text of decodeChunks(chunks)) {
    if (whole === undefined && splitter.state === 'front' && !/^[ \t\r\n]*(?:\[|$)/.test(text)) whole = '';
    const records = whole === undefined ? splitter.push(text) : [];
    waiting = records.length > 0 ? 0 : waiting + text.length;
    checkRecordSize(waiting);
    if (whole !== undefined) whole += text;
    for (const record of records) yield rowOf(shape, parseAnswer(record.text));
  }
  if (whole !== undefined) yield* recordsIn(shape, parseAnswer(whole), onWrapper);
  else if (splitter.state !== 'done')
    throw malformed(splitter.state === 'front' ? 'the answer is empty' : 'the answer is cut off: its list has no end');
}

const parseAnswer = (text: string): unknown =>
  parseJson(/\d{16}/.test(text) ? text.replace(LONG_NUMBER, longAsText) : text, 'the answer is not well-formed JSON');

/** Members with whole numbers that a double cannot hold: they are texts in a record, and numbers where it is sent back. */
const longMembers = new Set<string>();
const LONG_NUMBER = /"([^"\\]+)"\s*:\s*(-?\d{16,})(?=\s*[,}])/g;

function longAsText(member: string, name: string, digits: string): string {
  if (String(Number(digits)) === digits) return member;
  longMembers.add(name);
  return `"${name}":"${digits}"`;
}

const withLongNumbers = (json: string): string =>
  longMembers.size === 0
    ? json
    : json.replace(/"([^"\\]+)":"(-?\d{16,})"/g, (member, name, digits) =>
        longMembers.has(name) ? `"${name}":${digits}` : member,
      );

/** The records in an array, a wrapper with one array member, or a single object. */
function recordsIn(shape: WireShape, value: unknown, onWrapper?: OnWrapper): readonly Row[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.map((one) => rowOf(shape, one));
  if (!isObject(value)) throw noRecord(value);
  const arrays = Object.entries(value).filter(
    ([name, its]) => Array.isArray(its) && !/^errors?$/i.test(name) && !memberNamed(shape.fields, name),
  );
  const known = Object.keys(value).some((name) => memberNamed(shape.fields, name));
  const [only] = arrays;
  if (!known) onWrapper?.(value);
  if (only && arrays.length === 1 && !known) return recordsIn(shape, only[1]);
  return Object.keys(value).length === 0 ? [] : [rowOf(shape, value)];
}

/** Names match in any case; unknown members are kept as they are. */
function rowOf({ fields }: WireShape, value: unknown): Row {
  if (!isObject(value)) throw noRecord(value);
  const row: Record<string, unknown> = {};
  for (const given in value) {
    if (given === '__proto__') continue;
    const name = memberNamed(fields, given);
    if (name === undefined || (name !== given && Object.hasOwn(value, name))) row[given] = value[given];
    else row[name] = oneValue(fields[name], value[given]);
  }
  // Unknown members may hold more than a Value.
  return row as Row;
}

/** A list of IDs becomes one text. */
const oneValue = (field: Field | undefined, value: unknown): unknown => {
  if (field?.kind === 'guids' && Array.isArray(value)) return value.join(' ') || null;
  // Some write numbers and truths as texts, as in XML, or truths as 0 and 1.
  const isText = typeof value === 'string' && field?.kind !== 'text' && field?.kind !== 'guid';
  if (field && (isText || (typeof value === 'number' && field.kind === 'boolean')))
    return plainValue(field, String(value));
  return field?.kind === 'guid' && typeof value === 'string' ? withDashes(value) : value;
};

const noRecord = (value: unknown) =>
  malformed(`the answer holds ${value === null ? 'null' : `a ${typeof value}`} where a record should be`);
