// The answer for an error: status, headers and a problem in an accepted media type, with a link to the next step (D27).
import { ERRORS, type ErrorCode, ServiceError } from '../contract/errors.ts';
import { contract, resourceNamed } from '../contract/index.ts';
import { addressOf, type Operation } from '../contract/operation.ts';
import { LIMITS } from '../wire/gate.ts';
import { contentTypeOf, MEDIA_TYPES, type MediaType, negotiate, SERVED } from '../wire/media.ts';
import { type Link, problemOf, writeProblem } from '../wire/problem.ts';
import { buildPath } from '../wire/route.ts';
import { TooManyLogins } from './login-limiter.ts';
import { PREFIX } from './routing.ts';

const CHALLENGE = 'Basic realm="pm", charset="UTF-8"';
/** Retry-After in seconds: of a database that is busy or was replaced, and of too much to do. */
const BUSY_SECONDS = '1';
const OVERLOADED_SECONDS = '5';
/** They pass by themselves, and are no defects. */
const PASSING: readonly ErrorCode[] = ['busy', 'overloaded'];

/** Public messages, where those of the errors may name files of the server. */
const PUBLIC_MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  busy: 'the database is in use; nothing was changed, and the request can be sent again',
  disk_full: 'the disk of the server is full; nothing was changed',
  overloaded: 'the server has too much to do; nothing was changed, and the request can be sent again',
  replaced: 'the database file of the server was deleted or replaced; nothing was changed in the new one',
  storage: 'the database of the server cannot be used',
  unreachable: 'the service behind this server cannot be reached',
  bad_answer: 'the service behind this server did not answer as the service does',
  unknown_outcome: 'the service behind this server did not answer; read the record before the request is sent again',
  internal: 'a defect in the server; its log says more under the ID of this request',
};

const FASTIFY_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', `the body is larger than ${LIMITS.body} bytes, the most that is read`],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['media_type', `the Content-Type is not well-formed; bodies are read as ${SERVED}`],
};

/** `instance`: the path of the request. */
export function problemAnswer(error: unknown, instance: string, accept: string | undefined, namespace: string) {
  const shown = publicError(error);
  const problem = problemOf(shown, instance, linkOf(shown));
  const media = mediaFor(accept);
  return {
    status: problem.status,
    headers: { 'content-type': contentTypeOf(media), vary: 'Accept', ...headersFor(shown) },
    body: writeProblem(problem, media, namespace),
    /** It belongs in the log. */
    isOurFault: problem.status >= 500 && !PASSING.includes(shown.code),
  };
}

/** The error without internal details. */
function publicError(error: unknown): ServiceError {
  const known = error instanceof ServiceError ? error : errorOfFastify(error);
  const isServers = ERRORS[known.code].status >= 500;
  const code = isServers && PUBLIC_MESSAGES[known.code] === undefined ? 'internal' : known.code;
  const message = PUBLIC_MESSAGES[code];
  return message === undefined ? known : new ServiceError(code, message, { cause: error });
}

function errorOfFastify(error: unknown): ServiceError {
  const { code, statusCode } = error instanceof Error ? (error as { code?: unknown; statusCode?: unknown }) : {};
  const [known, message] = FASTIFY_ERRORS[String(code)] ?? ['invalid', 'the request is not well-formed'];
  const isTheirs = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
  return new ServiceError(isTheirs ? known : 'internal', message, { cause: error });
}

/** An error is answered even if no media type is acceptable. */
function mediaFor(accept: string | undefined): MediaType {
  try {
    return negotiate(accept);
  } catch {
    return MEDIA_TYPES[0];
  }
}

function headersFor(error: ServiceError): Record<string, string> {
  if (error instanceof TooManyLogins) return { 'retry-after': String(error.retryAfter) };
  if (error.code === 'unauthorized') return { 'www-authenticate': CHALLENGE };
  if (error.code === 'busy' || error.code === 'replaced') return { 'retry-after': BUSY_SECONDS };
  if (error.code === 'overloaded') return { 'retry-after': OVERLOADED_SECONDS };
  // Otherwise the unread rest of the body would be parsed as the next request.
  return error.code === 'too_large' ? { connection: 'close' } : {};
}

/** Undefined if no address does it. `not_found` has no link: the record may exist and be unreadable. */
export function linkOf({ code, next }: ServiceError): Link | undefined {
  if (!next || code === 'not_found') return undefined;
  switch (next.do) {
    case 'get':
    case 'undelete':
      return linkTo(resourceNamed(next.resource).operations[next.do], 'plain', next.id);
    case 'list':
      return linkTo(resourceNamed(next.resource).operations.list, next.within?.resource ?? 'plain', next.within?.id);
    case 'log-in':
      return linkTo(contract.session.operations.login, 'plain');
    default:
      return undefined;
  }
}

/** The address of an operation, where this ID is its only parameter. */
function linkTo(operation: Operation | undefined, by: string, id?: string): Link | undefined {
  const route = operation?.routes[by];
  if (!operation || !route) return undefined;
  const names = addressOf(route).params;
  if (names.length !== (id === undefined ? 0 : 1)) return undefined;
  const params = Object.fromEntries(names.map((name) => [name, id ?? '']));
  const { method, path } = buildPath(operation, { by, params });
  return { method, href: `${PREFIX}${path}` };
}
