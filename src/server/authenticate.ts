// Lets a request in: by which name the endpoint was called, who calls, which operation it means, and how it is
// answered (D21, D24).
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Backend, Credential, Input, Session } from '../contract/call.ts';
import { ServiceError, unsupported } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { type MediaType, negotiate } from '../wire/media.ts';
import { destinationOf, isLogin } from './destination.ts';
import type { LoginLimiter } from './limits.ts';

/** A request that was let in; what it brings is not read yet. */
export type Visit = { readonly kind: 'login'; readonly media: MediaType } | Call;

/** One operation that a caller may ask for. */
export interface Call {
  readonly kind: 'operation';
  readonly media: MediaType;
  readonly session: Session;
  readonly operation: Operation;
  readonly input: Input;
}

interface Door {
  readonly backend: Backend;
  readonly limiter: LoginLimiter;
}

interface Visitor {
  readonly target: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Lets a request for a target below the prefix in. `known` is told of the caller as soon as it is known.
 * Throws `unauthorized`, `feature_off`, `not_found`, `method`, `invalid` and `not_acceptable`.
 */
export async function letIn(
  { backend, limiter }: Door,
  { target, request, reply }: Visitor,
  known: (session: Session) => void,
): Promise<Visit> {
  const { accept, authorization } = request.headers;
  if (isLogin(request.method, target)) return { kind: 'login', media: negotiate(accept) };
  const credential = credentialOf(authorization);
  const session = await limiter.run(credential.login, request.ip, () => backend.open(credential));
  known(session);
  const { operation, input } = operationAt(request.method, target, reply);
  const media = negotiate(accept);
  return { kind: 'operation', media, session, operation, input };
}

function operationAt(method: string, target: string, reply: FastifyReply): { operation: Operation; input: Input } {
  const destination = destinationOf(method, target);
  if (destination.kind === 'operation') return destination;
  if (destination.kind === 'nowhere')
    throw new ServiceError('not_found', 'the service has no such address; /openapi.json lists those there are');
  const allow = destination.allow.join(', ');
  reply.header('allow', allow);
  if (destination.kind === 'unsupported') throw unsupported(destination.operation.resource, destination.operation.name);
  throw new ServiceError('method', `this address does not answer ${method}; it answers ${allow || 'none'}`);
}

const HOST = /^(\[[0-9a-f:.]+\]|[^\s:/@[\]]+)(?::\d{1,5})?$/i;
const BASIC = /^basic +([a-z0-9+/]+={0,2}) *$/i;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARDS = ['0.0.0.0', '[::]'];

/** Answers to this machine's own addresses alone? */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/** How an address stands in a URL. */
export const inUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/**
 * A check of the Host header: a page of another site, whose name was made to lead here, is turned away.
 * `bound` is the address that is listened on. The check throws `invalid`.
 */
export function hostCheck(bound: string, more: readonly string[]): (header: string | undefined) => void {
  const own = inUrl(bound).toLowerCase();
  const names = new Set([...LOOPBACK, ...more.map((name) => inUrl(name).toLowerCase())]);
  if (!WILDCARDS.includes(own)) names.add(own);
  return (header) => {
    const name = HOST.exec(header ?? '')?.[1]?.toLowerCase();
    if (name !== undefined && names.has(name)) return;
    throw new ServiceError('invalid', 'the host that the request names is not served here', {
      hint: 'Whoever runs the endpoint allows it a name with --allow-host.',
    });
  };
}

/** The two halves of HTTP Basic. Throws `unauthorized` for a header that is missing or of another scheme. */
function credentialOf(header: string | undefined): Credential {
  const pair = decoded(BASIC.exec(header ?? '')?.[1]);
  const colon = pair.indexOf(':');
  if (colon >= 0) return { login: pair.slice(0, colon), password: pair.slice(colon + 1) };
  const what =
    header === undefined ? 'no user name and password were sent' : 'the Authorization header is not readable';
  throw new ServiceError('unauthorized', `${what}; HTTP Basic is asked for`, { next: { do: 'log-in' } });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(base64: string | undefined): string {
  try {
    return utf8.decode(Buffer.from(base64 ?? '', 'base64'));
  } catch {
    return '';
  }
}
