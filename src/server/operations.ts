// One operation of the contract over HTTP: the body in, the call, the answer out; lists in pieces, never held whole.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Backend } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { etagOf } from '../contract/etag.ts';
import { contract, resourceNamed } from '../contract/index.ts';
import { type Operation, takesBody } from '../contract/operation.ts';
import type { Row } from '../contract/resource.ts';
import { validate } from '../contract/validate.ts';
import { NAMESPACE, readBody, writerOf } from '../wire/codec.ts';
import { bodyMedia, contentTypeOf, type MediaType } from '../wire/media.ts';
import { answerShape, bodyShape, type Members, type Writer } from '../wire/shape.ts';
import type { Call } from './authenticate.ts';

/** What a request brings besides its address. */
export interface Brought {
  readonly contentType: string | undefined;
  readonly ifMatch: string | undefined;
  /** Undefined where it has no body. */
  readonly bytes: Uint8Array | undefined;
}

const { login } = contract.session.operations;
/** The token's XML has a namespace of its own. */
const LOGIN_NAMESPACE = `${NAMESPACE}:common`;
const ETAG = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/**
 * Answers one operation; `broken` is told why a list broke off behind its first bytes.
 * Throws what the session throws, and `media_type` or `invalid` for a body that cannot be read.
 */
export async function answerOperation(
  { session, operation, input, media }: Call,
  brought: Brought,
  reply: FastifyReply,
  broken: (error: unknown) => void,
): Promise<FastifyReply> {
  const writer = cachedWriter(operation, media);
  reply.type(contentTypeOf(media));
  if (operation.many) {
    const text = await listText(writer, session.list(operation, { ...input, ...bodyOf(operation, brought) }));
    if (typeof text === 'string') return reply.send(text);
    return reply.send(Readable.from(text, { objectMode: false }).once('error', broken));
  }
  const row = await session.call(operation, {
    ...input,
    ...bodyOf(operation, brought),
    ...matchOf(operation, brought),
  });
  if (!operation.answers && Object.keys(row).length > 0)
    reply.header('etag', etagOf(resourceNamed(operation.resource), row));
  return reply.send(writer.one(row));
}

/** The user name and password in the body of a login. Throws `media_type` or `invalid`. */
export function loginIn({ contentType, bytes }: Brought): { readonly login: string; readonly password: string } {
  const shape = bodyShape(contract.session);
  const members = readBody(bodyMedia(contentType), shape, bytes ?? NOTHING);
  const { values } = validate({ fields: shape.fields, what: 'the login' }, members, 'create');
  return { login: String(values.UserName), password: String(values.Password) };
}

/** Answers a login. Throws `unauthorized` or `feature_off`. */
export async function answerLogin(
  backend: Backend,
  credential: ReturnType<typeof loginIn>,
  media: MediaType,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const row: Row = await backend.login(credential);
  const writer = writerOf(media, answerShape(login), LOGIN_NAMESPACE);
  return reply.type(contentTypeOf(media)).send(writer.one(row));
}

const NOTHING = new Uint8Array();

function bodyOf(operation: Operation, { contentType, bytes }: Brought): { readonly body?: Members } {
  if (!takesBody(operation)) return {};
  const shape = bodyShape(resourceNamed(operation.resource));
  return { body: readBody(bodyMedia(contentType), shape, bytes ?? NOTHING) };
}

/** One ETag, which may be weak and then fits nothing; a star asks only that there is a record. */
function matchOf(operation: Operation, { ifMatch }: Brought): { readonly match?: string } {
  const given = ifMatch?.trim();
  if (!operation.writes || given === undefined || given === '*') return {};
  if (ETAG.test(given)) return { match: given };
  throw new ServiceError('invalid', 'the header If-Match is not one ETag in its quotes, as an answer carries it');
}

const writers = new WeakMap<Operation, Map<MediaType, Writer>>();

function cachedWriter(operation: Operation, media: MediaType): Writer {
  const known = writers.get(operation) ?? new Map<MediaType, Writer>();
  writers.set(operation, known);
  const writer = known.get(media) ?? writerOf(media, answerShape(operation));
  known.set(media, writer);
  return writer;
}

/** Characters of one piece. */
const PIECE = 64 * 1024;

/** The whole text where it fits into one piece, else its pieces. Throws what the list throws at its beginning. */
async function listText(writer: Writer, rows: AsyncIterable<Row>): Promise<string | AsyncIterable<string>> {
  const pieces = piecesOf(writer, rows);
  const first = await pieces.next();
  return first.done ? first.value : resumed(first.value, pieces);
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

/** By hand, since a generator that never began could not end the list, which would keep its connection. */
function resumed(first: string, pieces: Pieces): AsyncIterable<string> {
  let waiting: string | undefined = first;
  let isOver = false;
  const next = async (): Promise<IteratorResult<string, undefined>> => {
    if (isOver) return { done: true, value: undefined };
    const value = waiting;
    waiting = undefined;
    if (value !== undefined) return { done: false, value };
    const piece = await pieces.next();
    isOver = piece.done === true;
    return { done: false, value: piece.value };
  };
  const end = async (): Promise<IteratorResult<string, undefined>> => {
    isOver = true;
    await pieces.return('');
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
}
