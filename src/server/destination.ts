// Where a request wants to go: an operation of the contract below /v4, or the login.
import type { Input } from '../contract/call.ts';
import { contract } from '../contract/index.ts';
import { addressOf, type Method, type Operation } from '../contract/operation.ts';
import { matchRoute } from '../wire/route.ts';

/** The path below which the service is answered. */
export const PREFIX = '/v4';

const { login } = contract.session.operations;
const LOGIN = addressOf(login.routes.plain);

export type Destination =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly input: Input }
  | { readonly kind: 'unsupported'; readonly operation: Operation; readonly allow: readonly string[] }
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'wrong-method'; readonly allow: readonly string[] };

/** The target behind the prefix; undefined for what is no address of the service. */
export function belowPrefix(target: string): string | undefined {
  const rest = target.slice(PREFIX.length);
  return target.slice(0, PREFIX.length).toLowerCase() === PREFIX && /^($|[/?])/.test(rest) ? rest : undefined;
}

/** Nobody needs to be known to log in. */
export const isLogin = (method: string, target: string): boolean => method === LOGIN.method && isLoginPath(target);

/** What is not a login. Throws `invalid` for an address that is not well-formed. HEAD asks for what GET would answer. */
export function destinationOf(method: string, target: string): Destination {
  if (isLoginPath(target)) return wrongMethod([LOGIN.method]);
  const match = matchRoute(method === 'HEAD' ? 'GET' : method, target);
  if (match.kind === 'found') return { kind: 'operation', operation: match.operation, input: match.input };
  if (match.kind === 'unsupported') return { ...match, allow: withHead(match.allow) };
  return match.kind === 'no-path' ? { kind: 'nowhere' } : wrongMethod(match.allow);
}

const isLoginPath = (target: string): boolean => target.replace(/\?.*$/s, '').toLowerCase() === LOGIN.path;

const wrongMethod = (allow: readonly Method[]): Destination => ({ kind: 'wrong-method', allow: withHead(allow) });

const withHead = (allow: readonly Method[]): readonly string[] =>
  allow.flatMap((one) => (one === 'GET' ? [one, 'HEAD'] : [one]));
