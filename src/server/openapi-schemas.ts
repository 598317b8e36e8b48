// The types of the contract as JSON Schemas: of answers, and of the bodies of new and changed records.
import { ERRORS } from '../contract/errors.ts';
import { docOf, type Field, type Fields, isWritable, type Kind } from '../contract/field.ts';
import { contract, resources } from '../contract/index.ts';
import { type Operation, takesBody } from '../contract/operation.ts';
import { recordAddresses } from '../contract/record-address.ts';
import type { Resource } from '../contract/resource.ts';
import { grouped } from '../text/batches.ts';
import { tokenNamespace } from '../wire/codec.ts';
import { answerShape } from '../wire/shape.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = Readonly<Record<string, Json>>;

const KINDS: Readonly<Record<Kind, JsonObject>> = {
  guid: { type: 'string', format: 'uuid' },
  guids: { type: 'array', items: { type: 'string', format: 'uuid' } },
  text: { type: 'string' },
  integer: { type: 'integer', format: 'int32' },
  byte: { type: 'integer', minimum: 0, maximum: 255 },
  decimal: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  day: { type: 'string', description: 'A day as yyyy-mm-dd, or a date-time with its offset.' },
  stamp: {
    type: 'string',
    format: 'date-time',
    description: 'In XML a structure of DateTime (UTC) and OffsetMinutes.',
  },
  bytes: { type: 'string', contentEncoding: 'base64' },
};

/** A parameter of a path or a query. */
export const parameterSchema = (field: Field): JsonObject => {
  const { description: _said, ...schema } = fieldSchema(field);
  return schema;
};

export const bodyName = (type: string, purpose: 'create' | 'update'): string =>
  `${type}${purpose === 'create' ? 'ToCreate' : 'ToUpdate'}`;

export const listName = (type: string): string => `ArrayOf${type}`;

/** Every schema that an operation names; `namespace` is that of XML. */
export function schemas(namespace: string): Record<string, JsonObject> {
  const all: Record<string, JsonObject> = {};
  const named = (name: string, schema: JsonObject, space = namespace): void => {
    all[name] = { ...schema, xml: { name, namespace: space } };
  };
  for (const [type, operations] of answersByType()) {
    named(type, answerSchema(operations));
    if (operations.some(({ many }) => many)) all[listName(type)] = listSchema(type, namespace);
  }
  for (const resource of resources) {
    for (const purpose of ['create', 'update'] as const)
      if (takes(resource, purpose)) named(bodyName(resource.type, purpose), bodySchema(resource, purpose));
  }
  const { session } = contract;
  named(
    answerShape(session.operations.login).type,
    answerSchema([session.operations.login]),
    tokenNamespace(namespace),
  );
  named(session.type, bodySchema(session, 'create'));
  named('Problem', PROBLEM);
  return all;
}

const takes = ({ operations }: Resource, purpose: 'create' | 'update'): boolean =>
  operations[purpose] !== undefined && takesBody(operations[purpose]);

function answersByType(): ReadonlyMap<string, readonly Operation[]> {
  const all = resources.flatMap(({ operations }) => Object.values<Operation>(operations));
  const remote = all.filter(({ verb }) => verb !== 'local');
  return grouped(remote, (operation) => answerShape(operation).type);
}

const listSchema = (type: string, namespace: string): JsonObject => ({
  type: 'array',
  items: { $ref: `#/components/schemas/${type}` },
  xml: { name: listName(type), namespace, wrapped: true },
});

/** One type for all the operations that answer it; required are the members that each of them answers. */
function answerSchema(operations: readonly Operation[]): JsonObject {
  const shapes = operations.map(answerShape);
  const fields: Fields = Object.assign({}, ...shapes.map((shape) => shape.fields));
  const shown = Object.entries(fields).filter(([, field]) => !field.writeOnly);
  const isAlways = (name: string): boolean => shapes.every((shape) => Object.hasOwn(shape.fields, name));
  const schemaOf = (name: string, field: Field): JsonObject =>
    operations.every((operation) => isNeverNull(operation, name, field))
      ? fieldSchema(field)
      : orNull(fieldSchema(field));
  const xmlOrder = shapes[0]?.xmlOrder;
  return {
    type: 'object',
    ...(xmlOrder ? { description: `In XML the order of the members is ${xmlOrder.join(', ')}.` } : {}),
    required: shown.map(([name]) => name).filter(isAlways),
    properties: Object.fromEntries(shown.map(([name, field]) => [name, schemaOf(name, field)])),
  };
}

