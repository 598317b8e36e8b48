// The address of a service; the routes of its profile, which replace those of the contract that the document does not give,
// checked before anything is sent; and the other routes of one thing, for where it lacks the first (D39).
import type { Input } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { everyResource, resourceNamed } from '../contract/index.ts';
import type { Next } from '../contract/next.ts';
import {
  addressOf,
  isParam,
  type Operation,
  paramName,
  type Route,
  routeName,
  sourceOf,
} from '../contract/operation.ts';
import { addressAt } from '../contract/record-address.ts';
import { withoutTrailing } from '../text/trailing.ts';

export interface Endpoint {
  /** Scheme, host and port: a credential is sent to this origin only. */
  readonly origin: string;
  /** The path in front of every route: `/v4`. */
  base: string;
  /** The service is on this machine. */
  readonly loopback: boolean;
  readonly secure: boolean;
}

export const VERSION = '/v4';

/** Reads a base URL, with or without `/v4`. Throws `usage` for an invalid one, and for plain HTTP to another machine. */
export function endpointOf(text: string, allowHttp = false): Endpoint {
  const url = checked(text);
  const path = withoutTrailing(url.pathname, '/');
  const endpoint = {
    origin: url.origin,
    base: path.toLowerCase().endsWith(VERSION) ? path : `${path}${VERSION}`,
    loopback: isLoopback(url.hostname),
    secure: url.protocol === 'https:',
  };
  if (endpoint.secure || endpoint.loopback || allowHttp) return endpoint;
  throw new ServiceError('usage', `${url.origin} would send the password in the open: it is not https://`, {
    hint: 'Write https://.',
    next: { do: 'allow-http' },
  });
}

