// Lets a request in: who calls, which operation it means, and how the answer is written; in this order (D21, D24).
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Backend, Input, Session } from '../contract/call.ts';
import { ServiceError, unsupported } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { type MediaType, negotiate } from '../wire/media.ts';
import { destinationOf, isLogin } from './destination.ts';
import { credentialOf } from './entry.ts';
import type { LoginLimiter } from './login-limiter.ts';

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
