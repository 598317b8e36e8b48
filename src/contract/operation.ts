// The functions by which a resource lists its operations. A route is written whole, with its query:
// 'GET /individuals/{individualid}/accountabilities?deleted'. The name of a route is its flag on the command
// line (`individual` is --individual <ref>); `plain` has none, and a name that begins with `also` is a second
// spelling of another address: it is asked for an owner of that kind, and where a service lacks the first one (D39).
import { oncePerText } from '../text/once-per.ts';
import type { Fields, Source } from './field.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Route = `${Method} /${string}`;
type Routes = Readonly<Record<string, Route>>;

/**
 * `special` operations have a handler of their own; `local` ones have no route and exist on the embedded engine only;
 * `unsupported` ones have an address that answers only that the service does not do this.
 */
export type Verb = 'list' | 'get' | 'create' | 'update' | 'delete' | 'undelete' | 'special' | 'local' | 'unsupported';

/** The caller must be of a site with performance management, an administrator, a global administrator (D3). */
export type Label = 'PM' | 'Admin' | 'GA';

/** The options of an operation; the first five have defaults. */
interface Given {
  readonly labels?: readonly Label[];
  readonly source?: Source;
  /** Does it answer many records? */
  readonly many?: boolean;
  /** Does it change data? */
  readonly writes?: boolean;
  /** May the same request be sent twice without a second effect? */
  readonly repeatable?: boolean;
  /** The document's name for the type of the answer. */
  readonly output?: string;
  /**
   * How one that is not ordinary is undone: by this operation, which gets the values before where it is an update, else the
   * same body. `none`: not at all.
   */
  readonly reverse?: string;
  /** The fields of the answer, where they are not the resource's. */
  readonly answers?: Fields;
  /** The fields of the body, where they are not the resource's. */
  readonly takes?: Fields;
  readonly doc?: string;
  /** Things beside members that it adds to or removes from a record: the word for people, and the member of the body. */
  readonly adds?: Readonly<Record<string, string>>;
  readonly removes?: Readonly<Record<string, string>>;
}

export interface Operation<V extends Verb = Verb, R extends Routes = Routes> extends Given {
  readonly verb: V;
  /** The resource's name; set by defineResource. */
  readonly resource: string;
  /** The operation's name under its resource; set by defineResource. */
  readonly name: string;
  readonly routes: R;
  readonly labels: readonly Label[];
  readonly source: Source;
  /** Sources of single routes that differ from `source`, by route name. */
  readonly sources: Readonly<Record<string, Source>>;
  readonly many: boolean;
  readonly writes: boolean;
  readonly repeatable: boolean;
}
export type Operations = Readonly<Record<string, Operation>>;

interface More<R extends Routes> extends Given {
  readonly sources?: { readonly [N in keyof R]?: Source };
}

const READS: readonly Verb[] = ['list', 'get'];

const verb = <V extends Verb>(name: V) => {
  const defaults = {
    verb: name,
    resource: '',
    name: '',
    labels: [],
    source: 'document' as const,
    many: name === 'list',
    writes: !READS.includes(name),
    repeatable: name !== 'create',
  };
  return <const R extends Routes>(routes: R, more: More<R> = {}): Operation<V, R> => {
    const given: Given = more;
    const sources = (more.sources ?? {}) as Readonly<Record<string, Source>>;
    return { ...defaults, ...given, sources, routes };
  };
};

export const list = verb('list');
export const get = verb('get');
export const create = verb('create');
export const update = verb('update');
export const remove = verb('delete');
export const undelete = verb('undelete');
export const special = verb('special');
const refused = verb('unsupported');
/** An operation that the document lists as one that the service does not do (D29). */
export const unsupported = <const R extends Routes>(routes: R): Operation<'unsupported', R> =>
  refused(routes, { output: 'object' });
/** An operation of the embedded engine alone: it has no route. */
export const local = (more: More<Record<never, Route>>): Operation<'local', Record<never, Route>> =>
  verb('local')({}, { source: 'local', writes: true, ...more });

/** Does a request carry a body? Not where the operation `takes` no members. */
export const takesBody = ({ verb, writes, takes }: Operation): boolean =>
  verb === 'create' ||
  verb === 'update' ||
  (verb === 'special' && writes && (takes === undefined || Object.keys(takes).length > 0));

/** The parsed address of a route. */
export interface Address {
  readonly method: Method;
  readonly path: string;
  readonly segments: readonly string[];
  /** Names of the path's parameters, in order. */
  readonly params: readonly string[];
  readonly query: readonly string[];
}

/** Parses a route, once. */
export const addressOf: (route: Route) => Address = oncePerText((route) => {
  const [method, target = ''] = route.split(' ') as [Method, string];
  const [path = '', query] = target.split('?');
  const segments = path.split('/').slice(1);
  const params = segments.filter(isParam).map(paramName);
  return { method, path, segments, params, query: query ? query.split('&') : [] };
});

export const isParam = (segment: string): boolean => segment.startsWith('{');
export const paramName = (segment: string): string => segment.slice(1, -1);

/** Is the route a second spelling of another one? */
export const isAlias = (routeName: string): boolean => /^also[A-Z]/.test(routeName);

export const sourceOf = (operation: Operation, routeName: string): Source =>
  operation.sources[routeName] ?? operation.source;

/** The document's route of an operation, where its plain one is not in the document: it goes first (D39). */
export const documentRoute = (operation: Operation): string | undefined =>
  sourceOf(operation, 'plain') === 'document'
    ? undefined
    : Object.keys(operation.routes).find((name) => sourceOf(operation, name) === 'document');

/** The name of the route of an input: by default `plain`, or the first. */
export const routeName = ({ routes }: Operation, by?: string): string =>
  by ?? ('plain' in routes ? 'plain' : (Object.keys(routes)[0] ?? 'plain'));
