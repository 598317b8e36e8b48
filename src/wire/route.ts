// Builds the address of an operation, and finds the operation of an address.
import type { Input } from '../contract/call.ts';
import { invalid, ServiceError } from '../contract/errors.ts';
import { resources } from '../contract/index.ts';
import { isRefusal, RULES } from '../contract/kinds.ts';
import { addressOf, isAlias, isParam, type Method, type Operation, paramName } from '../contract/operation.ts';
import { valueAt } from '../text/once-per.ts';

/** The meaning of an address. `allow` has the methods that a known path answers. */
export type Match =
  | { readonly kind: 'found'; readonly operation: Operation; readonly input: Input }
  /** The service has the address and refuses it (D29). */
  | {
      readonly kind: 'unsupported';
      readonly operation: Operation;
      readonly input: Input;
      readonly allow: readonly Method[];
    }
  | { readonly kind: 'no-path' }
  | { readonly kind: 'wrong-method'; readonly allow: readonly Method[] };

/**
 * The address of an operation for this input, percent-coded: its path without the prefix of the service, and its query without the
 * question mark, which may be empty. Throws `invalid` for a parameter that fits no path.
 */
export function buildPath(operation: Operation, input: Input = {}) {
  const address = addressOf(routeOf(operation, input.by));
  const segments = address.segments.map((segment) =>
    isParam(segment) ? encodeSegment(paramName(segment), input.params?.[paramName(segment)]) : segment,
  );
  const query = Object.entries(input.query ?? {})
    .map(([name, value]) => `${encodeText(name, name)}=${encodeText(name, String(value))}`)
    .join('&');
  return { method: address.method, path: `/${segments.join('/')}`, query };
}

/**
 * The operation of a method and a target such as `/colors/7?tz=UTC`, without a prefix.
 * Names match in any case, with a slash at the end or without. Throws `invalid` for broken percent-coding and for a query parameter that is given twice.
 */
export function matchRoute(method: string, target: string): Match {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  if (!path.startsWith('/')) return { kind: 'no-path' };
  // Broken percent-coding is refused wherever it stands, also where no route goes.
  decode(path);
  const values: string[] = [];
  const node = walk(table, path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path, 1, values);
  if (!node) return { kind: 'no-path' };
  const leaf = node.leaves.get(method as Method);
  if (!leaf) return { kind: 'wrong-method', allow: answeredAt(node) };
  const { operation } = leaf;
  const input = inputOf(leaf, values, target.slice(path.length + 1));
  if (operation.verb === 'unsupported') return { kind: 'unsupported', operation, input, allow: answeredAt(node) };
  return { kind: 'found', operation, input };
}

interface Leaf {
  readonly operation: Operation;
  readonly by: string;
  readonly params: readonly string[];
  readonly query: readonly string[];
}

interface Node {
  readonly literals: Map<string, Node>;
  param: Node | undefined;
  readonly leaves: Map<Method, Leaf>;
}

const answeredAt = ({ leaves }: Node): readonly Method[] =>
  [...leaves]
    .filter(([, { operation }]) => operation.verb !== 'unsupported')
    .map(([method]) => method)
    .sort();

const newNode = (): Node => ({ literals: new Map(), param: undefined, leaves: new Map() });
const table = newNode();
for (const resource of resources) {
  for (const operation of Object.values(resource.operations))
    for (const by of Object.keys(operation.routes)) addRoute(operation, by);
}

/** Adds one route. Of two equal ones the first stays, unless it is an alias. */
function addRoute(operation: Operation, by: string): void {
  const { method, segments, params, query } = addressOf(routeOf(operation, by));
  let node = table;
  for (const segment of segments) node = childOf(node, segment);
  const known = node.leaves.get(method);
  if (!known || isAlias(known.by)) node.leaves.set(method, { operation, by, params, query });
}

function childOf(node: Node, segment: string): Node {
  if (isParam(segment)) {
    node.param ??= newNode();
    return node.param;
  }
  return valueAt(node.literals, segment.toLowerCase(), newNode);
}

/**
 * Follows the segments that begin at this place of a path, and puts into `values` those that are parameters; a literal wins
 * over a parameter.
 */
function walk(node: Node, path: string, from: number, values: string[]): Node | undefined {
  if (from > path.length) return node.leaves.size > 0 ? node : undefined;
  const slash = path.indexOf('/', from);
  const end = slash < 0 ? path.length : slash;
  if (end === from) return undefined;
  const segment = decode(path.slice(from, end));
  const literal = node.literals.get(segment.toLowerCase());
  const found = literal && walk(literal, path, end + 1, values);
  if (found || !node.param) return found;
  values.push(segment);
  const other = walk(node.param, path, end + 1, values);
  if (!other) values.pop();
  return other;
}

function inputOf(leaf: Leaf, values: readonly string[], query: string): Input {
  const params: Record<string, string> = {};
  for (let i = 0; i < leaf.params.length; i++) {
    const name = leaf.params[i] as string;
    params[name] = checked(name, values[i] ?? '');
  }
  return { by: leaf.by, params, query: query === '' ? NO_QUERY : readQuery(leaf, query) };
}

const NO_QUERY = {};

function readQuery(leaf: Leaf, text: string): Record<string, string> {
  const pairs = new Map<string, string>();
  const given = new Set<string>();
  for (const part of text.split('&')) {
    if (part === '') continue;
    const [name = '', value = ''] = part.split(/=(.*)/s).map((half) => decode(half.replaceAll('+', ' ')));
    const known = leaf.query.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
    if (given.has(known.toLowerCase()))
      throw invalid('the address', [{ field: checked('query', known), code: 'malformed', message: 'is given twice' }]);
    given.add(known.toLowerCase());
    pairs.set(checked('query', known), checked(known, value));
  }
  return Object.fromEntries(pairs);
}

function routeOf(operation: Operation, by?: string) {
  const names = Object.keys(operation.routes);
  const name = by ?? ('plain' in operation.routes || names.length !== 1 ? 'plain' : (names[0] ?? 'plain'));
  const route = Object.hasOwn(operation.routes, name) ? operation.routes[name] : undefined;
  if (route) return route;
  const known = names.join(', ') || 'none';
  throw new ServiceError('usage', `${operation.resource} ${operation.name} has no address "${name}"; it has ${known}`);
}

function encodeSegment(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`the address needs ${name}`);
  // Clients and proxies resolve dot segments in every encoding, and lose empty ones.
  if (value !== '' && value !== '.' && value !== '..') return encodeText(name, value);
  throw invalid('the address', [{ field: name, code: 'malformed', message: `is "${value}", which no path can carry` }]);
}

const encodeText = (name: string, value: string): string => encodeURIComponent(checked(name, value));

/** Checks the characters of a value. The operation validates the value. */
function checked(name: string, text: string): string {
  const answer = RULES.text.check(text);
  if (!isRefusal(answer)) return text;
  throw invalid('the address', [{ field: name, code: 'malformed', message: answer.refused }]);
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new ServiceError('invalid', 'the address is not well-formed: its percent-coding is broken', { cause });
  }
}
