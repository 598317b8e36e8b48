// What names behind figures are read with, and how one is written down.
import type { Input, Session } from '../../contract/call.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import { NOT_THERE, orNone } from '../selectors/records.ts';
import { barWith, type Picture } from './picture.ts';

/** One record that is not met. */
export interface Gap {
  readonly name: string;
  /** The name of its owner; undefined where the report does not know it. */
  readonly whose: string | undefined;
  /** Its day or its value: `due 2026-03-01`; may be empty. */
  readonly detail: string;
}

/** What is not met of one kind; without `gaps` the caller may not read which. */
export interface Unmet {
  readonly title: string;
  readonly gaps: readonly Gap[] | undefined;
}

/** What the lists are read with; without the ID of a period, the service takes the current one (D28). */
export interface Reading {
  readonly session: Session;
  readonly period: string | undefined;
  readonly now: Date;
}

/** The names of those whom a dashboard counts, by their IDs. */
export interface Scope {
  readonly units: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, string>;
}

/** The errors of a dashboard or a list that the caller may not read, or that the service does not have. */
export const UNREADABLE: readonly ErrorCode[] = [
  ...NOT_THERE,
  ...(['forbidden', 'admin_only', 'global_admin_only', 'feature_off', 'method', 'unsupported'] as const),
];

export type Listed = Promise<readonly Row[] | undefined>;

/** All records of a list; undefined where the caller may not read it. */
export const listed = ({ session }: Pick<Reading, 'session'>, operation: Operation, input: Input): Listed =>
  orNone(collect(session.list(operation, input)), UNREADABLE);

/** Does the bar of this member say that a part of the whole is missing? */
export function isMissing(picture: Picture, member: string): boolean {
  const { value = null, of = null } = barWith(picture, member) ?? {};
  return value !== null && of !== null && value < of;
}

/** The day of a date or a time, as yyyy-mm-dd; blank without one. */
export const dayOf = (value: Value | undefined): string => String(value ?? '').slice(0, 10);

export const nameIn = ({ Name }: Row): string => String(Name ?? '');
