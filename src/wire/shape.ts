// Records as a codec knows them: their type, fields and order.
import type { Fields } from '../contract/field.ts';
import { resourceNamed } from '../contract/index.ts';
import type { Operation } from '../contract/operation.ts';
import { type Resource, singular } from '../contract/resource.ts';
import { fieldNamed } from '../contract/validate.ts';

export interface WireShape {
  /** The document's name of the type: the XML root. */
  readonly type: string;
  readonly fields: Fields;
  /** The record in a message: "the accountability". */
  readonly what: string;
  /** The order of the members in XML, where it is not the order of the fields (D23). */
  readonly xmlOrder?: readonly string[];
}

export function bodyShape(resource: Resource): WireShape {
  const { type, fields, xmlOrder } = resource;
  return { type, fields, what: `the ${singular(resource)}`, ...(xmlOrder ? { xmlOrder } : {}) };
}

export function answerShape(operation: Operation): WireShape {
  const shape = bodyShape(resourceNamed(operation.resource));
  if (!operation.answers) return shape;
  return { type: operation.output ?? shape.type, fields: operation.answers, what: shape.what };
}

/** The value of a member that the contract does not know. */
export type Loose = string | number | boolean | null | readonly Loose[] | { readonly [name: string]: Loose };

/** A record or a body, by the contract's names. */
export type Members = Readonly<Record<string, unknown>>;

/** Takes the members of the wrapper around a list. */
export type OnWrapper = (members: Members) => void;

export interface Writer {
  /** The text of one record, or of none. */
  one(row: Members | null): string;
  /** A list is `opening`, its members with `between` between them, and `closing`. */
  readonly opening: string;
  readonly between: string;
  member(row: Members): string;
  readonly closing: string;
}

/** The contract's name of a member of an answer in any case, also of `first_name`; undefined for an unknown one. */
export const memberNamed = (fields: Fields, given: string): string | undefined => {
  if (Object.hasOwn(fields, given)) return given;
  return fieldNamed(fields, given) ?? (given.includes('_') ? fieldNamed(fields, given.replaceAll('_', '')) : undefined);
};

/** The record with these members first, in this order. */
export function inOrder<T extends Members>(names: readonly string[], row: T): T {
  if (isInOrder(names, row)) return row;
  const ordered: Record<string, unknown> = {};
  for (const name of names) if (row[name] !== undefined) ordered[name] = row[name];
  // Object.assign keeps the place of existing names.
  return Object.assign(ordered, row);
}

/** Are these the first members already? */
function isInOrder(names: readonly string[], row: Members): boolean {
  let at = 0;
  for (const name in row) {
    if (at === names.length) return true;
    if (name !== names[at++]) return false;
  }
  return at === names.length;
}
