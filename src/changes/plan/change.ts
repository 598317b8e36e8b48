// A change as plain data, which can be planned, stored and sent.
import type { Found, Input, Session } from '../../contract/call.ts';
import { isWritable } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { defined, nonEmpty } from '../../text/defined.ts';

/** One change, before it is planned. */
export interface Change {
  /** The resource's name. */
  readonly resource: string;
  /** The operation's name under its resource. */
  readonly operation: string;
  /** The record; of a new one only where its ID is already chosen. */
  readonly id?: string;
  /** The address, its parameters and queries, where it is not the operation's own with the ID alone. */
  readonly by?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Members to change: they are merged into the record, which is sent back whole (D10). */
  readonly patch?: Readonly<Record<string, unknown>>;
  /** Members by which a list shows the record, where they are known. */
  readonly place?: Row;
  /** The current record: the change is made only while the record stays so. */
  readonly now?: Row;
  /** The number of the input file, where the job has several. */
  readonly source?: number;
  readonly line?: number;
  /** Members that hold the planned ID of a record which the service will know by another ID. */
  readonly awaits?: readonly string[];
  /** Members of the body by which a record was looked for, and not found. With the ID, the new record must have that very ID. */
  readonly key?: readonly string[];
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

/** The record that a change is about; undefined where it names none. An operation outside the contract is a defect. */
export async function findRecord(session: Session, change: Change): Promise<Found | undefined> {
  const { resource, operation, id, place = {} } = change;
  if (id === undefined) return undefined;
  const verb = resourceNamed(resource).operations[operation]?.verb;
  if (!verb) throw new Error(`the contract has no operation ${resource} ${operation}`);
  return session.find.record(resource, { id, place }, verb === 'delete' || verb === 'undelete' ? 'deleted' : undefined);
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
