// The errors of failed requests: they name the server, its words, and the next step.
import { type Advised, ERRORS, type ErrorCode, type Fault, ServiceError } from '../contract/errors.ts';
import type { Next } from '../contract/next.ts';
import { clean } from '../text/escape.ts';
import { readProblem, type ServerProblem } from '../wire/problem.ts';
import type { Connection, Request, Response } from './connection.ts';
import { isLoginPage, isPage } from './login-page.ts';
import { NoAnswer } from './no-answer.ts';

/** A request with all that its errors say about it. */
export interface PreparedRequest {
  readonly connection: Connection;
  readonly request: Request;
  /** It may change something. */
  readonly writes: boolean;
  /** Shows whether the change was made. */
  readonly look: Next;
  /** The members of the body that the contract does not know. */
  readonly unknown?: readonly string[];
  /** Brings the record back if it is deleted. */
  readonly undelete?: Next | undefined;
  /** Says another address of the operation, where that of the contract is not certain. */
  readonly setRoute?: Next | undefined;
}

/** Server errors after which nothing was done. */
const NOTHING_DONE = new Set([501, 505, 507, 511]);
const PROBLEM = 'urn:performance-management:problem:';

/** The words of frameworks for an address that they do not have. For a missing record they have others, or none. */
const MISSING_ROUTE =
  /no http resource was found|no (type|action) was found (that|on the controller)|no route (matches|found|for)|(route|endpoint|url) (was )?not found|cannot (get|post|put|delete) \//i;

/** Statuses that say something of one record where the service itself answers them. */
const OF_RECORDS = new Set([403, 404, 410]);
/** The plain text of proxies for an address that leads nowhere. */
const PROXY_TEXT = /^\s*(404 page not found|default backend - 404|no (available server|healthy upstream))\s*$/i;

/**
 * The error for a response that is no success, or a success of a media type that is not read. `unsure`: an earlier try may
 * have been carried out, and this one refused for that.
 */
export function errorFromResponse(prepared: PreparedRequest, response: Response, unsure = false): ServiceError {
  const refusal = refusalIn(prepared, response);
  if (!unsure || !prepared.writes || refusal.code === 'unknown_outcome') return refusal;
  return unknownOutcomeError(prepared, `a first try had no answer, and to a second one: ${refusal.message}`, refusal);
}

function refusalIn(prepared: PreparedRequest, response: Response): ServiceError {
  const { status } = response;
  if (isLoginPage(response)) return loginPageError(prepared, response);
  if (status >= 300 && status < 400) return redirectError(prepared, response);
  const { text, problem } = problemIn(prepared, response);
  const detail = problem.detail && `: ${problem.detail}`;
  if (status < 300) return badAnswerError(prepared, `${response.headers['content-type'] ?? ''}${detail}`);
  const message = `${statusLine(prepared, response)}${detail}`;
  if (status >= 500 && status !== 503) return serverError(prepared, message, !NOTHING_DONE.has(status));
  if (status === 503 || status === 429 || status === 408) return busyError(prepared, status, message);
  const isMissing =
    status === 404 ? MISSING_ROUTE.test(text) : status === 405 && !prepared.writes && prepared.look.do === 'get';
  if (isMissing) return missingRouteError(prepared, message);
  if (OF_RECORDS.has(status) && (isPage(response) || PROXY_TEXT.test(text)))
    return new ServiceError('bad_answer', `${message}; the page comes from something in front of the service`, {
      ...checkAddress(prepared),
    });
  const schemes = status === 401 ? schemesIn(response.headers['www-authenticate']) : [];
  if (schemes.length > 0 && !schemes.includes('basic'))
    return new ServiceError('unauthorized', `${message}; it asks for ${schemes.join(' or ')}`, {
      hint: 'pm sends a user name and a password, or a token (Basic): the service must accept one of these.',
    });
  const code = problem.code ?? 'invalid';
  // The messages of pm serve are complete; those of another server are shown as its own.
  const isOurs = text.includes(`${PROBLEM}${code}`);
  return new ServiceError(code, isOurs ? messageOf(problem) : message, {
    faults: problem.faults,
    ...(refusesUnknown(prepared, code, text) ? adviceOnUnknown(prepared) : adviceFor(prepared, code)),
  });
}

