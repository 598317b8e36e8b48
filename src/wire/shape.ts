// What a codec has to know of the records it writes and reads: their type, fields and order.
import type { Fields } from '../contract/field.ts';
import { resourceNamed } from '../contract/index.ts';
import type { Operation } from '../contract/operation.ts';
import { type Resource, singular } from '../contract/resource.ts';

export interface WireShape {
  /** The document's name of the type: the XML root. */
  readonly type: string;
  readonly fields: Fields;
  /** The record in a sentence: "the accountability". */
  readonly what: string;
  /** The order of the members in XML, where it is not the order of the fields (D23). */
  readonly xmlOrder?: readonly string[];
}

/** The shape of a resource's own records, which is also that of its bodies. */
export function bodyShape(resource: Resource): WireShape {
  const { type, fields, xmlOrder } = resource;
  return { type, fields, what: `the ${singular(resource)}`, ...(xmlOrder ? { xmlOrder } : {}) };
}

/** The shape of what an operation answers: one record, or each of a list. */
export function answerShape(operation: Operation): WireShape {
  const shape = bodyShape(resourceNamed(operation.resource));
  if (!operation.answers) return shape;
  return { type: operation.output ?? shape.type, fields: operation.answers, what: shape.what };
}
