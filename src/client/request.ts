// From an operation and its input to a request, and from a response to records.
import type { Credential, Input } from '../contract/call.ts';
import { type Fault, invalid, ServiceError } from '../contract/errors.ts';
import type { Field } from '../contract/field.ts';
import { resourceNamed } from '../contract/index.ts';
import { isRefusal, RULES, sameID } from '../contract/kinds.ts';
import type { Next } from '../contract/next.ts';
import { addressOf, isParam, type Operation, type Route, routeName } from '../contract/operation.ts';
import { recordAddresses } from '../contract/record-address.ts';
import { type Resource, type Row, singular } from '../contract/resource.ts';
import { NAMESPACE, readList, readRecord, writerOf } from '../wire/codec.ts';
import { answerSyntax, contentTypeOf, type MediaType, type Syntax } from '../wire/media.ts';
import type { MemberOrders } from '../wire/member-order.ts';
import { buildPath } from '../wire/route.ts';
import { answerShape, bodyShape, inOrder, type Members, type WireShape } from '../wire/shape.ts';
import { type Connection, isGood, type Request, type Response } from './connection.ts';
import { type Reroute, setRouteFor, withSite } from './endpoint.ts';
import {
  badAnswerError,
  errorFromResponse,
  noRecordError,
  OTHER_RECORD,
  type PreparedRequest,
  quietRefusalError,
  rethrow,
} from './errors.ts';
import { type EtagCache, learnEtags } from './etags.ts';
import type { RetryResult } from './pace.ts';
import type { Incoming } from './transport.ts';

/** The calls of one session share it. */
export interface ClientContext {
  readonly connection: Connection;
  readonly reroute: Reroute;
  readonly etags: EtagCache;
  /** The site of the caller; empty until that is known. */
  site: string;
  /** Undefined for a login. */
  readonly credential: Credential | undefined;
  /** The XML namespace of requests: that of earlier answers, unless the profile names one. */
  namespace: string | undefined;
  /** The order of the members in XML requests: that of earlier answers. */
  readonly orders: MemberOrders;
  readonly lacking: Set<Route | undefined>;
}

export interface PreparedCall extends PreparedRequest {
  readonly context: ClientContext;
  readonly operation: Operation;
}

/** Builds the request. Throws `invalid` for a value that the path or the body cannot carry. */
export function prepare(context: ClientContext, given: Operation, input: Input): PreparedCall {
  const operation = context.reroute(given);
  const resource = resourceNamed(operation.resource);
  const filled = withSite(operation, input, input.site ?? context.site);
  const { method, path, query } = buildPath(operation, { ...input, params: filled });
  const { params = {}, body } = input;
  const isKept = operation.verb === 'update' || operation.verb === 'delete';
  const match = input.match?.join(', ') ?? (isKept ? context.etags.get(path) : undefined);
  const sent = body && (context.connection.options.dropUnknown ? knownOf(resource, body) : body);
  const isConditional = match !== undefined && operation.verb !== 'create' && !operation.many;
  const media: MediaType = context.connection.options.wire === 'xml' ? 'application/xml' : 'application/json';
  const request: Request = {
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: {
      accept: media,
      ...(sent && { 'content-type': contentTypeOf(media) }),
      ...(isConditional && { 'if-match': match }),
    },
    body: sent && encodedBody(context, resource, media, sent),
    credential: context.credential,
    secrets: secretsIn(resource, body ?? {}),
    record: operation.many || method === 'POST' ? undefined : recordOf(operation, input, path),
    repeatable: operation.repeatable,
  };
  const id = operation.many ? undefined : Object.values(params).at(-1);
  return {
    context,
    connection: context.connection,
    operation,
    request,
    // A login changes no record.
    writes: operation.writes && operation.resource !== 'session',
    look: lookFor(resource, Object.values(params)[0] ?? body?.ID),
    unknown: Object.keys(sent ?? {}).filter((name) => !Object.hasOwn(resource.fields, name)),
    setRoute: setRouteFor(given, input.by, context.connection.options.profile),
    undelete:
      resource.operations.undelete && id !== undefined ? { do: 'undelete', resource: resource.name, id } : undefined,
  };
}

/** Sends a request, with retries. Throws the error for a missing response. */
export const send = (prepared: PreparedRequest): Promise<RetryResult<Response>> =>
  prepared.connection.send(prepared.request).catch((error: unknown) => rethrow(prepared, error));

type Body = NonNullable<Input['body']>;

const knownOf = ({ fields }: Resource, body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(fields, name)));

function encodedBody(
  { connection, namespace = NAMESPACE, orders }: ClientContext,
  resource: Resource,
  media: MediaType,
  body: Body,
): string {
  const shape = bodyShape(resource);
  if (connection.options.wire !== 'xml') return writerOf(media, shape).one(body);
  checkXmlEncodable(resource, body);
  const xmlOrder = orders.of(shape);
  return writerOf(media, xmlOrder ? { ...shape, xmlOrder } : shape, namespace).one(body);
}

