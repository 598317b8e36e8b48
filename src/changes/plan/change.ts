// A change as plain data, which can be planned, stored and sent.
import type { Found, Input, Session } from '../../contract/call.ts';
import { isWritable } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import type { Operation } from '../../contract/operation.ts';
import { isSoft, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { defined, nonEmpty } from '../../text/defined.ts';

/**
 * One change, before it is planned. The ID of a new record is there only where it is already chosen; with a `key` it must be
 * that very ID then.
 */
export interface Change extends Omit<PlannedRow, 'number' | 'undoes' | 'was' | 'also' | 'seen' | 'secret'> {
  /** The current record: the change is made only while the record stays so. */
  readonly now?: Row;
  /** SHA-256 of the file that holds the secrets of the change. */
  readonly sha256?: string;
}

/** The change that an operation makes with this input; `more` names the record. */
export function changeBy(
  { resource, name }: Operation,
  { by, params, query = {}, body }: Input,
  more: Pick<Change, 'id' | 'patch' | 'place'> = {},
): Change {
  const queries = Object.entries(query).map(([key, value]) => [key, String(value)]);
  const filled = { ...params, ...(Object.fromEntries(queries) as Record<string, string>) };
  return defined({ resource, operation: name, ...more, by, params: nonEmpty(filled), body });
}

/** The record that a change is about; undefined if it names none. An operation outside the contract is a defect. */
export async function findRecord(session: Session, change: Change): Promise<Found | undefined> {
  const { resource, operation, id, place = {} } = change;
  if (id === undefined) return undefined;
  const verb = resourceNamed(resource).operations[operation]?.verb;
  if (!verb) throw new Error(`the contract has no operation ${resource} ${operation}`);
  return session.find.record(resource, { id, place }, verb === 'delete' || verb === 'undelete' ? 'deleted' : undefined);
}

/** Is it a deletion without an undelete (D8)? An undo makes the record again from its last image. */
export function isFinalDeletion({ resource: name, operation }: Pick<Change, 'resource' | 'operation'>): boolean {
  const resource = resourceNamed(name);
  return resource.operations[operation]?.verb === 'delete' && !isSoft(resource);
}

/**
 * The changes, each final deletion with its current record. An engine keeps what it deletes: nothing is read there. `unread`:
 * the IDs of the records that no address shows; no undo makes them again.
 */
export async function readBeforeDeletion(session: Session, changes: readonly Change[]) {
  const unread = new Set<string>();
  if (session.local) return { changes, unread };
  const read: Change[] = [];
  for (const change of changes) {
    const found = isFinalDeletion(change) ? await findRecord(session, change) : undefined;
    if (found?.state === 'unseen') unread.add(change.id ?? '');
    read.push(found?.row ? { ...change, now: found.row } : change);
  }
  return { changes: read, unread };
}

/** The members of a record that can be sent back: writable ones, and those that the contract does not know (D11). */
export function writableBody(resource: Resource, record: Row): Record<string, Value> {
  const body: Record<string, Value> = {};
  for (const name in record) {
    const field = resource.fields[name];
    if (!field || (isWritable(field) && !field.writeOnly)) body[name] = record[name] ?? null;
  }
  return body;
}
