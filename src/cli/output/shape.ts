// How records are laid out for printing: the answer of an operation, or records that pm itself makes.
import { type Field, type Fields, integer, text } from '../../contract/field.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource } from '../../contract/resource.ts';
import type { Shape } from './index.ts';

export function shapeOf(resource: Resource, operation?: Operation): Shape {
  if (operation?.answers) return shapeFrom(operation.output ?? resource.type, operation.answers);
  const fields = Object.fromEntries(Object.entries(resource.fields).filter(([, field]) => !field.writeOnly));
  const { type, columns, xmlOrder } = resource;
  return { fields, type, columns, ...(xmlOrder ? { xmlOrder } : {}) };
}

/** The shape of records with these fields; a table shows all of them unless `columns` names some. */
export const shapeFrom = (type: string, fields: Fields, columns = Object.keys(fields)): Shape => ({
  type,
  fields,
  columns,
});

const fieldsOf = (names: readonly string[], field: Field): Fields =>
  Object.fromEntries(names.map((name) => [name, field]));

/** Read-only fields of these names that hold texts. */
export const texts = (...names: readonly string[]): Fields => fieldsOf(names, text('read-only'));

/** Read-only fields of these names that hold whole numbers. */
export const integers = (...names: readonly string[]): Fields => fieldsOf(names, integer('read-only'));
