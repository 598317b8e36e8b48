// The routes of a profile: they replace those of the contract that the document does not give.
import { ServiceError } from '../contract/errors.ts';
import { everyResource } from '../contract/index.ts';
import { addressOf, isParam, type Operation, paramName, type Route, sourceOf } from '../contract/operation.ts';

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
    throw new ServiceError('usage', `the route ${key} is the document's, and stays as it is`);
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
    .find((segment) => isParam(segment) && !params.includes(paramName(segment)));
  if (strange === undefined) return;
  throw new ServiceError('usage', `the route ${key} has a parameter ${strange} that nothing fills`, {
    hint: `Its parameters can be: ${params.map((param) => `{${param}}`).join(', ') || 'none'}.`,
  });
}
