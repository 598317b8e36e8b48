// A change as a value: what somebody wants, as plain data that can be planned, kept and sent.
import type { Found, Input, Session } from '../../contract/call.ts';
import { isWritable } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';

/** One change as somebody wants it. */
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
  /** Members to change: the record is read, these are put in, and all of it is sent back (D10). */
  readonly patch?: Readonly<Record<string, unknown>>;
  /** Members by which a list shows the record, as far as they are known. */
  readonly place?: Row;
  /** The record as it stands; the change is then made only while it still does. */
  readonly now?: Row;
  /** Which of the job's input files it is from, where there are several. */
  readonly source?: number;
  readonly line?: number;
  /** Members that hold the planned ID of a record which the service will know by another one. */
  readonly awaits?: readonly string[];
  /** The SHA-256 of the file that the change's secrets stand in. */
  readonly sha256?: string;
}

/** The change that an operation makes with this input, of the record that `more` says. */
export function changeBy(
  { resource, name }: Operation,
  { by, params, query = {}, body }: Input,
  more: Pick<Change, 'id' | 'patch' | 'place'> = {},
): Change {
  const queries = Object.entries(query).map(([key, value]) => [key, String(value)]);
  const filled = { ...params, ...(Object.fromEntries(queries) as Record<string, string>) };
  return {
    ...{ resource, operation: name, ...more },
    ...(by === undefined ? {} : { by }),
    ...(Object.keys(filled).length > 0 ? { params: filled } : {}),
    ...(body ? { body } : {}),
  };
}

/** What the operation of a change does; asking for one that is not in the contract is a defect. */
export function verbOf({ resource, operation }: Pick<Change, 'resource' | 'operation'>): Operation['verb'] {
  const found = resourceNamed(resource).operations[operation];
  if (!found) throw new Error(`the contract has no operation ${resource} ${operation}`);
  return found.verb;
}

/** How the record stands that a change is about; undefined where it is about none. */
export async function find(session: Session, change: Change): Promise<Found | undefined> {
  const { resource, id, place = {} } = change;
  if (id === undefined) return undefined;
  const verb = verbOf(change);
  return session.find.record(resource, { id, place }, verb === 'delete' || verb === 'undelete' ? 'deleted' : undefined);
}

/** What a fetched record sends back: its writable members, and unknown ones where the resource is open (D11). */
export function writableBody(resource: Resource, record: Row): Record<string, Value> {
  const body: Record<string, Value> = {};
  for (const name in record) {
    const field = resource.fields[name];
    if (field ? isWritable(field) && !field.writeOnly : resource.open) body[name] = record[name] ?? null;
  }
  return body;
}
