// Finds the operation that a request below /v4 calls, and answers it: reads the body, calls the session and writes the
// answer; long lists are streamed.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Backend, Credential, Input, Session } from '../contract/call.ts';
import { ServiceError, unsupported } from '../contract/errors.ts';
import { etagOf } from '../contract/etag.ts';
import { contract, resourceNamed } from '../contract/index.ts';
import { addressOf, type Operation, takesBody } from '../contract/operation.ts';
import type { Row } from '../contract/resource.ts';
import { validate } from '../contract/validate.ts';
import { NAMESPACE, readBody, writerOf } from '../wire/codec.ts';
import { bodyMedia, contentTypeOf, type MediaType, type Syntax, syntaxOf } from '../wire/media.ts';
import { type Match, matchRoute } from '../wire/route.ts';
import { answerShape, bodyShape, type Members, type WireShape, type Writer } from '../wire/shape.ts';
import type { LoginLimiter } from './login-limiter.ts';

/** The path of the service. */
export const PREFIX = '/v4';

const LOGIN = addressOf(contract.session.operations.login.routes.plain);

/** The target without the prefix; undefined if it is not below the prefix. */
export function belowPrefix(target: string): string | undefined {
  const rest = target.slice(PREFIX.length);
  return target.slice(0, PREFIX.length).toLowerCase() === PREFIX && /^($|[/?])/.test(rest) ? rest : undefined;
}

export const isLogin = (method: string, target: string): boolean => method === LOGIN.method && isLoginPath(target);

/**
 * The operation at a target below the prefix; HEAD finds the one of GET. Sets the header Allow for another method.
 * Throws `not_found`, `method`, `unsupported`, and `invalid` for a malformed target.
 */
export function operationAt(
  method: string,
  target: string,
  reply: FastifyReply,
): { operation: Operation; input: Input } {
  const match = isLoginPath(target) ? NOT_A_LOGIN : matchRoute(method === 'HEAD' ? 'GET' : method, target);
  if (match.kind === 'found') return match;
  if (match.kind === 'no-path')
    throw new ServiceError('not_found', 'the service has no such address; /openapi.json lists those there are');
  const allow = match.allow.flatMap((one) => (one === 'GET' ? [one, 'HEAD'] : one)).join(', ');
  reply.header('allow', allow);
  if (match.kind === 'unsupported') throw unsupported(match.operation.resource, match.operation.name);
  throw new ServiceError('method', `this address does not answer ${method}; it answers ${allow || 'none'}`);
}

const NOT_A_LOGIN: Match = { kind: 'wrong-method', allow: [LOGIN.method] };

const isLoginPath = (target: string): boolean => target.replace(/\/?(\?.*)?$/s, '').toLowerCase() === LOGIN.path;

/** A request whose body is not read yet. */
export type Call = { readonly kind: 'login'; readonly media: MediaType } | OperationCall;

interface OperationCall {
  readonly kind: 'operation';
  readonly media: MediaType;
  readonly session: Session;
  readonly operation: Operation;
  readonly input: Input;
}

const { login } = contract.session.operations;
/** The token's XML has a namespace of its own. */
const LOGIN_NAMESPACE = `${NAMESPACE}:common`;
const ETAG = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/**
 * Answers one operation; `broken` takes the error of a list that broke off after its first bytes.
 * Throws what the session throws, and `media_type` or `invalid` for a body that cannot be read.
 */
export async function answerOperation(
  { session, operation, input, media }: OperationCall,
  request: FastifyRequest,
  reply: FastifyReply,
  broken: (error: unknown) => void,
): Promise<FastifyReply> {
  const writer = cachedWriter(operation, media);
  reply.type(contentTypeOf(media));
  const withBody = takesBody(operation)
    ? { ...input, body: bodyOf(request, bodyShape(resourceNamed(operation.resource))) }
    : input;
  if (operation.many) return reply.send(await listBody(writer, session.list(operation, withBody), broken));
  const row = await session.call(operation, { ...withBody, ...matchOf(operation, request) });
  if (!operation.answers && Object.keys(row).length > 0)
    reply.header('etag', etagOf(resourceNamed(operation.resource), row));
  return reply.send(writer.one(row));
}

/** Answers a login. Throws `unauthorized`, `feature_off`, `too_many`, and `media_type` or `invalid` for the body. */
export async function answerLogin(
  backend: Backend,
  limiter: LoginLimiter,
  media: MediaType,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const credential = credentialIn(request);
  const row = await backend.login(credential, limiter.guard(credential.login, request.ip));
  const writer = writerOf(media, answerShape(login), LOGIN_NAMESPACE);
  return reply.type(contentTypeOf(media)).send(writer.one(row));
}

function credentialIn(request: FastifyRequest): Credential {
  const shape = bodyShape(contract.session);
  const { values } = validate({ fields: shape.fields, what: 'the login' }, bodyOf(request, shape), 'create');
  return { login: String(values.UserName), password: String(values.Password) };
}

const EMPTY = new Uint8Array();

const bodyOf = ({ headers, body }: FastifyRequest, shape: WireShape): Members =>
  readBody(bodyMedia(headers['content-type']), shape, Buffer.isBuffer(body) ? body : EMPTY);

/** One ETag; a weak one never matches, and a star means any current record. */
function matchOf(operation: Operation, { headers }: FastifyRequest): { readonly match?: string } {
  const given = headers['if-match']?.trim();
  if (!operation.writes || given === undefined || given === '*') return {};
  if (ETAG.test(given)) return { match: given };
  throw new ServiceError('invalid', 'the header If-Match is not one ETag in its quotes, as an answer carries it');
}

const writers: Readonly<Record<Syntax, WeakMap<Operation, Writer>>> = { json: new WeakMap(), xml: new WeakMap() };

function cachedWriter(operation: Operation, media: MediaType): Writer {
  const cache = writers[syntaxOf(media)];
  const writer = cache.get(operation) ?? writerOf(media, answerShape(operation));
  cache.set(operation, writer);
  return writer;
}

/** Characters of one piece. */
const PIECE = 64 * 1024;

/** The whole text if it fits into one piece, else a stream. Throws what the list throws before the first piece. */
async function listBody(
  writer: Writer,
  rows: AsyncIterable<Row>,
  broken: (error: unknown) => void,
): Promise<string | Readable> {
  const pieces = piecesOf(writer, rows);
  const first = await pieces.next();
  if (first.done) return first.value;
  const stream = Readable.from(resumed(first.value, pieces), { objectMode: false });
  // Ends the list even if nothing was read: a generator that never began would not.
  return stream.once('error', broken).once('close', () => void pieces.return('').catch(broken));
}

type Pieces = AsyncGenerator<string, string>;

/** Yields full pieces and returns the last one. */
async function* piecesOf(writer: Writer, rows: AsyncIterable<Row>): Pieces {
  let text = writer.opening;
  let between = '';
  for await (const row of rows) {
    text += between + writer.member(row);
    between = writer.between;
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  return text + writer.closing;
}

async function* resumed(first: string, pieces: Pieces): AsyncGenerator<string> {
  yield first;
  const last = yield* pieces;
  yield last;
}
