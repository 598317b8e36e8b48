// From an operation and its input to a request, and from an answer to records. What XML cannot say is refused before
// it is sent.
import type { Credential, Input } from '../contract/call.ts';
import { type Fault, invalid, ServiceError } from '../contract/errors.ts';
import type { Field } from '../contract/field.ts';
import { resourceNamed } from '../contract/index.ts';
import { isRefusal, RULES } from '../contract/kinds.ts';
import type { Next } from '../contract/next.ts';
import { addressOf, isParam, type Operation, type Route } from '../contract/operation.ts';
import { type Resource, type Row, singular } from '../contract/resource.ts';
import { NAMESPACE, readList, readRecord, writerOf } from '../wire/codec.ts';
import { answerSyntax, contentTypeOf, type MediaType, type Syntax } from '../wire/media.ts';
import { buildPath } from '../wire/route.ts';
import { answerShape, bodyShape, type WireShape } from '../wire/shape.ts';
import type { Connection, Request, Response } from './connection.ts';
import { badAnswerError, type PreparedRequest, problemIn } from './errors.ts';
import type { Reroute } from './routes.ts';
import type { Incoming } from './transport.ts';

/** What the calls of one session share. */
export interface ClientContext {
  readonly connection: Connection;
  readonly reroute: Reroute;
  /** Nobody, while somebody logs in. */
  readonly credential: Credential | undefined;
  /** The XML namespace of requests: learned from answers where the profile names none. */
  namespace: string | undefined;
}

/** A request with what people are told of it. */
export function prepare(context: ClientContext, given: Operation, input: Input): PreparedRequest {
  const operation = context.reroute(given);
  const resource = resourceNamed(operation.resource);
  const { method, path, query } = buildPath(operation, input);
  const request: Request = {
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: headersFor(context, input),
    body: input.body && encodedBody(context, resource, input.body),
    credential: context.credential,
    secrets: secretsIn(resource, input.body ?? {}),
    record: operation.many || method === 'POST' ? undefined : recordOf(operation, input, path),
    repeatable: operation.repeatable,
  };
  const id = operation.many ? undefined : Object.values(input.params ?? {}).at(-1);
  const undelete: Next | undefined =
    resource.operations.undelete && id !== undefined ? { do: 'undelete', resource: resource.name, id } : undefined;
  return { request, writes: operation.writes, look: lookFor(resource, input), ...(undelete && { undelete }) };
}

const mediaOf = ({ connection }: ClientContext): MediaType =>
  connection.options.wire === 'xml' ? 'application/xml' : 'application/json';

function encodedBody(context: ClientContext, resource: Resource, body: NonNullable<Input['body']>): string {
  const media = mediaOf(context);
  if (context.connection.options.wire === 'xml') checkXmlEncodable(resource, body);
  return writerOf(media, bodyShape(resource), context.namespace ?? NAMESPACE).one(body);
}

function headersFor(context: ClientContext, { body }: Input): Record<string, string> {
  const media = mediaOf(context);
  return { accept: media, ...(body ? { 'content-type': contentTypeOf(media) } : {}) };
}

const secretsIn = ({ fields }: Resource, body: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(body).flatMap(([name, value]) =>
    fields[name]?.writeOnly && typeof value === 'string' ? [value] : [],
  );

/** The record that a path is about: what stands behind its last parameter is a verb, or a part of it. */
function recordOf({ routes }: Operation, { by }: Input, path: string): string {
  const route = routes[by ?? 'plain'] ?? Object.values(routes)[0];
  const end = route ? addressOf(route).segments.findLastIndex(isParam) : -1;
  return end < 0
    ? path
    : path
        .split('/')
        .slice(0, end + 2)
        .join('/');
}

/** The same request, to be carried out only while the record has this ETag. */
export const withIfMatch = (prepared: PreparedRequest, match: string | undefined): PreparedRequest =>
  match === undefined
    ? prepared
    : { ...prepared, request: { ...prepared.request, headers: { ...prepared.request.headers, 'if-match': match } } };

/** What shows the record as it stands now. */
function lookFor({ name: resource, operations }: Resource, { params, body }: Input): Next {
  const id = Object.values(params ?? {})[0] ?? body?.ID;
  return operations.get && id !== undefined ? { do: 'get', resource, id: String(id) } : { do: 'list', resource };
}

/** The one record of an answer. Throws `bad_answer`, or `unknown_outcome` for a change. */
export function recordIn(
  context: ClientContext,
  prepared: PreparedRequest,
  operation: Operation,
  response: Response,
): Row {
  if (response.bytes.byteLength === 0) return {};
  const syntax = syntaxOf(context, prepared, response);
  const shape = answerShape(operation);
  return understood(context, prepared, () =>
    inOrder(shape, readRecord(syntax, shape, response.bytes, learnNamespace(context, operation))),
  );
}

/** The records of a list, as they arrive. Throws `bad_answer`. */
export async function* recordsIn(
  context: ClientContext,
  prepared: PreparedRequest,
  operation: Operation,
  incoming: Incoming,
): AsyncGenerator<Row> {
  if (incoming.status === 204) return incoming.discard();
  const syntax = syntaxOf(context, prepared, incoming);
  const shape = answerShape(operation);
  try {
    for await (const row of readList(syntax, shape, incoming.body, learnNamespace(context, operation)))
      yield inOrder(shape, row);
  } catch (error) {
    throw error instanceof ServiceError ? badAnswerError(context.connection, prepared, error.message, error) : error;
  } finally {
    incoming.discard();
  }
}

/** The contract's order, for the few types that have another one in XML. */
function inOrder({ fields, xmlOrder }: WireShape, row: Row): Row {
  if (!xmlOrder) return row;
  const ordered: Record<string, Row[string]> = {};
  for (const name in fields) if (row[name] !== undefined) ordered[name] = row[name];
  return Object.assign(ordered, row);
}

/** The type of a token has a namespace of its own, which is not that of the records. */
const learnNamespace = (context: ClientContext, operation: Operation) => (namespace: string) => {
  if (context.connection.options.namespace === undefined && operation.resource !== 'session')
    context.namespace = namespace;
};

function understood<T>(context: ClientContext, prepared: PreparedRequest, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ServiceError ? badAnswerError(context.connection, prepared, error.message, error) : error;
  }
}

