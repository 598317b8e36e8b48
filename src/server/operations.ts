// Answers an operation: reads the body, calls the session and writes the answer; long lists are streamed.
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Backend, Credential, Input, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { contract, resourceNamed } from '../contract/index.ts';
import { type Operation, takesBody } from '../contract/operation.ts';
import type { Row } from '../contract/resource.ts';
import { etagOf } from '../contract/same-values.ts';
import { validate } from '../contract/validate.ts';
import { valueAt } from '../text/once-per.ts';
import { readBody, tokenNamespace, writerOf } from '../wire/codec.ts';
import { bodyMedia, contentTypeOf, type MediaType, type Syntax, syntaxOf } from '../wire/media.ts';
import { answerShape, bodyShape, type Members, type WireShape, type Writer } from '../wire/shape.ts';
import type { LoginLimiter } from './login-limiter.ts';

/** A request without its body, which is read later. */
export type Call =
  | { readonly kind: 'options'; readonly allow: string }
  | { readonly kind: 'login'; readonly media: MediaType }
  | OperationCall;

interface OperationCall {
  readonly kind: 'operation';
  readonly media: MediaType;
  readonly session: Session;
  readonly operation: Operation;
  readonly input: Input;
}

const { login } = contract.session.operations;

export interface Endpoint {
  readonly backend: Backend;
  readonly limiter: LoginLimiter;
  readonly namespace: string;
  writerFor(operation: Operation, media: MediaType): Writer;
  /** When an answer is to be sent; undefined for now. */
  whenToSend(): Promise<void> | undefined;
  /** Takes the error of a list that broke off after its first bytes. */
  logError(request: FastifyRequest, error: unknown): void;
}

/** The body of an answer; undefined for none. */
export type Sent = string | Readable | undefined;

/**
 * Calls one operation and answers the body to be sent. Throws the errors of the session, and `media_type` or `invalid` for a
 * body that cannot be read.
 */
export async function answerOperation(
  { namespace, writerFor, whenToSend, logError }: Endpoint,
  { session, operation, input, media }: OperationCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Sent> {
  const writer = writerFor(operation, media);
  const withBody = takesBody(operation)
    ? { ...input, body: bodyOf(request, bodyShape(resourceNamed(operation.resource)), namespace) }
    : input;
  if (operation.many) {
    const body = await listBody(writer, session.list(operation, withBody), (error) => logError(request, error));
    await whenToSend();
    reply.type(contentTypeOf(media));
    return body;
  }
  const row = await session.call(operation, { ...withBody, ...matchIn(operation, request.headers) });
  await whenToSend();
  const etag = tagOf(operation, row);
  if (etag !== undefined) reply.header('etag', etag);
  if (!operation.writes && isUnchanged(etag, request.headers)) {
    reply.code(304);
    return undefined;
  }
  reply.type(contentTypeOf(media));
  return writer.one(row);
}

/** Logs in and answers the body to be sent. Throws `unauthorized`, `feature_off`, `too_many`, and `media_type` or `invalid` for the body. */
export async function answerLogin(
  { backend, limiter, namespace }: Endpoint,
  media: MediaType,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Sent> {
  const credential = credentialIn(request, namespace);
  const row = await backend.login(credential, limiter.guard(credential.login, request.ip));
  const writer = writerOf(media, answerShape(login), tokenNamespace(namespace));
  reply.type(contentTypeOf(media));
  return writer.one(row);
}

function credentialIn(request: FastifyRequest, namespace: string): Credential {
  const shape = bodyShape(contract.session);
  const { values } = validate({ fields: shape.fields, what: 'the login' }, bodyOf(request, shape, namespace), 'create');
  return { login: String(values.UserName), password: String(values.Password) };
}

const EMPTY = new Uint8Array();

function bodyOf({ headers, body }: FastifyRequest, shape: WireShape, namespace: string): Members {
  const media = bodyMedia(headers['content-type'], headers['content-encoding']);
  return readBody(media, shape, Buffer.isBuffer(body) ? body : EMPTY, namespace);
}

/** Makes the writer of an operation once for each syntax. */
export function cachedWriters(namespace: string): Endpoint['writerFor'] {
  const writers: Readonly<Record<Syntax, Map<Operation, Writer>>> = { json: new Map(), xml: new Map() };
  return (operation, media) =>
    valueAt(writers[syntaxOf(media)], operation, () => writerOf(media, answerShape(operation), namespace));
}

/**
 * The first answer of a turn of the event loop is sent at once, the others of that turn together at its end. An answer that
 * finds its client asleep has to wake it, and that costs as much as the answer: those that follow find it at work.
 */
export function sendingTogether(): Endpoint['whenToSend'] {
  let turn: Promise<void> | undefined;
  return () => {
    if (turn) return turn;
    turn = endOfTurn().then(() => {
      turn = undefined;
    });
    return undefined;
  };
}

/** Characters of one piece. */
const PIECE = 64 * 1024;

/** The whole text if it fits into one piece, else a stream. Throws the errors of the list up to the first piece. */
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

/** The ETag of a record; undefined for an answer that is none. */
const tagOf = (operation: Operation, row: Row): string | undefined =>
  operation.answers || Object.keys(row).length === 0 ? undefined : etagOf(resourceNamed(operation.resource), row);

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
/** The rest of a list without its tags. */
const BETWEEN = /^[ \t,]*$/;

/**
 * The ETags of which the record must have one to be changed. A weak one fits none, and a star any record.
 * Throws `invalid` for a malformed If-Match, and for a change with If-None-Match; `drifted` where all of them are weak.
 */
function matchIn(operation: Operation, headers: IncomingHttpHeaders): { readonly match?: readonly string[] } {
  if (!operation.writes || operation.verb === 'create') return {};
  if (headers['if-none-match'] !== undefined)
    throw new ServiceError('invalid', 'the header If-None-Match is for reading; a change is made under If-Match');
  const given = headers['if-match']?.trim();
  if (given === undefined || given === '*') return {};
  const tags = tagsIn(given);
  if (tags.length > 0 && tags.every((tag) => tag.startsWith('W/')))
    throw new ServiceError(
      'drifted',
      'If-Match holds only weak ETags, which a proxy makes that compresses answers (gzip); nothing was changed',
      {
        hint: 'Let the proxy pass the answers of this service on as they are.',
      },
    );
  if (tags.length > 0) return { match: tags };
  throw new ServiceError('invalid', 'the header If-Match holds no ETags in their quotes, as answers carry them');
}

/** Does the caller have the record with this ETag already? A star means any; a malformed If-None-Match none. */
function isUnchanged(etag: string | undefined, headers: IncomingHttpHeaders): boolean {
  const given = headers['if-none-match']?.trim();
  if (etag === undefined || given === undefined) return false;
  return given === '*' || tagsIn(given).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** The ETags of a list; none for a malformed one. */
const tagsIn = (list: string): readonly string[] =>
  BETWEEN.test(list.replace(TAG, '')) ? [...list.matchAll(TAG)].map(([tag]) => tag) : [];
