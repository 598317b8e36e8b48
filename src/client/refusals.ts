// What answers that are no success mean: which server, what it said, and what to do next.
import { type Advised, ERRORS, type ErrorCode, type Fault, ServiceError } from '../contract/errors.ts';
import type { Next } from '../contract/next.ts';
import { clean } from '../text/escape.ts';
import { readProblem, type Told } from '../wire/problem.ts';
import type { Line, Request, Whole } from './connection.ts';
import type { NoAnswer } from './no-answer.ts';

/** What a request is about, for people. */
export interface About {
  readonly request: Request;
  /** It may change something. */
  readonly writes: boolean;
  /** What shows whether it was done. */
  readonly look: Next;
  /** What brings the record back, if it is a deleted one. */
  readonly undelete?: Next;
}

/** Statuses that say that nothing was done, besides all below 500. */
const NOT_DONE = new Set([501, 503, 505, 507, 511]);
const PROBLEM = 'urn:performance-management:problem:';

/** The error for an answer that is no success. `unsure`: an earlier try may have been carried out. */
export function refusalOf(line: Line, about: About, whole: Whole, unsure = false): ServiceError {
  const { status } = whole;
  if (status >= 300 && status < 400) return redirected(line, about, whole);
  const { text, told } = toldBy(line, about, whole);
  const said = `${answered(line, about, whole)}${told.detail && `: ${told.detail}`}`;
  if (status >= 500) return failed(line, about, said, unsure || !NOT_DONE.has(status));
  if (status === 429 || status === 408)
    return new ServiceError(status === 429 ? 'too_many' : 'unreachable', said, {
      next: { do: 'slow-down' },
    });
  const code = codeOf(status, told);
  const details = { faults: told.faults, ...adviceFor(line, about, code) };
  // Our own server says which, what and why; whose words they are is said only of others'.
  if (text.includes(`${PROBLEM}${code}`)) return new ServiceError(code, wording(told), details);
  return new ServiceError(code, said, details);
}

/** What the server says, without the secrets that it may repeat: in the text as it came, and in what was read of it. */
export function toldBy(
  line: Line,
  { request }: About,
  { status, headers, bytes }: Whole,
): { readonly text: string; readonly told: Told } {
  const redact = line.redact(request);
  const text = redact(new TextDecoder().decode(bytes));
  const { code, detail, faults } = readProblem(status, headers['content-type'], Buffer.from(text));
  const safe = faults.map(({ hint, ...fault }) => ({
    ...{ ...fault, field: redact(fault.field), message: redact(fault.message) },
    ...(hint === undefined ? {} : { hint: redact(hint) }),
  }));
  return { text, told: { code, detail: redact(detail), faults: safe } };
}

/** The error where there was no answer. */
export function silenceOf(line: Line, about: About, error: NoAnswer): ServiceError {
  const where = `${line.endpoint.origin} gave no answer to ${asked(about)}: ${error.message}`;
  if (about.writes && error.left) return unknownOutcome(line, about, where, error);
  const { profile } = line.options;
  const next: Next = error.remedy ? { do: error.remedy, name: profile } : { do: 'find-trouble', profile };
  return new ServiceError('unreachable', where, { next, cause: error });
}

/** The error for a success that says nothing that could be understood. */
export function badAnswer(line: Line, about: About, what: string, cause?: unknown): ServiceError {
  const message = `${line.endpoint.origin} answered ${asked(about)} with something else than the service would: ${safe(line, about, what)}`;
  if (about.writes) return unknownOutcome(line, about, message, cause);
  return new ServiceError('bad_answer', message, { ...checkUrl(line), cause });
}

/** The error for a change of which nobody knows whether it was made. */
export function unknownOutcome(line: Line, about: About, why: string, cause?: unknown): ServiceError {
  return new ServiceError('unknown_outcome', `it is not known whether the change was made: ${why}`, {
    hint: 'Look before you repeat it.',
    next: { ...about.look, profile: line.options.profile },
    cause,
  });
}

const safe = (line: Line, { request }: About, text: string): string => clean(line.redact(request)(text));

const asked = ({ request }: About): string => `${request.method} ${clean(request.path)}`;

const answered = (line: Line, about: About, { status }: Whole): string =>
  `${line.endpoint.origin} answered ${status} to ${asked(about)}`;

const checkUrl = ({ options }: Line): Advised => ({ next: { do: 'check-address', name: options.profile } });

function redirected(line: Line, about: About, whole: Whole): ServiceError {
  const to = safe(line, about, whole.headers.location ?? 'nowhere');
  return new ServiceError('bad_answer', `${answered(line, about, whole)}, and points to ${to}; pm follows nobody`, {
    next: { do: 'set-address', name: line.options.profile },
  });
}

function failed(line: Line, about: About, said: string, maybe: boolean): ServiceError {
  if (about.writes && maybe) return unknownOutcome(line, about, said);
  return new ServiceError('unreachable', said, { hint: 'Nothing was changed; try again later.' });
}

/** A status that no code is known for is a rejection all the same. */
function codeOf(status: number, { code }: Told): ErrorCode {
  if (code) return code;
  if (status === 412) return 'drifted';
  return status === 410 ? 'not_found' : 'invalid';
}

/** The sentence of the service; a long one was cut, and is made anew from its faults. */
function wording({ detail, faults, code }: Told): string {
  const first = faults[0];
  const at = first ? detail.indexOf(`: ${lineOf(first)}`.slice(0, detail.length)) : -1;
  if (at >= 0) return `${detail.slice(0, at)}: ${faults.map(lineOf).join('; ')}`;
  return detail || ERRORS[code ?? 'invalid'].title;
}

const lineOf = ({ field, message }: Fault): string => `${field} ${message}`;

function adviceFor(line: Line, { undelete }: About, code: ErrorCode): Advised {
  const { profile } = line.options;
  switch (code) {
    case 'unauthorized':
      return { next: { do: 'log-in', profile } };
    case 'deleted':
      return { next: undelete && { ...undelete, profile } };
    case 'drifted':
      return { hint: 'Read it again, and make the change on what it says now.' };
    case 'not_acceptable':
    case 'media_type':
      return { next: { do: 'switch-wire', wire: line.options.wire === 'json' ? 'xml' : 'json' } };
    case 'method':
      return checkUrl(line);
    default:
      return {};
  }
}
