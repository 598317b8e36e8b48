// Finds the operation that a request below /v4 calls, and the methods of its address.
import type { FastifyReply } from 'fastify';
import { ServiceError, unsupported } from '../contract/errors.ts';
import { contract } from '../contract/index.ts';
import { addressOf } from '../contract/operation.ts';
import { type Match, matchRoute } from '../wire/route.ts';

/** The path of the service. */
export const PREFIX = '/v4';

const LOGIN = addressOf(contract.session.operations.login.routes.plain);
const { logout } = contract.session.operations;
const LOGOUT = addressOf(logout.routes.plain);

/** The target without the prefix; undefined if it is not below the prefix. */
export function belowPrefix(target: string): string | undefined {
  if (target.startsWith(`${PREFIX}/`)) return target.slice(PREFIX.length);
  const rest = target.slice(PREFIX.length);
  return target.slice(0, PREFIX.length).toLowerCase() === PREFIX && /^($|[/?])/.test(rest) ? rest : undefined;
}

export const isLogin = (method: string, target: string): boolean => method === LOGIN.method && isLoginPath(target);

function isLoginPath(target: string): boolean {
  const path = target.slice(0, LOGIN.path.length);
  return path.toLowerCase() === LOGIN.path && /^\/?(\?|$)/.test(target.slice(LOGIN.path.length));
}

/**
 * The operation at a target below the prefix; HEAD finds the one of GET. Sets the header Allow for another method.
 * Throws `not_found`, `method`, `unsupported`, and `invalid` for a malformed target.
 */
export function operationAt(method: string, target: string, reply: FastifyReply) {
  const match = matchOf(method === 'HEAD' ? 'GET' : method, target);
  if (match.kind === 'found') return match;
  const allow = allowOf(match);
  reply.header('allow', allow);
  if (match.kind === 'unsupported') throw unsupported(match.operation.resource, match.operation.name);
  throw wrongMethod(method, allow);
}

/** The value of Allow at a target below the prefix. Throws `not_found`, and `invalid` for a malformed target. */
export const allowedAt = (target: string): string => allowOf(matchOf('OPTIONS', target));

const matchOf = (method: string, target: string): Match =>
  isLoginPath(target) ? sessionMatch(method) : matchRoute(method, target);

/** The session is no resource with routes of its own; logins are answered before. */
const sessionMatch = (method: string): Match =>
  method === LOGOUT.method
    ? { kind: 'found', operation: logout, input: { by: 'plain' } }
    : { kind: 'wrong-method', allow: [LOGIN.method, LOGOUT.method] };

function allowOf(match: Match): string {
  if (!('allow' in match))
    throw new ServiceError('not_found', 'the service has no such address; /openapi.json lists those there are');
  return allowing(match.allow);
}

/** The value of Allow: these methods, HEAD where GET is one of them, and OPTIONS. */
export const allowing = (methods: readonly string[]): string =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');

/** `allow`: the methods that the address has. */
export const wrongMethod = (method: string, allow: string): ServiceError =>
  new ServiceError('method', `this address does not answer ${method}; it answers ${allow}`);

/** Answers which methods an address has. */
export const answerOptions = (reply: FastifyReply, allow: string): FastifyReply =>
  reply.code(204).header('allow', allow).send();