/** Is the member of an answer never null? The records that a new site begins with may have no ID yet. */
function isNeverNull(operation: Operation, name: string, field: Field): boolean {
  if (operation.resource === contract.session.name) return true;
  if (name === 'ID') return operation.name !== 'defaults';
  if (field.nullable || field.nullOnly) return false;
  const isOwner = field.owner === true && field.rule === 'required on create';
  return isOwner || field.rule === 'required' || name === 'SiteID' || isFlag(field);
}

/** A mark that the service sets, such as of a deleted record or of a right of the caller. */
const isFlag = ({ kind, rule }: Field): boolean => kind === 'boolean' && rule === 'read-only';

function bodySchema(resource: Resource, purpose: 'create' | 'update'): JsonObject {
  const { fields, doc, open, operations } = resource;
  // Members that an address fills need not stand in the body.
  const operation = operations[purpose];
  const addresses = operation ? recordAddresses(resource, operation) : [];
  const filled = new Set(['ID', ...addresses.flatMap((address) => address.filled.map(({ member }) => member))]);
  const isRequired = (name: string, field: Field): boolean =>
    isWritable(field) && !filled.has(name) && (field.rule === 'required' || field.rule === `required on ${purpose}`);
  const members = Object.entries(fields);
  const required = members.filter(([name, field]) => isRequired(name, field)).map(([name]) => name);
  return {
    type: 'object',
    description: `${doc} Members that only the service sets may be sent and have no effect.`,
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(members.map(([name, field]) => [name, bodyMember(field, isRequired(name, field))])),
    additionalProperties: open,
  };
}

function bodyMember(field: Field, isRequired: boolean): JsonObject {
  if (field.nullOnly) return { type: 'null', description: 'Always null.', deprecated: true };
  if (!isWritable(field)) return { readOnly: true, description: 'Only the service sets it.' };
  // Answers promise no form of a name: a record may be older than the rule.
  const { deprecated, ...schema } = fieldSchema(field.name ? { ...field, doc: docOf(field) } : field);
  return {
    ...(isRequired && !field.nullable ? schema : orNull(schema)),
    // Pages leave a deprecated member out of their example: one that is required is needed there.
    ...(deprecated && !isRequired ? { deprecated } : {}),
    ...(field.writeOnly ? { writeOnly: true } : {}),
    ...(field.initial === undefined ? {} : { default: field.initial }),
  };
}

function fieldSchema({ kind, max, doc, deprecated, pattern, choices }: Field): JsonObject {
  const words = [doc, KINDS[kind].description, choices && wordsOf(choices)].filter((one) => one !== undefined);
  return {
    ...KINDS[kind],
    ...(words.length > 0 ? { description: words.join(' ') } : {}),
    ...(max === undefined ? {} : { maxLength: max }),
    // A schema has no way to ignore case.
    ...(pattern && pattern.flags === '' ? { pattern: pattern.source } : {}),
    // Without one, pages make up an example of any characters.
    ...(pattern?.test(EXAMPLE) ? { examples: [EXAMPLE] } : {}),
    ...(choices ? { enum: Object.keys(choices).map(Number) } : {}),
    ...(deprecated ? { deprecated: true } : {}),
  };
}

const EXAMPLE = 'string';

const wordsOf = (choices: Readonly<Record<number, string>>): string =>
  `${Object.entries(choices)
    .map(([number, word]) => `${number} is ${word}`)
    .join(', ')}.`;

const orNull = (schema: JsonObject): JsonObject => ({
  ...schema,
  type: [schema.type as string, 'null'],
  ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
});

const FAULT = {
  type: 'object',
  required: ['field', 'code', 'message'],
  properties: {
    field: { type: 'string' },
    code: { type: 'string' },
    message: { type: 'string' },
    hint: { type: 'string' },
  },
  xml: { name: 'error' },
};

const PROBLEM: JsonObject = {
  type: 'object',
  description: 'What went wrong, with the members of RFC 9457.',
  required: ['type', 'title', 'status', 'code', 'detail', 'instance', 'errors'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(ERRORS) },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'The path of the request.' },
    next: {
      type: 'object',
      description: 'A request that comes next, where there is one: to read the record, to undelete it, to log in.',
      required: ['method', 'href'],
      properties: { method: { type: 'string' }, href: { type: 'string', format: 'uri-reference' } },
    },
    errors: {
      type: 'array',
      description: 'Each fault of a body or an address.',
      items: FAULT,
      xml: { name: 'errors', wrapped: true },
    },
  },
};
