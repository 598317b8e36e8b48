// Reads and writes the records of one shape in JSON or XML.
import type { Row } from '../contract/resource.ts';
import { type Chunks, decodeUtf8, malformed } from './gate.ts';
import { jsonWriter, readJsonBody, readJsonList, recordsInJson } from './json.ts';
import { type MediaType, type Syntax, syntaxOf } from './media.ts';
import type { Members, WireShape, Writer } from './shape.ts';
import { type Learn, readXmlBody, readXmlList, recordsInXml } from './xml-reader.ts';
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
  const [first = {}, second] = syntax === 'json' ? recordsInJson(shape, text) : recordsInXml(shape, text, learn);
  if (second) throw malformed('the answer holds several records where one was asked for');
  return first;
}

/** The records of any server's list, as they arrive. Throws `invalid`. */
export const readList = (syntax: Syntax, shape: WireShape, chunks: Chunks, learn?: Learn): AsyncGenerator<Row> =>
  syntax === 'json' ? readJsonList(shape, chunks) : readXmlList(shape, chunks, learn);
