// What answers that are no success mean: which server, what it said, and what to do next.
import { type Advised, ERRORS, type ErrorCode, type Fault, ServiceError } from '../contract/errors.ts';
import type { Next } from '../contract/next.ts';
import { clean } from '../text/escape.ts';
import { readProblem, type ServerProblem } from '../wire/problem.ts';
import type { Connection, Request, Response } from './connection.ts';
import type { NoAnswer } from './no-answer.ts';

/** What a request is about, for people. */
export interface PreparedRequest {
  readonly request: Request;
  /** It may change something. */
  readonly writes: boolean;
  /** What shows whether it was done. */
  readonly look: Next;
  /** What brings the record back, if it is a deleted one. */
  readonly undelete?: Next;
}

/** Statuses that say that nothing was done, besides all below 500. */
const NOT_PROCESSED = new Set([501, 503, 505, 507, 511]);
const PROBLEM = 'urn:performance-management:problem:';

/** The error for an answer that is no success. `unsure`: an earlier try may have been carried out. */
export function errorFromResponse(
  connection: Connection,
  prepared: PreparedRequest,
  response: Response,
  unsure = false,
): ServiceError {
  const { status } = response;
  if (status >= 300 && status < 400) return redirectError(connection, prepared, response);
  const { text, told } = problemIn(connection, prepared, response);
  const said = `${statusLine(connection, prepared, response)}${told.detail && `: ${told.detail}`}`;
  if (status >= 500) return serverError(connection, prepared, said, unsure || !NOT_PROCESSED.has(status));
  if (status === 429 || status === 408)
    return new ServiceError(status === 429 ? 'too_many' : 'unreachable', said, {
      next: { do: 'slow-down' },
    });
  const code = codeOf(status, told);
  const details = { faults: told.faults, ...adviceFor(connection, prepared, code) };
  // Our own server says which, what and why; whose words they are is said only of others'.
  if (text.includes(`${PROBLEM}${code}`)) return new ServiceError(code, messageOf(told), details);
  return new ServiceError(code, said, details);
}

/** What the server says, without the secrets that it may repeat: in the text as it came, and in what was read of it. */
export function problemIn(
  connection: Connection,
  { request }: PreparedRequest,
  { status, headers, bytes }: Response,
): { readonly text: string; readonly told: ServerProblem } {
  const redact = connection.redact(request);
  const text = redact(new TextDecoder().decode(bytes));
  const { code, detail, faults } = readProblem(status, headers['content-type'], Buffer.from(text));
  const safe = faults.map(({ hint, ...fault }) => ({
    ...{ ...fault, field: redact(fault.field), message: redact(fault.message) },
    ...(hint === undefined ? {} : { hint: redact(hint) }),
  }));
  return { text, told: { code, detail: redact(detail), faults: safe } };
}

/** The error where there was no answer. */
export function errorFromNoAnswer(connection: Connection, prepared: PreparedRequest, error: NoAnswer): ServiceError {
  const where = `${connection.endpoint.origin} gave no answer to ${requestLine(prepared)}: ${error.message}`;
  if (prepared.writes && error.left) return unknownOutcomeError(connection, prepared, where, error);
  const { profile } = connection.options;
  const next: Next = error.remedy ? { do: error.remedy, name: profile } : { do: 'find-trouble', profile };
  return new ServiceError('unreachable', where, { next, cause: error });
}

/** The error for a success that says nothing that could be understood. */
export function badAnswerError(
  connection: Connection,
  prepared: PreparedRequest,
  what: string,
  cause?: unknown,
): ServiceError {
  const message = `${connection.endpoint.origin} answered ${requestLine(prepared)} with something else than the service would: ${safe(connection, prepared, what)}`;
  if (prepared.writes) return unknownOutcomeError(connection, prepared, message, cause);
  return new ServiceError('bad_answer', message, { ...checkUrl(connection), cause });
}

/** The error for a change of which nobody knows whether it was made. */
export function unknownOutcomeError(
  connection: Connection,
  prepared: PreparedRequest,
  why: string,
  cause?: unknown,
): ServiceError {
  return new ServiceError('unknown_outcome', `it is not known whether the change was made: ${why}`, {
    hint: 'Look before you repeat it.',
    next: { ...prepared.look, profile: connection.options.profile },
    cause,
  });
}

const safe = (connection: Connection, { request }: PreparedRequest, text: string): string =>
  clean(connection.redact(request)(text));

const requestLine = ({ request }: PreparedRequest): string => `${request.method} ${clean(request.path)}`;

const statusLine = (connection: Connection, prepared: PreparedRequest, { status }: Response): string =>
  `${connection.endpoint.origin} answered ${status} to ${requestLine(prepared)}`;

const checkUrl = ({ options }: Connection): Advised => ({ next: { do: 'check-address', name: options.profile } });

function redirectError(connection: Connection, prepared: PreparedRequest, response: Response): ServiceError {
  const to = safe(connection, prepared, response.headers.location ?? 'nowhere');
  return new ServiceError(
    'bad_answer',
    `${statusLine(connection, prepared, response)}, and points to ${to}; pm follows nobody`,
    {
      next: { do: 'set-address', name: connection.options.profile },
    },
  );
}

function serverError(connection: Connection, prepared: PreparedRequest, said: string, maybe: boolean): ServiceError {
  if (prepared.writes && maybe) return unknownOutcomeError(connection, prepared, said);
  return new ServiceError('unreachable', said, { hint: 'Nothing was changed; try again later.' });
}

/** A status that no code is known for is a rejection all the same. */
function codeOf(status: number, { code }: ServerProblem): ErrorCode {
  if (code) return code;
  if (status === 412) return 'drifted';
  return status === 410 ? 'not_found' : 'invalid';
}

/** The sentence of the service; a long one was cut, and is made anew from its faults. */
function messageOf({ detail, faults, code }: ServerProblem): string {
  const first = faults[0];
  const at = first ? detail.indexOf(`: ${faultText(first)}`.slice(0, detail.length)) : -1;
  if (at >= 0) return `${detail.slice(0, at)}: ${faults.map(faultText).join('; ')}`;
  return detail || ERRORS[code ?? 'invalid'].title;
}

const faultText = ({ field, message }: Fault): string => `${field} ${message}`;

function adviceFor(connection: Connection, { undelete }: PreparedRequest, code: ErrorCode): Advised {
  const { profile } = connection.options;
  switch (code) {
    case 'unauthorized':
      return { next: { do: 'log-in', profile } };
    case 'deleted':
      return { next: undelete && { ...undelete, profile } };
    case 'drifted':
      return { hint: 'Read it again, and make the change on what it says now.' };
    case 'not_acceptable':
    case 'media_type':
      return { next: { do: 'switch-wire', wire: connection.options.wire === 'json' ? 'xml' : 'json' } };
    case 'method':
      return checkUrl(connection);
    default:
      return {};
  }
}
