// The description of the interface as OpenAPI 3.1, derived from the contract.
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import { contract, everyResource, resources } from '../contract/index.ts';
import {
  type Address,
  addressOf,
  isAlias,
  isParam,
  type Operation,
  type Route,
  sourceOf,
  takesBody,
} from '../contract/operation.ts';
import { paramsOf, QUERIES } from '../contract/params.ts';
import { plural, type Resource, singular } from '../contract/resource.ts';
import { valueAt } from '../text/once-per.ts';
import { NAMESPACE } from '../wire/codec.ts';
import { MEDIA_TYPES } from '../wire/media.ts';
import { answerShape } from '../wire/shape.ts';
import { bodyName, type JsonObject, listName, parameterSchema, schemas } from './openapi-schemas.ts';
import { PREFIX } from './routing.ts';

/** The whole document; `namespace` is that of XML. */
export function openApi(namespace: string = NAMESPACE): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Performance management, interface v4',
      version: '4',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: PREFIX }],
    security: [{ basic: [] }],
    tags: tagged.map(({ command, doc }) => ({ name: command, description: doc })),
    paths: paths(),
    components: {
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description:
            'A user name with its password, or with a token behind {SiteToken}, {UserToken} or {SessionToken}.',
        },
      },
      parameters: { IfMatch: IF_MATCH, IfNoneMatch: IF_NONE_MATCH },
      headers: { ETag: ETAG },
      requestBodies: Object.fromEntries(
        tagged.flatMap(bodiesOf).map((name) => [name, { required: true, content: content(name) }]),
      ),
      responses: {
        ...Object.fromEntries(tagged.flatMap(successesOf)),
        NotModified: { description: 'The record is as it was read.', headers: TAGGED },
        ...Object.fromEntries(FAILURES.map((code) => [failureName(code), failure(code)])),
      },
      schemas: schemas(namespace),
    },
  };
}

const INTRODUCTION = [
  'Every operation is answered as JSON or XML, in the media type that Accept asks for, and takes a body in any of them.',
  'Names of members and paths fit in any case. A date without an offset is taken where tz names a zone.',
].join('\n\n');

const FAILURES: readonly ErrorCode[] = [
  ...(['invalid', 'unauthorized', 'too_many', 'forbidden', 'not_found', 'unsupported', 'not_acceptable'] as const),
  ...(['conflict', 'drifted', 'too_large', 'media_type', 'busy'] as const),
];
const READING: readonly ErrorCode[] = ['invalid', 'unauthorized', 'forbidden', 'not_found', 'not_acceptable'];
const REFUSING: readonly ErrorCode[] = ['unauthorized', 'unsupported'];
const WRITING: readonly ErrorCode[] = [...READING, 'conflict', 'drifted', 'too_large', 'media_type', 'busy'];

const IF_MATCH: JsonObject = {
  name: 'If-Match',
  in: 'header',
  description: 'ETags of the record as it was read; where it has another one now, nothing is changed.',
  schema: { type: 'string' },
};
const IF_NONE_MATCH: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'ETags of the record as it was read; where it still has one of them, it is not sent again.',
  schema: { type: 'string' },
};
const TAGGED: JsonObject = { ETag: { $ref: '#/components/headers/ETag' } };
const ETAG: JsonObject = {
  description: 'Changes whenever something of the record changes that people can change.',
  schema: { type: 'string' },
};

const remote = ({ operations }: Resource): readonly Operation[] =>
  Object.values(operations).filter(({ verb }) => verb !== 'local');

const tagged = everyResource.filter((resource) => remote(resource).length > 0);

interface OperationRoute {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly by: string;
  readonly address: Address;
}

/** Addresses that differ only in the names of their parameters are one path, with the names of the first. */
function paths(): JsonObject {
  const items = new Map<string, { readonly path: string; readonly methods: Record<string, JsonObject> }>();
  for (const route of operationRoutes()) {
    const { segments, path, method } = route.address;
    const key = segments.map((segment) => (isParam(segment) ? '{}' : segment.toLowerCase())).join('/');
    const item = valueAt(items, key, () => ({ path, methods: {} }));
    // Where two operations share an address, the first one answers it.
    item.methods[method.toLowerCase()] ??= described(route, addressOf(`GET ${item.path}` as Route));
  }
  return Object.fromEntries([...items.values()].map(({ path, methods }) => [path, methods]));
}

/** The routes, then their aliases, in the order of routing. */
function operationRoutes(): readonly OperationRoute[] {
  const all = tagged.flatMap((resource) =>
    Object.values(resource.operations).flatMap((operation) =>
      Object.entries(operation.routes).map(
        ([by, route]): OperationRoute => ({ resource, operation, by, address: addressOf(route) }),
      ),
    ),
  );
  return [...all.filter(({ by }) => !isAlias(by)), ...all.filter(({ by }) => isAlias(by))];
}

