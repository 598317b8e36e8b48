// The two syntaxes behind one door: how a media type writes and reads the records of one shape.
import type { Row } from '../contract/resource.ts';
import type { Chunks } from './gate.ts';
import { jsonWriter, readJsonBody, readJsonList, readJsonRecord } from './json.ts';
import { type MediaType, type Syntax, syntaxOf } from './media.ts';
import type { Members, WireShape, Writer } from './shape.ts';
import { type Learn, readXmlBody, readXmlList, readXmlRecord } from './xml-reader.ts';
import { xmlWriter } from './xml-writer.ts';

/** The namespace of the endpoint's XML (D23). */
export const NAMESPACE = 'urn:performance-management:v4';

/** Writes records of this shape. JSON has no namespace. */
export const writerOf = (media: MediaType, shape: WireShape, namespace: string = NAMESPACE): Writer =>
  syntaxOf(media) === 'json' ? jsonWriter(shape) : xmlWriter({ ...shape, namespace });

/** The record in a request's body, to be checked against its resource. Throws `invalid`. */
export const readBody = (media: MediaType, shape: WireShape, bytes: Uint8Array, namespace = NAMESPACE): Members =>
  syntaxOf(media) === 'json' ? readJsonBody(bytes) : readXmlBody(shape, namespace, bytes);

/** The record of an answer of any server; an empty one where there is none. Throws `invalid`. */
export const readRecord = (syntax: Syntax, shape: WireShape, bytes: Uint8Array, learn?: Learn): Row =>
  syntax === 'json' ? readJsonRecord(shape, bytes) : readXmlRecord(shape, bytes, learn);

/** The records of a list of any server, one by one as they arrive. Throws `invalid`. */
export const readList = (syntax: Syntax, shape: WireShape, chunks: Chunks, learn?: Learn): AsyncGenerator<Row> =>
  syntax === 'json' ? readJsonList(shape, chunks) : readXmlList(shape, chunks, learn);