const secretsIn = ({ fields }: Resource, body: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(body).flatMap(([name, value]) =>
    fields[name]?.writeOnly && typeof value === 'string' ? [value] : [],
  );

/** The path of the record: it ends with the last parameter of the route and the segment behind it. */
function recordOf(operation: Operation, { by }: Input, path: string): string {
  const route = operation.routes[routeName(operation, by)];
  const end = route ? addressOf(route).segments.findLastIndex(isParam) : -1;
  const segments = path.split('/');
  return end < 0 ? path : segments.slice(0, end + 2).join('/');
}

/** The command that shows the current record. */
export const lookFor = ({ name: resource, operations }: Resource, id: unknown): Next =>
  operations.get && id !== undefined ? { do: 'get', resource, id: String(id) } : { do: 'list', resource };

/** The record of a response. Throws `bad_answer`, or `unknown_outcome` for a change. */
export function recordIn(call: PreparedCall, response: Response): Row {
  if (response.bytes.byteLength === 0) return {};
  const syntax = syntaxOf(call, response);
  const shape = answerShape(call.operation);
  try {
    const row = learned(call, syntax, readRecord(syntax, shape, response.bytes, namespaceLearner(call)));
    if (hasKnown(shape, row) || !saysFailure(row)) return row;
  } catch (error) {
    throw decodeError(call, error);
  }
  throw quietRefusalError(call, response);
}

const hasKnown = ({ fields }: WireShape, row: Row): boolean =>
  Object.keys(row).some((name) => Object.hasOwn(fields, name));

const SUCCESS = /^(is_?)?(success(ful)?|succeeded|ok)$/i;
const FAILURE = /^(is_?)?(errors?|fault|failed|failure)$/i;

/** Does a member say that the request failed, whatever the status is? */
export const saysFailure = (members: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(members).some(([name, value]) =>
    SUCCESS.test(name) ? value === false || value === 'false' : FAILURE.test(name) && isSaid(value),
  );

const isSaid = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : !['', 'false', false, 0, null, undefined].includes(value as string);

/** The records of a list, as they arrive. Throws `bad_answer`. */
export async function* recordsIn(
  call: PreparedCall,
  response: Incoming | Response,
  onWrapper?: (members: Members) => void,
): AsyncGenerator<Row> {
  if (response.status === 204) return discard(response);
  const syntax = syntaxOf(call, response);
  const shape = answerShape(call.operation);
  const chunks = 'bytes' in response ? [response.bytes] : response.body;
  try {
    for await (const row of readList(syntax, shape, chunks, namespaceLearner(call), onWrapper)) {
      if (hasKnown(shape, row)) yield learned(call, syntax, row);
      else if (syntax === 'json' || Object.values(row).some(isSaid))
        throw badAnswerError(call, 'the list holds something that is not a record');
    }
  } catch (error) {
    throw decodeError(call, error);
  } finally {
    discard(response);
  }
}

const decodeError = (call: PreparedCall, error: unknown): unknown =>
  error instanceof ServiceError && error.code === 'invalid' ? badAnswerError(call, error.message, error) : error;

function discard(response: Incoming | Response): void {
  if ('discard' in response) response.discard();
}

/** The record. Of XML its order of members is learned; members that XML orders otherwise come in the order of the contract. */
function learned({ context, operation }: PreparedCall, syntax: Syntax, row: Row): Row {
  const shape = answerShape(operation);
  if (syntax === 'xml') context.orders.learn(shape, Object.keys(row));
  return shape.xmlOrder ? inOrder(Object.keys(shape.fields), row) : row;
}

/** Learns the namespace of records. A session token has another namespace. */
const namespaceLearner =
  ({ context, operation }: PreparedCall) =>
  (namespace: string): void => {
    if (context.connection.options.namespace === undefined && operation.resource !== 'session')
      context.namespace = namespace;
  };

/** The syntax of a response; without a Content-Type that of the request. */
function syntaxOf(call: PreparedCall, response: Response | Incoming): Syntax {
  const { 'content-type': type, 'content-encoding': coding } = response.headers;
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    throw badAnswerError(call, `it is compressed (${coding}), which pm did not ask for`);
  const syntax = type === undefined ? call.connection.options.wire : answerSyntax(type);
  if (syntax) return syntax;
  if ('bytes' in response) throw errorFromResponse(call, response);
  discard(response);
  throw badAnswerError(call, type ?? '');
}

/** Reads one record. Throws `not_found` where the answer has none, and `bad_answer` where it has another one (D40). */
export async function read(context: ClientContext, { operation, input }: GetCall): Promise<Row> {
  const call = prepare(context, operation, input);
  const { response } = await send(call);
  if (!isGood(response.status)) throw errorFromResponse(call, response);
  const row = recordIn(call, response);
  if (operation.answers) return row;
  if (Object.keys(row).length === 0) throw noRecordError(call, response);
  const addresses = recordAddresses(resourceNamed(operation.resource), operation);
  const { own } = addresses.find(({ by }) => by === (input.by ?? 'plain')) ?? {};
  const id = own === undefined ? undefined : input.params?.[own];
  if (id !== undefined && !sameID(row.ID, id))
    throw badAnswerError(call, row.ID == null ? 'a record without an ID' : `another record, ${row.ID}`, OTHER_RECORD);
  keepEtag(call, response, row);
  return row;
}

export function keepEtag(call: PreparedCall, { headers: { etag } }: Response, row: Row): void {
  call.context.etags.keep(call.request.path.replace(/\?.*$/s, ''), etag);
  learnEtags(call.context.etags, call.operation, row, etag);
}

/** A call that reads one record. */
interface GetCall {
  readonly operation: Operation;
  readonly input: Input;
}

/** Reads a new record by its ID; undefined if no route does. */
export function getCallByID(operation: Operation, id: string): GetCall | undefined {
  const { get } = resourceNamed(operation.resource).operations;
  const [name, ...more] = get?.routes.plain ? addressOf(get.routes.plain).params : [];
  if (!get || name === undefined || more.length > 0) return undefined;
  return { operation: get, input: { by: 'plain', params: { [name]: id } } };
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

/** Secret values are not quoted. */
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
