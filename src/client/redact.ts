// Removes secrets from texts, and describes one try without its secrets.
import type { Credential } from '../contract/call.ts';
import { clean } from '../text/escape.ts';
import { withoutTrailing } from '../text/trailing.ts';
import type { Outgoing, Response } from './transport.ts';

export type Redact = (text: string) => string;

const HIDDEN = '[hidden]';
/** Shorter secrets would match ordinary text. */
const MIN_SECRET_LENGTH = 4;
// The names are bounded and a tag ends before the next one, so that matching takes linear time.
const JSON_MEMBER = /("[^"]{0,99}(?:password|token|secret)[^"]{0,99}"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;
const XML_MEMBER =
  /(<((?:[\w.-]{1,99}:)?[\w.-]{0,99}(?:password|token|secret)[\w.-]{0,99})(?![\w.-])[^<>]*>)[^<]*(<\/\2>)/gi;

/** Hides these secrets in every encoding, and the values of members with the name of a secret. */
export function redactor(credentials: readonly Credential[], more: readonly string[] = []): Redact {
  const secrets = [...credentials.flatMap(({ password }) => [password, tokenIn(password)]), ...more];
  const pairs = credentials.map(({ login, password }) => base64(`${login}:${password}`));
  const spellings = [...pairs, ...secrets.filter((one) => one.length >= MIN_SECRET_LENGTH).flatMap(spellingsOf)];
  // The longest first: one secret may contain another.
  const wanted = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return (text) => {
    let redacted = text;
    for (const spelling of wanted) redacted = redacted.replaceAll(spelling, HIDDEN);
    return redacted.replace(JSON_MEMBER, `$1"${HIDDEN}"`).replace(XML_MEMBER, `$1${HIDDEN}$3`);
  };
}

/** The token without its prefix; empty for a password. */
const tokenIn = (password: string): string => /^\{\w+Token\}(.+)$/.exec(password)?.[1] ?? '';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** The secret in the encodings of URLs, XML, JSON and Base64, and each of these within JSON. */
function spellingsOf(secret: string): readonly string[] {
  const xml = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const plain = [
    ...[secret, base64(secret), withoutTrailing(base64(secret), '='), Buffer.from(secret).toString('base64url')],
    ...[encodeURIComponent(secret), encodeURIComponent(secret).replaceAll('%20', '+'), escaped(secret)],
    ...[xml, xml.replaceAll('"', '&quot;'), xml.replaceAll("'", '&apos;')],
  ];
  return [...plain, ...plain.map(escaped)];
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

export interface Exchange {
  readonly method: string;
  readonly url: string;
  /** The user part of Basic. */
  readonly login: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Undefined without a response. */
  readonly status: number | undefined;
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** The beginning of the response's body; undefined for a list. */
  readonly answer: string | undefined;
  /** Why there was no response. */
  readonly failure: string | undefined;
  readonly milliseconds: number;
}

const SHOWN_BYTES = 16_384;
const SECRET_HEADER = /^(?:authorization|proxy-authorization|cookie|set-cookie)$|token|secret|password|api-?key/i;

/** How one try ended. */
export interface TryResult extends Partial<Response> {
  readonly failure?: string;
}

export function exchangeOf(
  { method, path, headers, body }: Outgoing,
  { origin, login, milliseconds }: Pick<Exchange, 'login' | 'milliseconds'> & { readonly origin: string },
  result: TryResult,
  redact: Redact,
): Exchange {
  return {
    method,
    url: redact(`${origin}${path}`),
    login: login === undefined ? undefined : redact(login),
    headers: safeHeaders(headers, redact),
    body: body === undefined ? undefined : redact(typeof body === 'string' ? body : textOf(body)),
    status: result.status,
    answerHeaders: safeHeaders(result.headers ?? {}, redact),
    answer: result.bytes && redact(textOf(result.bytes.subarray(0, SHOWN_BYTES))),
    failure: result.failure === undefined ? undefined : clean(result.failure),
    milliseconds: Math.round(milliseconds),
  };
}

/** Hides the values of secret headers, and drops the credential. */
export const safeHeaders = (
  headers: Readonly<Record<string, string>>,
  redact: Redact,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.toLowerCase() !== 'authorization')
      .map(([name, value]) => [name, SECRET_HEADER.test(name) ? HIDDEN : redact(value)]),
  );

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
