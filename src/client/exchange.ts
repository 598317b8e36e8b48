// One try as it may be shown: what was asked, what was answered, and no secret in either.
import { clean } from '../text/escape.ts';
import type { Redact } from './redact.ts';
import type { Outgoing } from './transport.ts';

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

const MOST = 16_384;
const SECRET_HEADER = /^(authorization|proxy-authorization|cookie|set-cookie|.*(token|secret|password|api-?key).*)$/i;

interface Told {
  readonly origin: string;
  readonly login: string | undefined;
  readonly milliseconds: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes?: Uint8Array;
  readonly failure?: string;
}

export function exchangeOf(outgoing: Outgoing, told: Told, redact: Redact): Exchange {
  const { body } = outgoing;
  return {
    method: outgoing.method,
    url: redact(`${told.origin}${outgoing.path}`),
    login: told.login === undefined ? undefined : redact(told.login),
    headers: safeHeaders(outgoing.headers, redact),
    body: body === undefined ? undefined : redact(typeof body === 'string' ? body : textOf(body)),
    status: told.status,
    answerHeaders: safeHeaders(told.headers ?? {}, redact),
    answer: told.bytes && redact(textOf(told.bytes.subarray(0, MOST))),
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
