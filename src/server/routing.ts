// Finds the operation that a request below /v4 calls.
import type { FastifyReply } from 'fastify';
import type { Input } from '../contract/call.ts';
import { ServiceError, unsupported } from '../contract/errors.ts';
import { contract } from '../contract/index.ts';
import { addressOf, type Operation } from '../contract/operation.ts';
import { type Match, matchRoute } from '../wire/route.ts';

/** The path of the service. */
export const PREFIX = '/v4';

const LOGIN = addressOf(contract.session.operations.login.routes.plain);

/** The target without the prefix; undefined if it is not below the prefix. */
export function belowPrefix(target: string): string | undefined {
  const rest = target.slice(PREFIX.length);
  return target.slice(0, PREFIX.length).toLowerCase() === PREFIX && /^($|[/?])/.test(rest) ? rest : undefined;
}

export const isLogin = (method: string, target: string): boolean => method === LOGIN.method && isLoginPath(target);

/**
 * The operation at a target below the prefix; HEAD finds the one of GET. Sets the header Allow for another method.
 * Throws `not_found`, `method`, `unsupported`, and `invalid` for a malformed target.
 */
export function operationAt(
  method: string,
  target: string,
  reply: FastifyReply,
): { operation: Operation; input: Input } {
  const match = isLoginPath(target) ? NOT_A_LOGIN : matchRoute(method === 'HEAD' ? 'GET' : method, target);
  if (match.kind === 'found') return match;
  if (match.kind === 'no-path')
    throw new ServiceError('not_found', 'the service has no such address; /openapi.json lists those there are');
  const allow = match.allow.flatMap((one) => (one === 'GET' ? [one, 'HEAD'] : one)).join(', ');
  reply.header('allow', allow);
  if (match.kind === 'unsupported') throw unsupported(match.operation.resource, match.operation.name);
  throw new ServiceError('method', `this address does not answer ${method}; it answers ${allow || 'none'}`);
}

const NOT_A_LOGIN: Match = { kind: 'wrong-method', allow: [LOGIN.method] };

const isLoginPath = (target: string): boolean => target.replace(/\?.*$/s, '').toLowerCase() === LOGIN.path;