function checked(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ServiceError('usage', 'the URL of the service does not begin with https:// or http://', {
      hint: 'Write it as in https://pm.example.org',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new ServiceError('usage', `the URL of ${url.host} holds a user or a password, which do not belong there`, {
      hint: 'Leave them out of it: they are asked for when you log in.',
    });
  }
  if (url.search === '' && url.hash === '') return url;
  throw new ServiceError('usage', `the URL of ${url.host} has a query or a fragment after its path`, {
    hint: 'Leave out what begins with ? or #.',
  });
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Puts the profile's routes into an operation. */
export type Reroute = (operation: Operation) => Operation;

/** Throws `usage` for a route that cannot be replaced. */
export function rerouting(routes: Readonly<Record<string, string>> = {}): Reroute {
  const byOperation = new Map<string, Record<string, Route>>();
  for (const [key, route] of Object.entries(routes)) {
    const { operation, name } = checkRoute(key, route);
    const id = idOf(operation);
    byOperation.set(id, { ...byOperation.get(id), [name]: route as Route });
  }
  return (operation) => {
    const own = byOperation.get(idOf(operation));
    return own ? { ...operation, routes: { ...operation.routes, ...own } } : operation;
  };
}

/** Checks `individual.list.plain` and the route that replaces it. Throws `usage`. */
export function checkRoute(key: string, route: string): { operation: Operation; name: string } {
  const [resource, verb = '', name = ''] = key.split('.');
  const operation = everyResource.find((one) => one.name === resource)?.operations[verb];
  const known = operation && Object.hasOwn(operation.routes, name) ? operation.routes[name] : undefined;
  if (!operation || !known) {
    throw new ServiceError('usage', `there is no route ${key}`, {
      hint: 'Write <resource>.<operation>.<route>, as in individual.list.plain.',
    });
  }
  if (sourceOf(operation, name) === 'document')
    throw new ServiceError('usage', `the route ${key} comes from the interface document, and cannot be changed`);
  checkParams(key, known, route);
  return { operation, name };
}

const idOf = ({ resource, name }: Operation): string => `${resource}.${name}`;

function checkParams(key: string, known: Route, route: string): void {
  if (!/^(GET|POST|PUT|DELETE) \/[^\s#]*$/.test(route)) {
    throw new ServiceError('usage', `the route ${key} is "${route}", and not a method and a path`, {
      hint: `Write it as the one it stands for: ${known}`,
    });
  }
  const { params } = addressOf(known);
  const strange = route
    .replace(/^\S+ /, '')
    .split('?')[0]
    ?.split('/')
    .find((segment) => isParam(segment) && !params.includes(paramName(segment)) && !isSite(paramName(segment)));
  if (strange === undefined) return;
  const fillable = [...new Set([...params, 'siteId'])];
  throw new ServiceError('usage', `the route ${key} has a parameter ${strange} that nothing fills`, {
    hint: `Its parameters can be: ${fillable.map((param) => `{${param}}`).join(', ')}.`,
  });
}

const isSite = (param: string): boolean => param.toLowerCase() === 'siteid';

/** The parameters of a route, `{siteId}` of a profile's own filled with the site. */
export function withSite(
  operation: Operation,
  { by, params = {} }: Input,
  site: string,
): Readonly<Record<string, string>> {
  const route = operation.routes[routeName(operation, by)];
  const name = route && addressOf(route).params.find((param) => isSite(param) && params[param] === undefined);
  return name === undefined ? params : { ...params, [name]: site };
}

/** Says another address of the operation at this route; undefined if the document gives it. */
export function setRouteFor(operation: Operation, by: string | undefined, profile: string): Next | undefined {
  const { resource, name } = operation;
  const key = routeName(operation, by);
  const is = operation.routes[key];
  if (is === undefined || sourceOf(operation, key) === 'document') return undefined;
  return { do: 'set-route', name: profile, route: `${resource}.${name}.${key}`, is };
}

/** Asks at the routes that the service may have, one after another; `lacking` keeps those that it was found to lack. */
export async function atAnyRoute<T>(
  lacking: Set<Route | undefined>,
  operation: Operation,
  input: Input,
  ask: (input: Input) => Promise<T>,
): Promise<T> {
  let refusal: unknown;
  for (const inputsOf of [() => [input], () => otherInputs(operation, input)]) {
    for (const one of inputsOf()) {
      const route = operation.routes[routeName(operation, one.by)];
      if (lacking.has(route)) continue;
      try {
        return await ask(one);
      } catch (error) {
        if (!(error instanceof ServiceError && ['unsupported', 'method'].includes(error.code))) throw error;
        lacking.add(route);
        refusal ??= error;
      }
    }
  }
  if (refusal) throw refusal;
  return ask(input);
}

/** The same input at the other routes that it fills. Of lists only two spellings of one: `individual`, `alsoIndividual`. */
function otherInputs(operation: Operation, input: Input): readonly Input[] {
  const { routes, many, verb } = operation;
  const { params = {}, body = {} } = input;
  const by = routeName(operation, input.by);
  const resource = resourceNamed(operation.resource);
  const here = addressAt(resource, operation, by);
  const id = params[here?.own ?? ''] ?? (verb === 'update' ? body.ID : undefined);
  const owners = new Map<string, unknown>(verb === 'create' ? Object.entries(body) : []);
  for (const { param, member } of here?.filled ?? []) owners.set(member, params[param]);
  return Object.entries(routes).flatMap(([name, route]) => {
    const to = addressAt(resource, operation, name);
    if (name === by || (many ? spelling(name) !== spelling(by) : to?.site.length !== 0)) return [];
    const values = many
      ? addressOf(route).params.map((param, at) => [param, Object.values(params)[at]])
      : addressOf(route).params.map((param) => [
          param,
          param === to?.own ? id : owners.get(to?.filled.find((one) => one.param === param)?.member ?? ''),
        ]);
    return values.every(([, value]) => value != null)
      ? [{ ...input, by: name, params: Object.fromEntries(values) }]
      : [];
  });
}

const spelling = (name: string): string => name.toLowerCase().replace(/^also/, '');
