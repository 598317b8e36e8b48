// What went wrong as an answer: status, headers and a problem in the media type that was asked for, with what to do
// next as a link (D27).
import { ERRORS, type ErrorCode, ServiceError } from '../contract/errors.ts';
import { contract, resourceNamed } from '../contract/index.ts';
import { addressOf, type Operation } from '../contract/operation.ts';
import { contentTypeOf, MEDIA_TYPES, type MediaType, negotiate } from '../wire/media.ts';
import { type Link, problemOf, writeProblem } from '../wire/problem.ts';
import { buildPath } from '../wire/route.ts';
import { TooManyLogins } from './limits.ts';
import { PREFIX } from './routing.ts';

interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whoever runs the endpoint has to know of it. */
  readonly isOurFault: boolean;
}

const CHALLENGE = 'Basic realm="pm", charset="UTF-8"';
/** Seconds after which what is busy is worth another try. */
const BUSY_SECONDS = '1';

/** What is told of failures whose own words name files of ours. */
const PUBLIC_MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  busy: 'the database is in use; nothing was changed, and the request can be sent again',
  disk_full: 'the disk of the server is full; nothing was changed',
  storage: 'the database of the server cannot be used',
  unreachable: 'the service behind this server cannot be reached',
  bad_answer: 'the service behind this server did not answer as the service does',
  unknown_outcome: 'the service behind this server did not answer; read the record before the request is sent again',
  internal: 'a defect in the server; its log says more under the ID of this request',
};

/** The codes of what Fastify finds wrong with a request before we see it. */
const FASTIFY_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'the body is larger than what is read'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['media_type', 'the Content-Type is not well-formed'],
};

/** `instance` is the path of the request. */
export function problemAnswer(error: unknown, instance: string, accept: string | undefined): ProblemAnswer {
  const told = publicError(error);
  const problem = problemOf(told, instance, linkOf(told));
  const media = mediaFor(accept);
  return {
    status: problem.status,
    headers: { 'content-type': contentTypeOf(media), ...headersFor(told) },
    body: writeProblem(problem, media),
    isOurFault: problem.status >= 500 && told.code !== 'busy',
  };
}

/** An error that may be told to anybody. */
function publicError(error: unknown): ServiceError {
  const known = error instanceof ServiceError ? error : errorOfFastify(error);
  const isServers = ERRORS[known.code].status >= 500;
  const code = isServers && PUBLIC_MESSAGES[known.code] === undefined ? 'internal' : known.code;
  const words = PUBLIC_MESSAGES[code];
  return words === undefined ? known : new ServiceError(code, words, { cause: error });
}

function errorOfFastify(error: unknown): ServiceError {
  const { code, statusCode } = error instanceof Error ? (error as { code?: unknown; statusCode?: unknown }) : {};
  const [known, words] = FASTIFY_ERRORS[String(code)] ?? ['invalid', 'the request is not well-formed'];
  const isTheirs = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
  return new ServiceError(isTheirs ? known : 'internal', words, { cause: error });
}

/** A refusal is written in what the request accepts, where that can be. */
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
  if (error.code === 'busy') return { 'retry-after': BUSY_SECONDS };
  // The rest of a body that is not read would be taken for the next request.
  return error.code === 'too_large' ? { connection: 'close' } : {};
}

/** Undefined where no address does it. What is not found may be there and not be readable: that has no link either. */
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

/** An address of the operation that takes this ID and nothing else. */
function linkTo(operation: Operation | undefined, by: string, id?: string): Link | undefined {
  const route = operation?.routes[by];
  if (!operation || !route) return undefined;
  const names = addressOf(route).params;
  if (names.length !== (id === undefined ? 0 : 1)) return undefined;
  const params = Object.fromEntries(names.map((name) => [name, id ?? '']));
  const { method, path } = buildPath(operation, { by, params });
  return { method, href: `${PREFIX}${path}` };
}
