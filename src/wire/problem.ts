// Errors over HTTP (D27): writes the problems of RFC 9457, and reads the errors of any server.
import { ERRORS, type ErrorCode, FAULT_CODES, type Fault, type ServiceError } from '../contract/errors.ts';
import { isObject } from '../text/defined.ts';
import { clean } from '../text/escape.ts';
import { NAMESPACE } from './codec.ts';
import { decodeUtf8 } from './gate.ts';
import { answerSyntax, type MediaType, syntaxOf } from './media.ts';
import { type Element, parseXml } from './xml-tree.ts';
import { xmlWriter } from './xml-writer.ts';

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  /** The path of the request. */
  readonly instance: string;
  /** A request that helps. */
  readonly next?: Link;
  readonly errors: readonly Fault[];
}

/** `href` is a path on the same server, percent-coded. */
export interface Link {
  readonly method: string;
  readonly href: string;
}

const MAX_FAULTS = 100;
/** The code for a status, for servers that send none of ours. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method',
  406: 'not_acceptable',
  409: 'conflict',
  410: 'not_found',
  412: 'drifted',
  413: 'too_large',
  415: 'media_type',
  422: 'invalid',
  429: 'too_many',
  503: 'busy',
  507: 'disk_full',
};

/** The body of an error; `next` replaces the error's own advice, which is for the command line. */
export function problemOf(error: ServiceError, instance: string, next?: Link): Problem {
  const { status, title } = ERRORS[error.code];
  const type = `urn:performance-management:problem:${error.code}`;
  const { code, message: detail, faults: errors } = error;
  return { type, title, status, code, detail, instance, ...(next && { next }), errors };
}

export function writeProblem(problem: Problem, media: MediaType, namespace: string = NAMESPACE): string {
  if (syntaxOf(media) === 'json') return JSON.stringify(problem);
  const { errors, ...members } = problem;
  const writer = xmlWriter({ type: 'Problem', fields: {}, namespace });
  return writer.one({ ...members, errors: errors.length > 0 ? { error: errors } : '' });
}

/** The words of any server about a failed request. */
export interface ServerProblem {
  /** The code in the body, else that of the status. */
  readonly code: ErrorCode | undefined;
  /** At most 300 printable characters; empty without a message. */
  readonly detail: string;
  readonly faults: readonly Fault[];
}

/** Reads the error of any server; never throws. A code counts only with its own status. */
export function readProblem(status: number, contentType: string | undefined, bytes: Uint8Array): ServerProblem {
  const members = membersOf(contentType, bytes);
  const code = codeOf(status, members?.get('code'));
  const [first = '', ...more] = members ? reasonsIn(Object.fromEntries(members)) : [plainText(bytes)];
  const detail = [first, ...new Set(more.filter((one) => !first.includes(one)))].join('; ');
  return { code, detail: clean(detail), faults: faultsIn(members?.get('errors')) };
}

const WORDS =
  'detail message error_description error title messagedetail defaultmessage errormessage msg reason faultstring text value';
const FIELDS = ['field', 'property', 'propertyname', 'path', 'param'];
/** The members around the reasons in services of ASP.NET, Spring, Rails, OData, JSON:API and SOAP. */
const HOLDERS =
  /^(.*errors?|modelstate|violations|details|fault|body|envelope|reason|message|invalid-?params|problems|messages)$/;

/** The reasons in a body, each behind the name of its field. */
function reasonsIn(value: unknown, field = '', depth = 0): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [field === '' ? value : `${field} ${value}`];
  if (depth > 6) return [];
  if (Array.isArray(value)) return value.slice(0, MAX_FAULTS).flatMap((one) => reasonsIn(one, field, depth + 1));
  const members = byLowerCaseName(value) ?? new Map();
  const textOf = (name: string): unknown => (typeof members.get(name) === 'string' ? members.get(name) : undefined);
  const word = WORDS.split(' ').find((one) => String(textOf(one) ?? '').trim() !== '');
  const where = FIELDS.map(textOf).find(Boolean) ?? field;
  return [
    ...(word === undefined ? [] : reasonsIn(textOf(word), String(where), depth)),
    ...Object.entries(value ?? {}).flatMap(([name, its]) => {
      if (HOLDERS.test(name.toLowerCase())) return typeof its === 'string' ? [] : reasonsIn(its, field, depth + 1);
      return word === undefined && depth > 0 ? reasonsIn(its, name, depth + 1) : [];
    }),
  ];
}

function codeOf(status: number, given: unknown): ErrorCode | undefined {
  const known = typeof given === 'string' && Object.hasOwn(ERRORS, given) ? (given as ErrorCode) : undefined;
  return known && ERRORS[known].status === status ? known : BY_STATUS[status];
}

type Named = ReadonlyMap<string, unknown>;

/** The members of the body by lower-case names; undefined if it is no object. */
function membersOf(contentType: string | undefined, bytes: Uint8Array): Named | undefined {
  const syntax = answerSyntax(contentType);
  try {
    if (syntax === 'json') return byLowerCaseName(JSON.parse(decodeUtf8(bytes)));
    if (syntax === 'xml') return byLowerCaseName(objectOf(parseXml(decodeUtf8(bytes), { nodes: 1000 })));
  } catch {
    // An unreadable body is shown as text.
  }
  return undefined;
}

const byLowerCaseName = (value: unknown): Named | undefined =>
  isObject(value) ? new Map(Object.entries(value).map(([name, its]) => [name.toLowerCase(), its])) : undefined;

/** An element as its JSON equivalent; `error` elements form an array. */
function objectOf({ children, text }: Element): unknown {
  if (children.length === 0) return text;
  if (children.every((child) => child.name === 'error' && child.children.length > 0)) return children.map(objectOf);
  return Object.fromEntries(children.map((child) => [child.name, objectOf(child)]));
}

function faultsIn(given: unknown): readonly Fault[] {
  if (!Array.isArray(given)) return [];
  return given.slice(0, MAX_FAULTS).flatMap((one): readonly Fault[] => {
    const members = byLowerCaseName(one);
    const [field, message, hint] = ['field', 'message', 'hint'].map((name) => members?.get(name));
    if (typeof field !== 'string' || typeof message !== 'string') return [];
    const code = FAULT_CODES.find((one) => one === members?.get('code')) ?? 'malformed';
    const fault = { field: clean(field), code, message: clean(message) };
    return [typeof hint === 'string' ? { ...fault, hint: clean(hint) } : fault];
  });
}

/** The text of an unknown body, without HTML tags. */
const plainText = (bytes: Uint8Array): string =>
  new TextDecoder()
    .decode(bytes.subarray(0, 16_384))
    .replace(/<script\b[\s\S]*?(?:<\/script>|$)|<style\b[\s\S]*?(?:<\/style>|$)/gi, ' ')
    .replace(/<[^<>]*>/g, ' ');
