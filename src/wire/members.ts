// The members of records on the wire: by which names, and what a writer of them offers.
import type { Fields } from '../contract/field.ts';
import { fieldNamed } from '../contract/validate.ts';

/** A value of a member that the contract does not know: whatever the other side sent. */
export type Loose = string | number | boolean | null | readonly Loose[] | { readonly [name: string]: Loose };

/** What a writer takes: a record or a body, by the contract's names. */
export type Members = Readonly<Record<string, unknown>>;

export interface Writer {
  /** A whole text of one record, or of none. */
  one(row: Members | null): string;
  /** A list is its opening, its members one by one with `between` between them, and its closing. */
  readonly opening: string;
  readonly between: string;
  member(row: Members): string;
  readonly closing: string;
}

/** The contract's name of a member that is spelled in any case; undefined for one that it does not know. */
export const memberNamed = (fields: Fields, given: string): string | undefined =>
  Object.hasOwn(fields, given) ? given : fieldNamed(fields, given);