/** The ways to log in that a service names, such as `bearer` and `ntlm`. */
const schemesIn = (challenges = ''): readonly string[] =>
  [...challenges.matchAll(/(?:^|,)\s*([A-Za-z][\w-]*)(?=\s|,|$)(?!\s*=)/g)].map(([, scheme = '']) =>
    scheme.toLowerCase(),
  );

/** Does the answer speak of a member that the contract does not know? */
function refusesUnknown({ unknown = [] }: PreparedRequest, code: ErrorCode, text: string): boolean {
  const said = text.toLowerCase();
  return code === 'invalid' && unknown.some((name) => said.includes(name.toLowerCase()));
}

const adviceOnUnknown = ({ connection, unknown = [] }: PreparedRequest): Advised => ({
  hint: `The request held members that only the service knows: ${unknown.join(', ')}.`,
  next: { do: 'drop-unknown', name: connection.options.profile },
});

/** The text and the problem in a response, without the secrets of the request. */
function problemIn(
  { connection, request }: PreparedRequest,
  { status, headers, bytes }: Response,
): { readonly text: string; readonly problem: ServerProblem } {
  const redact = connection.redact(request);
  const text = redact(new TextDecoder().decode(bytes));
  const { code, detail, faults } = readProblem(status, headers['content-type'], Buffer.from(text));
  // Decoding may bring back a secret that the text spells in another way.
  const safe = faults.map((fault) => ({
    ...{ ...fault, field: redact(fault.field), message: redact(fault.message) },
    ...(fault.hint === undefined ? {} : { hint: redact(fault.hint) }),
  }));
  return { text, problem: { code, detail: redact(detail), faults: safe } };
}

/** Throws the error of a request that failed; a NoAnswer becomes a ServiceError. */
export function rethrow(prepared: PreparedRequest, error: unknown): never {
  throw error instanceof NoAnswer ? errorFromNoAnswer(prepared, error) : error;
}

/** The error for a missing response. */
export function errorFromNoAnswer(prepared: PreparedRequest, error: NoAnswer): ServiceError {
  const { endpoint, options } = prepared.connection;
  const message = `${endpoint.origin} gave no answer to ${requestLine(prepared)}: ${error.message}`;
  if (prepared.writes && error.left) return unknownOutcomeError(prepared, message, error);
  const { profile } = options;
  const next: Next = error.remedy ? { do: error.remedy, name: profile } : { do: 'find-trouble', profile };
  return new ServiceError('unreachable', message, { next, cause: error });
}

/** The error for a success with a content that cannot be understood. */
export function badAnswerError(prepared: PreparedRequest, what: string, cause?: unknown): ServiceError {
  const { origin } = prepared.connection.endpoint;
  const message = `${origin} answered ${requestLine(prepared)} in a way that the service never does: ${safe(prepared, what)}`;
  if (prepared.writes) return unknownOutcomeError(prepared, message, cause);
  return new ServiceError('bad_answer', message, { ...checkAddress(prepared), cause });
}

/** The cause of an error about a record that is another one than was asked for. */
export const OTHER_RECORD = new Error('another record');

/** The error for a success without the record that was asked for (D40). */
export const noRecordError = (prepared: PreparedRequest, response: Response): ServiceError =>
  new ServiceError('not_found', `${statusLine(prepared, response)} without a record, as if there were none`);

/** The error for a change that may or may not have been made. */
export function unknownOutcomeError({ connection, look }: PreparedRequest, why: string, cause?: unknown): ServiceError {
  return new ServiceError('unknown_outcome', `it is not known whether the change was made: ${why}`, {
    hint: 'Look at the record before you repeat the change.',
    next: { ...look, profile: connection.options.profile },
    cause,
  });
}

const safe = ({ connection, request }: PreparedRequest, text: string): string =>
  clean(connection.redact(request)(text));

