// Compares the answer of a service with the request: members that were not set, that were lost, and that it writes otherwise.
import { ServiceError } from '../../contract/errors.ts';
import { type Field, isDate, isWritable } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import type { Next } from '../../contract/next.ts';
import type { Operation } from '../../contract/operation.ts';
import { isSoft, type Resource, type Row, singular } from '../../contract/resource.ts';
import { dateKey } from '../../contract/same-values.ts';
import { isSame } from '../plan/drift.ts';

type Members = Readonly<Record<string, unknown>>;

export interface Comparison {
  /** Members that were to be set and have another value. */
  readonly missing: readonly string[];
  /** Members that were to stay and have another value. */
  readonly lost: readonly string[];
  /** Members whose value means the same, and is written otherwise. */
  readonly respelled: readonly string[];
}

interface Exchange {
  readonly wanted: Members;
  /** Members by which a new record was looked for; with the ID it must have that very ID. */
  readonly key?: readonly string[] | undefined;
  /** The record as it was read before. */
  readonly now: Row | undefined;
  readonly after: Row;
}

/** `after`: the record as the service answers it; an empty one says nothing. */
export function compareAnswer(resource: Resource, { wanted, key, now, after }: Exchange): Comparison {
  if (Object.keys(after).length === 0) return { missing: [], lost: [], respelled: [] };
  const differing = Object.keys(wanted).filter(
    (name) =>
      (isCompared(resource.fields[name], name) || (name === 'ID' && key?.includes(name))) &&
      !isSame(resource, name, wanted[name], after[name]),
  );
  const respelled = differing.filter((name) => meansTheSame(resource.fields[name], wanted[name], after[name]));
  const missing = differing.filter((name) => !respelled.includes(name));
  const lost = Object.keys(now ?? {}).filter(
    (name) => !Object.hasOwn(wanted, FOLLOWED[name] ?? name) && isLost(resource, name, now, after),
  );
  return { missing: isDeletedOtherwise(wanted, after) ? [...missing, 'Deleted'] : missing, lost, respelled };
}

/** Members that a service changes with another one (D14). */
const FOLLOWED: Readonly<Record<string, string>> = { UserEmail: 'Email' };

const isCompared = (field: Field | undefined, name: string): boolean =>
  name !== 'ID' && (!field || (isWritable(field) && !field.writeOnly));

/** Does the answer say otherwise whether the record is deleted? An answer without such a mark says nothing. */
const isDeletedOtherwise = ({ Deleted: wanted }: Members, { Deleted }: Row): boolean =>
  typeof wanted === 'boolean' && typeof Deleted === 'boolean' && wanted !== Deleted;

/** A member that the contract does not know may be the service's own, such as a count of versions: it is lost where it is gone. */
function isLost({ fields, ...resource }: Resource, name: string, now: Row = {}, after: Row): boolean {
  const field = fields[name];
  if (!isCompared(field, name)) return false;
  const [before, left] = [now[name] ?? null, after[name] ?? null];
  if (!field) return before !== null && left === null;
  return !isSame({ ...resource, fields }, name, before, left) && !meansTheSame(field, before, left);
}

/** Outer blanks, line ends, the case of an e-mail address, the offset of a moment, a day without its time. */
function meansTheSame(field: Field | undefined, one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string')
    return Number(one) === Number(other) && isNumeric(one, other);
  const [a, b] = [plainText(one), plainText(other)];
  if (a === b || (a.includes('@') && a.toLowerCase() === b.toLowerCase())) return true;
  return field !== undefined && isDate(field) && dateKey(field, a) === dateKey(field, b);
}

const isNumeric = (...values: readonly unknown[]): boolean =>
  values.every((value) => typeof value === 'number' || (typeof value === 'string' && value.trim() !== ''));

const plainText = (text: string): string => text.trim().replace(/\r\n?/g, '\n');

/** The values that a row wanted: of a change or a new record, or the mark of deletion. */
export function wantedOf(resource: Resource, { verb }: Operation, { patch, body }: PlannedRow): Members {
  // A final deletion is answered with the record as it was.
  if (verb === 'delete') return isSoft(resource) ? { Deleted: true } : {};
  if (verb === 'undelete') return { Deleted: false };
  return patch ?? (verb === 'create' ? body : undefined) ?? {};
}

/** The failure of a final deletion that was answered and not made. */
export function keptError({ resource: name, id = '' }: PlannedRow): ServiceError {
  const what = `the ${singular(resourceNamed(name))} ${id} is still there: the service answered its deletion, and did not make it`;
  return new ServiceError('altered', what, { next: { do: 'list', resource: name } });
}

/** The failure of a row whose answer differs from the row; undefined if it does not. */
export function alteredError(what: string, { missing, lost }: Comparison, next: Next): ServiceError | undefined {
  const parts = [
    missing.length > 0 ? `did not set ${missing.join(', ')} as wanted` : '',
    lost.length > 0 ? `changed ${lost.join(', ')}, which should have stayed` : '',
  ].filter(Boolean);
  if (parts.length === 0) return undefined;
  return new ServiceError('altered', `${what} was not changed as asked: the service ${parts.join(', and ')}`, {
    next,
  });
}