/** How an answer is spelled; one without a type is taken to be in the syntax that was asked for. */
function syntaxOf(context: ClientContext, prepared: PreparedRequest, answer: Response | Incoming): Syntax {
  const { 'content-type': type, 'content-encoding': coding } = answer.headers;
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    throw badAnswerError(context.connection, prepared, `it is packed (${coding}), which was not asked for`);
  const syntax = type === undefined ? context.connection.options.wire : answerSyntax(type);
  if (syntax) return syntax;
  if ('discard' in answer) answer.discard();
  const words = 'bytes' in answer ? problemIn(context.connection, prepared, answer).told.detail : '';
  throw badAnswerError(context.connection, prepared, `${type ?? ''}${words && `: ${words}`}`);
}

/** The address at which a record that an operation writes can be read alone, where there is one. */
export function getCallFor(operation: Operation, input: Input): { operation: Operation; input: Input } | undefined {
  const { get } = resourceNamed(operation.resource).operations;
  if (!get) return undefined;
  const written = operation.routes[input.by ?? 'plain'];
  const route = Object.entries(get.routes).find(([, one]) => written !== undefined && isSamePath(one, written));
  if (!route) return undefined;
  const values = Object.values(input.params ?? {});
  const params = addressOf(route[1]).params.map((name, at): [string, string] => [name, values[at] ?? '']);
  return { operation: get, input: { by: route[0], params: Object.fromEntries(params) } };
}

/** The address at which a new record can be read by its ID, where there is one. */
export function getCallByID(operation: Operation, id: string): { operation: Operation; input: Input } | undefined {
  const { get } = resourceNamed(operation.resource).operations;
  if (get?.routes.plain === undefined) return undefined;
  const [name, ...more] = addressOf(get.routes.plain).params;
  return name === undefined || more.length > 0
    ? undefined
    : { operation: get, input: { by: 'plain', params: { [name]: id } } };
}

/** Do two routes lead to one path, whatever their parameters are called? */
function isSamePath(one: Route, other: Route): boolean {
  const [a, b] = [addressOf(one).segments, addressOf(other).segments];
  return (
    a.length === b.length && a.every((segment, at) => (isParam(segment) ? isParam(b[at] ?? '') : segment === b[at]))
  );
}

/** Throws `invalid` for characters that XML 1.0 does not have, and for structures where a value belongs (D13). */
function checkXmlEncodable(resource: Resource, body: Readonly<Record<string, unknown>>): void {
  const faults = Object.entries(body).flatMap(([field, value]): Fault[] => {
    const known = resource.fields[field];
    const refused = known && isStructure(value) ? structureFault(known, value) : unencodableIn(value);
    return refused === undefined ? [] : [{ field, code: 'malformed', message: refused }];
  });
  if (faults.length > 0) throw invalid(`the ${singular(resource)}`, faults);
}

const isStructure = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What nobody may read is not quoted. */
const structureFault = ({ kind, writeOnly }: Field, value: object): string | undefined =>
  writeOnly ? `is not ${RULES[kind].form}` : refusedBy(kind, value);

function refusedBy(kind: keyof typeof RULES, value: unknown): string | undefined {
  const checked = RULES[kind].check(value);
  return isRefusal(checked) ? checked.refused : undefined;
}

/** Members that the contract does not know may hold others. */
function unencodableIn(value: unknown): string | undefined {
  if (typeof value === 'string') return refusedBy('text', value);
  if (!isStructure(value)) return undefined;
  return Object.values(value)
    .map(unencodableIn)
    .find((refused) => refused !== undefined);
}