const requestLine = ({ request }: PreparedRequest): string => `${request.method} ${clean(request.path)}`;

const statusLine = (prepared: PreparedRequest, { status }: Response): string =>
  `${prepared.connection.endpoint.origin} answered ${status} to ${requestLine(prepared)}`;

const checkAddress = ({ connection }: PreparedRequest): Advised => ({
  next: { do: 'check-address', name: connection.options.profile },
});

/** Who is not known is not served, so a change was not made. */
function loginPageError(prepared: PreparedRequest, response: Response): ServiceError {
  const page = response.headers.location === undefined ? 'a login page' : safe(prepared, response.headers.location);
  return new ServiceError(
    'unauthorized',
    `${statusLine(prepared, response)} with ${page}, as for a wrong or expired password`,
    adviceFor(prepared, 'unauthorized'),
  );
}

function missingRouteError(prepared: PreparedRequest, message: string): ServiceError {
  const { setRoute } = prepared;
  const hint = setRoute ? {} : { hint: 'The service does not have this address of the interface.' };
  return new ServiceError('unsupported', message, { ...hint, next: setRoute });
}

function redirectError(prepared: PreparedRequest, response: Response): ServiceError {
  const to = safe(prepared, response.headers.location ?? 'nowhere');
  const message = `${statusLine(prepared, response)}, and points to ${to}; pm follows no redirects`;
  // 307 and 308 ask for the same request at another address. The others may lead to a page that reports the change.
  if (prepared.writes && response.status < 304) return unknownOutcomeError(prepared, message);
  return new ServiceError('bad_answer', message, {
    next: { do: 'set-address', name: prepared.connection.options.profile },
  });
}

function serverError(prepared: PreparedRequest, message: string, maybeDone: boolean): ServiceError {
  if (prepared.writes && maybeDone) return unknownOutcomeError(prepared, message);
  return new ServiceError('unreachable', message, { hint: 'This request changed nothing; try again later.' });
}

/** Too busy, or too late: it may have been carried out all the same. The cause concerns other requests, too. */
function busyError(prepared: PreparedRequest, status: number, message: string): ServiceError {
  const busy = new ServiceError(status === 429 ? 'too_many' : 'unreachable', message, { next: { do: 'slow-down' } });
  return prepared.writes ? unknownOutcomeError(prepared, message, busy) : busy;
}

/** The error for a success that says itself that it is none. */
export function quietRefusalError(prepared: PreparedRequest, response: Response): ServiceError {
  const { detail, faults } = problemIn(prepared, response).problem;
  const message = `${statusLine(prepared, response)} and says that it failed${detail && `: ${detail}`}`;
  return new ServiceError(prepared.writes ? 'conflict' : 'bad_answer', message, { faults });
}

/** The message of pm serve; one that was cut is built again from the faults. */
function messageOf({ detail, faults, code }: ServerProblem): string {
  const first = faults[0];
  const at = first ? detail.indexOf(`: ${faultText(first)}`.slice(0, detail.length)) : -1;
  if (at >= 0) return `${detail.slice(0, at)}: ${faults.map(faultText).join('; ')}`;
  return detail || ERRORS[code ?? 'invalid'].title;
}

const faultText = ({ field, message }: Fault): string => `${field} ${message}`;

function adviceFor(prepared: PreparedRequest, code: ErrorCode): Advised {
  const { undelete } = prepared;
  const { profile, wire } = prepared.connection.options;
  switch (code) {
    case 'unauthorized': {
      const [, as] = prepared.request.credential?.login.split('\\') ?? [];
      return { hint: as && `Is there a user ${as}, and may you act as them?`, next: { do: 'log-in', profile } };
    }
    case 'deleted':
      return { next: undelete && { ...undelete, profile } };
    case 'drifted':
      return { hint: 'Read it again, then repeat the change.' };
    case 'not_acceptable':
    case 'media_type':
      return { next: { do: 'switch-wire', wire: wire === 'json' ? 'xml' : 'json' } };
    case 'method':
      return checkAddress(prepared);
    default:
      return {};
  }
}
