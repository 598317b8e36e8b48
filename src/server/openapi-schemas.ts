// The types of the contract as JSON Schemas: of answers, and of the bodies of new and changed records.
import { ERRORS } from '../contract/errors.ts';
import { docOf, type Field, type Fields, isWritable, type Kind } from '../contract/field.ts';
import { contract, resources } from '../contract/index.ts';
import { type Operation, takesBody } from '../contract/operation.ts';
import type { Resource } from '../contract/resource.ts';
import { tokenNamespace } from '../wire/codec.ts';
import { answerShape } from '../wire/shape.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
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

/** The name of the schema of a body. */
export const bodyName = (type: string, purpose: 'create' | 'update'): string =>
  `${type}${purpose === 'create' ? 'ToCreate' : 'ToUpdate'}`;

export const listName = (type: string): string => `ArrayOf${type}`;

/** Every schema that an operation names; `namespace` is that of XML. */
export function schemas(namespace: string): Record<string, JsonObject> {
  const all: Record<string, JsonObject> = {};
  for (const resource of resources) {
    for (const operation of Object.values(resource.operations)) {
      if (operation.verb !== 'local') addAnswer(all, operation, namespace);
    }
    for (const purpose of ['create', 'update'] as const) {
      if (takes(resource, purpose)) all[bodyName(resource.type, purpose)] = bodySchema(resource, purpose, namespace);
    }
  }
  addAnswer(all, contract.session.operations.login, tokenNamespace(namespace));
  all[contract.session.type] = bodySchema(contract.session, 'create', namespace);
  all.Problem = { ...PROBLEM, xml: { name: 'Problem', namespace } };
  return all;
}

const takes = ({ operations }: Resource, purpose: 'create' | 'update'): boolean =>
  operations[purpose] !== undefined && takesBody(operations[purpose]);

function addAnswer(all: Record<string, JsonObject>, operation: Operation, namespace: string): void {
  const { type, fields, xmlOrder } = answerShape(operation);
  all[type] ??= { ...answerSchema(fields, xmlOrder), xml: { name: type, namespace } };
  if (operation.many)
    all[listName(type)] = {
      type: 'array',
      items: { $ref: `#/components/schemas/${type}` },
      xml: { name: listName(type), namespace, wrapped: true },
    };
}

function answerSchema(fields: Fields, xmlOrder: readonly string[] | undefined): JsonObject {
  const shown = Object.entries(fields).filter(([, field]) => !field.writeOnly);
  return {
    type: 'object',
    ...(xmlOrder ? { description: `In XML the order of the members is ${xmlOrder.join(', ')}.` } : {}),
    properties: Object.fromEntries(shown.map(([name, field]) => [name, orNull(fieldSchema(field))])),
  };
}

function bodySchema(
  { type, fields, doc, open }: Resource,
  purpose: 'create' | 'update',
  namespace: string,
): JsonObject {
  const isRequired = (field: Field): boolean =>
    isWritable(field) && (field.rule === 'required' || field.rule === `required on ${purpose}`);
  const members = Object.entries(fields);
  const required = members.filter(([, field]) => isRequired(field)).map(([name]) => name);
  return {
    type: 'object',
    description: `${doc} Members that only the service sets may be sent and have no effect.`,
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(
      members
        .filter(([, field]) => !field.nullOnly)
        .map(([name, field]) => [name, bodyMember(field, isRequired(field))]),
    ),
    additionalProperties: open,
    xml: { name: type, namespace },
  };
}

function bodyMember(field: Field, isRequired: boolean): JsonObject {
  if (!isWritable(field)) return { description: 'Only the service sets it.' };
  // A record of an older database may have another name.
  const schema = fieldSchema(field.name ? { ...field, doc: docOf(field) } : field);
  return {
    ...(isRequired && !field.nullable ? schema : orNull(schema)),
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
    ...(choices ? { enum: Object.keys(choices).map(Number) } : {}),
    ...(deprecated ? { deprecated: true } : {}),
  };
}

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
