// How an operation's answer is laid out for printing.
import type { Operation } from '../../contract/operation.ts';
import type { Resource } from '../../contract/resource.ts';
import type { Shape } from './index.ts';

export function shapeOf(resource: Resource, operation?: Operation): Shape {
  if (operation?.answers) {
    return {
      fields: operation.answers,
      type: operation.output ?? resource.type,
      columns: Object.keys(operation.answers),
    };
  }
  const fields = Object.fromEntries(Object.entries(resource.fields).filter(([, field]) => !field.writeOnly));
  const { type, columns, xmlOrder } = resource;
  return { fields, type, columns, ...(xmlOrder ? { xmlOrder } : {}) };
}