/** `named`: the address that gives the path the names of its parameters. */
function described(route: OperationRoute, named: Address): JsonObject {
  const { resource, operation, by } = route;
  const isLogin = operation === contract.session.operations.login;
  const schema = bodyOf(resource, operation);
  const codes = operation.verb === 'unsupported' ? REFUSING : operation.writes ? WRITING : READING;
  return {
    operationId: `${resource.name}_${operation.name}_${by}`,
    summary: summary(route),
    description: `Known from: ${sourceOf(operation, by)}.${labels(operation)}`,
    tags: [resource.command],
    ...(isLogin ? { security: [] } : {}),
    ...parameters(route, named),
    ...(schema === undefined ? {} : { requestBody: { $ref: `#/components/requestBodies/${schema}` } }),
    responses: {
      ...(operation.verb === 'unsupported' ? {} : { 200: { $ref: `#/components/responses/${answerOf(operation)}` } }),
      ...(isConditional(operation) ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
      ...Object.fromEntries(
        FAILURES.filter((code) => codes.includes(code)).map((code) => [
          String(ERRORS[code].status),
          { $ref: `#/components/responses/${failureName(code)}` },
        ]),
      ),
      ...(isLogin ? { 429: { $ref: '#/components/responses/TooMany' } } : {}),
    },
  };
}

function summary({ resource, operation, by }: OperationRoute): string {
  if (operation.doc) return operation.doc;
  const one = singular(resource);
  const words: Readonly<Record<string, string>> = {
    list: `Lists ${plural(resource)}`,
    get: `Reads one ${one}`,
    create: `Makes a new ${one}`,
    update: `Replaces the ${one}`,
    delete: `Deletes the ${one}`,
    unsupported: `The service does not ${operation.name} an ${one}`,
    undelete: `Brings the deleted ${one} back`,
  };
  const sentence = words[operation.verb] ?? operation.name;
  return `${sentence}${by === 'plain' ? '' : ` (${by.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)})`}.`;
}

function labels({ labels: given }: Operation): string {
  const words = { PM: 'sites with performance management', Admin: 'administrators', GA: 'global administrators' };
  return given.length === 0 ? '' : ` Only for ${given.map((label) => words[label]).join(' and ')}.`;
}

function parameters({ resource, operation, address }: OperationRoute, named: Address): JsonObject {
  const inPath = paramsOf(resources, resource, operation.many, address).map(({ field }, at) => ({
    name: named.params[at] ?? '',
    in: 'path',
    required: true,
    ...(field.doc ? { description: field.doc } : {}),
    schema: parameterSchema(field),
  }));
  const inQuery = address.query.map((name) => {
    const field = QUERIES[name.toLowerCase()];
    if (!field) throw new Error(`${address.path}: the query ${name} is not in the contract`);
    return { name, in: 'query', ...(field.doc ? { description: field.doc } : {}), schema: parameterSchema(field) };
  });
  const changes = operation.writes && operation.verb !== 'create' && operation.repeatable;
  const condition = changes ? 'IfMatch' : isConditional(operation) ? 'IfNoneMatch' : undefined;
  const all = [...inPath, ...inQuery, ...(condition ? [{ $ref: `#/components/parameters/${condition}` }] : [])];
  return all.length > 0 ? { parameters: all } : {};
}

/** The name of the schema of a body; undefined without a body. */
function bodyOf(resource: Resource, operation: Operation): string | undefined {
  if (resource === contract.session) return resource.type;
  if (!takesBody(operation)) return undefined;
  return bodyName(resource.type, operation.verb === 'create' || operation.many ? 'create' : 'update');
}

const bodiesOf = (resource: Resource): readonly string[] =>
  remote(resource).flatMap((operation) => bodyOf(resource, operation) ?? []);

function answerOf(operation: Operation): string {
  const { type } = answerShape(operation);
  return operation.many ? listName(type) : type;
}

const successesOf = (resource: Resource): readonly (readonly [string, JsonObject])[] =>
  remote(resource).map((operation) => [answerOf(operation), success(operation)]);

function success(operation: Operation): JsonObject {
  return {
    description: operation.many ? 'The list.' : 'The record.',
    ...(hasTag(operation) ? { headers: TAGGED } : {}),
    content: content(answerOf(operation)),
  };
}

const hasTag = ({ many, answers }: Operation): boolean => !many && !answers;
const isConditional = (operation: Operation): boolean =>
  hasTag(operation) && !operation.writes && operation.verb !== 'unsupported';

/** `TooMany`. */
const failureName = (code: ErrorCode): string =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_start, letter: string) => letter.toUpperCase());

const failure = (code: ErrorCode): JsonObject => ({
  description: `${ERRORS[code].title}.`,
  content: content('Problem'),
});

const content = (schema: string): JsonObject =>
  Object.fromEntries(MEDIA_TYPES.map((media) => [media, { schema: { $ref: `#/components/schemas/${schema}` } }]));
