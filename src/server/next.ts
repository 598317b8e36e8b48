// What to do next as a link: only where the service has an address for it, and never for what may not be read (D27).
import type { ServiceError } from '../contract/errors.ts';
import { contract, resourceNamed } from '../contract/index.ts';
import { addressOf, type Operation } from '../contract/operation.ts';
import type { Link } from '../wire/problem.ts';
import { buildPath } from '../wire/route.ts';
import { PREFIX } from './destination.ts';

/** Undefined where no address does it. What is not found may be there and not be readable: that has no link either. */
export function linkOf({ code, next }: ServiceError): Link | undefined {
  if (!next || code === 'not_found') return undefined;
  switch (next.do) {
    case 'get':
    case 'undelete':
      return linkTo(resourceNamed(next.resource).operations[next.do], 'plain', next.id);
    case 'list':
      return linkTo(resourceNamed(next.resource).operations.list, next.within?.resource ?? 'plain', next.within?.id);
    case 'log-in':
      return linkTo(contract.session.operations.login, 'plain');
    default:
      return undefined;
  }
}

/** An address of the operation that takes this ID and nothing else. */
function linkTo(operation: Operation | undefined, by: string, id?: string): Link | undefined {
  const route = operation?.routes[by];
  if (!operation || !route) return undefined;
  const names = addressOf(route).params;
  if (names.length !== (id === undefined ? 0 : 1)) return undefined;
  const params = Object.fromEntries(names.map((name) => [name, id ?? '']));
  const { method, path } = buildPath(operation, { by, params });
  return { method, href: `${PREFIX}${path}` };
}
