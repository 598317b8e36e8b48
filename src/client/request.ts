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
import type { Line, Request, Whole } from './connection.ts';
import { type About, badAnswer, toldBy } from './refusals.ts';
import type { Rerouted } from './routes.ts';
import type { Incoming } from './transport.ts';

/** What the calls of one session share. */
export interface Talk {
  readonly line: Line;
  readonly rerouted: Rerouted;
  /** Nobody, while somebody logs in. */
  readonly credential: Credential | undefined;
  /** The XML namespace of requests: learned from answers where the profile names none. */
  namespace: string | undefined;
}

/** A request with what people are told of it. */
export function aboutOf(talk: Talk, given: Operation, input: Input): About {
  const operation = talk.rerouted(given);
  const resource = resourceNamed(operation.resource);
  const { method, path, query } = buildPath(operation, input);
  const request: Request = {
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: headersFor(talk, input),
    body: input.body && written(talk, resource, input.body),
    credential: talk.credential,
    secrets: secretsIn(resource, input.body ?? {}),
    record: operation.many || method === 'POST' ? undefined : recordOf(operation, input, path),
    repeatable: operation.repeatable,
  };
  const id = operation.many ? undefined : Object.values(input.params ?? {}).at(-1);
  const undelete: Next | undefined =
    resource.operations.undelete && id !== undefined ? { do: 'undelete', resource: resource.name, id } : undefined;
  return { request, writes: operation.writes, look: lookFor(resource, input), ...(undelete && { undelete }) };
}

const mediaOf = ({ line }: Talk): MediaType => (line.options.wire === 'xml' ? 'application/xml' : 'application/json');

function written(talk: Talk, resource: Resource, body: NonNullable<Input['body']>): string {
  const media = mediaOf(talk);
  if (talk.line.options.wire === 'xml') checkSayable(resource, body);
  return writerOf(media, bodyShape(resource), talk.namespace ?? NAMESPACE).one(body);
}

function headersFor(talk: Talk, { body }: Input): Record<string, string> {
  const media = mediaOf(talk);
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
export const matching = (about: About, match: string | undefined): About =>
  match === undefined
    ? about
    : { ...about, request: { ...about.request, headers: { ...about.request.headers, 'if-match': match } } };

/** What shows the record as it stands now. */
function lookFor({ name: resource, operations }: Resource, { params, body }: Input): Next {
  const id = Object.values(params ?? {})[0] ?? body?.ID;
  return operations.get && id !== undefined ? { do: 'get', resource, id: String(id) } : { do: 'list', resource };
}

/** The one record of an answer. Throws `bad_answer`, or `unknown_outcome` for a change. */
export function recordIn(talk: Talk, about: About, operation: Operation, whole: Whole): Row {
  if (whole.bytes.byteLength === 0) return {};
  const syntax = syntaxOf(talk, about, whole);
  const shape = answerShape(operation);
  return understood(talk, about, () => inOrder(shape, readRecord(syntax, shape, whole.bytes, learn(talk, operation))));
}

/** The records of a list, as they arrive. Throws `bad_answer`. */
export async function* recordsIn(
  talk: Talk,
  about: About,
  operation: Operation,
  incoming: Incoming,
): AsyncGenerator<Row> {
  if (incoming.status === 204) return incoming.discard();
  const syntax = syntaxOf(talk, about, incoming);
  const shape = answerShape(operation);
  try {
    for await (const row of readList(syntax, shape, incoming.body, learn(talk, operation))) yield inOrder(shape, row);
  } catch (error) {
    throw error instanceof ServiceError ? badAnswer(talk.line, about, error.message, error) : error;
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
const learn = (talk: Talk, operation: Operation) => (namespace: string) => {
  if (talk.line.options.namespace === undefined && operation.resource !== 'session') talk.namespace = namespace;
};

function understood<T>(talk: Talk, about: About, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ServiceError ? badAnswer(talk.line, about, error.message, error) : error;
  }
}

/** How an answer is spelled; one without a type is taken to be in the syntax that was asked for. */
function syntaxOf(talk: Talk, about: About, answer: Whole | Incoming): Syntax {
  const { 'content-type': type, 'content-encoding': coding } = answer.headers;
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    throw badAnswer(talk.line, about, `it is packed (${coding}), which was not asked for`);
  const syntax = type === undefined ? talk.line.options.wire : answerSyntax(type);
  if (syntax) return syntax;
  if ('discard' in answer) answer.discard();
  const words = 'bytes' in answer ? toldBy(talk.line, about, answer).told.detail : '';
  throw badAnswer(talk.line, about, `${type ?? ''}${words && `: ${words}`}`);
}

/** The address at which a record that an operation writes can be read alone, where there is one. */
export function readingOf(operation: Operation, input: Input): { operation: Operation; input: Input } | undefined {
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
export function readingByID(operation: Operation, id: string): { operation: Operation; input: Input } | undefined {
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
function checkSayable(resource: Resource, body: Readonly<Record<string, unknown>>): void {
  const faults = Object.entries(body).flatMap(([field, value]): Fault[] => {
    const known = resource.fields[field];
    const refused = known && isStructure(value) ? notA(known, value) : unfitIn(value);
    return refused === undefined ? [] : [{ field, code: 'malformed', message: refused }];
  });
  if (faults.length > 0) throw invalid(`the ${singular(resource)}`, faults);
}

const isStructure = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What nobody may read is not quoted. */
const notA = ({ kind, writeOnly }: Field, value: object): string | undefined =>
  writeOnly ? `is not ${RULES[kind].form}` : refusedBy(kind, value);

function refusedBy(kind: keyof typeof RULES, value: unknown): string | undefined {
  const checked = RULES[kind].check(value);
  return isRefusal(checked) ? checked.refused : undefined;
}

/** Members that the contract does not know may hold others. */
function unfitIn(value: unknown): string | undefined {
  if (typeof value === 'string') return refusedBy('text', value);
  if (!isStructure(value)) return undefined;
  return Object.values(value)
    .map(unfitIn)
    .find((refused) => refused !== undefined);
}
