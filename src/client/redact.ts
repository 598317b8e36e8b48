// Takes secrets out of texts that people or files get to see, and one try as it may be shown.
import type { Credential } from '../contract/call.ts';
import { clean } from '../text/escape.ts';
import type { Outgoing } from './transport.ts';

export type Redact = (text: string) => string;

const HIDDEN = '[hidden]';
/** Shorter ones would be found everywhere. */
const MIN_SECRET_LENGTH = 4;
// Names are bounded, and a tag ends before the next one begins: a server's long answer is not searched from every sign of it.
const JSON_MEMBER = /("[^"]{0,99}(?:password|token|secret)[^"]{0,99}"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;
const XML_MEMBER =
  /(<((?:[\w.-]{1,99}:)?[\w.-]{0,99}(?:password|token|secret)[\w.-]{0,99})(?![\w.-])[^<>]*>)[^<]*(<\/\2>)/gi;

/** Hides these secrets, however they are spelled, and every member that is called like one. */
export function redactor(credentials: readonly Credential[], more: readonly string[] = []): Redact {
  const secrets = [...credentials.flatMap(({ password }) => [password, tokenIn(password)]), ...more];
  const pairs = credentials.map(({ login, password }) => base64(`${login}:${password}`));
  const spellings = [...pairs, ...secrets.filter((one) => one.length >= MIN_SECRET_LENGTH).flatMap(spellingsOf)];
  // The longest first, or the rest of one would stay behind another.
  const wanted = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const spelling of wanted) clean = clean.replaceAll(spelling, HIDDEN);
    return clean.replace(JSON_MEMBER, `$1"${HIDDEN}"`).replace(XML_MEMBER, `$1${HIDDEN}$3`);
  };
}

/** A token behind its prefix, which may be told without it. */
const tokenIn = (password: string): string => /^\{\w+Token\}(.+)$/.exec(password)?.[1] ?? '';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** As texts carry it, and as JSON carries such a text. */
function spellingsOf(secret: string): readonly string[] {
  const xml = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const plain = [
    ...[secret, base64(secret), base64(secret).replace(/=+$/, ''), Buffer.from(secret).toString('base64url')],
    ...[encodeURIComponent(secret), encodeURIComponent(secret).replaceAll('%20', '+'), escaped(secret)],
    ...[xml, xml.replaceAll('"', '&quot;'), xml.replaceAll("'", '&apos;')],
  ];
  return [...plain, ...plain.map(escaped)];
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

export interface Exchange {
  readonly method: string;
  readonly url: string;
  /** The user part of Basic; the password is never told. */
  readonly login: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Undefined where nothing was answered. */
  readonly status: number | undefined;
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** The answer's text, where it is one record or an error, and not too long. */
  readonly answer: string | undefined;
  /** Why nothing was answered. */
  readonly failure: string | undefined;
  readonly milliseconds: number;
}

const MAX_BODY_BYTES = 16_384;
const SECRET_HEADER = /^(authorization|proxy-authorization|cookie|set-cookie|.*(token|secret|password|api-?key).*)$/i;

interface TryResult {
  readonly origin: string;
  readonly login: string | undefined;
  readonly milliseconds: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes?: Uint8Array;
  readonly failure?: string;
}

export function exchangeOf(outgoing: Outgoing, told: TryResult, redact: Redact): Exchange {
  const { body } = outgoing;
  return {
    method: outgoing.method,
    url: redact(`${told.origin}${outgoing.path}`),
    login: told.login === undefined ? undefined : redact(told.login),
    headers: safeHeaders(outgoing.headers, redact),
    body: body === undefined ? undefined : redact(typeof body === 'string' ? body : textOf(body)),
    status: told.status,
    answerHeaders: safeHeaders(told.headers ?? {}, redact),
    answer: told.bytes && redact(textOf(told.bytes.subarray(0, MAX_BODY_BYTES))),
    failure: told.failure === undefined ? undefined : clean(told.failure),
    milliseconds: Math.round(told.milliseconds),
  };
}

/** Headers whose names tell that they are secret have no value; the credential is told by `login`. */
export const safeHeaders = (
  headers: Readonly<Record<string, string>>,
  redact: Redact,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.toLowerCase() !== 'authorization')
      .map(([name, value]) => [name, SECRET_HEADER.test(name) ? '[hidden]' : redact(value)]),
  );

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
