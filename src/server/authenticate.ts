// Authenticates a request by HTTP Basic, and checks its Host header (D21).
import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Backend, Credential, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { clean } from '../text/escape.ts';
import { keepingLatest } from '../text/once-per.ts';
import type { LoginLimiter } from './login-limiter.ts';

/** Opens the session of the request's credential. Throws `unauthorized`, `feature_off`, `too_many`. */
export function authenticate(backend: Backend, limiter: LoginLimiter, request: FastifyRequest): Promise<Session> {
  const credential = credentialIn(request);
  return backend.open(credential, limiter.guard(credential.login, request.ip));
}

const HOST = /^(\[[0-9a-f:.]+\]|[^\s:/@[\]]+)(?::\d{1,5})?$/i;
const BASIC = /^basic +([a-z0-9+/]+={0,2}) *$/i;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARDS = ['0.0.0.0', '[::]'];

/** Is this an address of the loopback interface? */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/** An address in a URL: IPv6 is in brackets. */
export const inUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/**
 * A check of the Host header against DNS rebinding: another site cannot call the endpoint under its own name.
 * HTTP/1.0 has no Host; every browser sends one. `bound` is the listening address, `more` holds further names. The
 * check throws `invalid`.
 */
export function hostCheck(bound: string, more: readonly string[]): (request: FastifyRequest) => void {
  const own = inUrl(bound).toLowerCase();
  const names = new Set([...LOOPBACK, ...more.map((name) => inUrl(name).toLowerCase())]);
  if (!WILDCARDS.includes(own)) names.add(own);
  const isServed = keepingLatest((host: string) => names.has(HOST.exec(host)?.[1]?.toLowerCase() ?? ''));
  return ({ headers: { host }, raw }) => {
    if (host === undefined ? raw.httpVersion === '1.0' : isServed(host)) return;
    const what = host === undefined ? 'the request names no host' : `the host "${clean(host)}" is not served here`;
    throw new ServiceError('invalid', `${what}; whoever runs the endpoint allows a name with --allow-host`);
  };
}

const lastSent = new WeakMap<Socket, { readonly header: string; readonly credential: Credential }>();

/** Most connections send the same header again and again: it is decoded once. */
function credentialIn({ headers: { authorization }, socket }: FastifyRequest): Credential {
  const last = lastSent.get(socket);
  if (last !== undefined && last.header === authorization) return last.credential;
  const credential = credentialOf(authorization);
  lastSent.set(socket, { header: authorization ?? '', credential });
  return credential;
}

/** The credential in the header. Throws `unauthorized` if it is missing or not HTTP Basic. */
function credentialOf(header: string | undefined): Credential {
  const pair = decoded(BASIC.exec(header ?? '')?.[1]);
  const colon = pair.indexOf(':');
  if (colon >= 0) return { login: pair.slice(0, colon), password: pair.slice(colon + 1) };
  const what =
    header === undefined ? 'no user name and password were sent' : 'the Authorization header is not readable';
  throw new ServiceError('unauthorized', `${what}; HTTP Basic is asked for`, { next: { do: 'log-in' } });
}

function decoded(base64: string | undefined): string {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  return isUtf8(bytes) ? bytes.toString('utf8') : '';
}
