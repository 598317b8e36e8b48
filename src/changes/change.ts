// A change as a value, and its rehearsal.
import type { Found, Input, Session } from '../contract/call.ts';
import { isWritable } from '../contract/field.ts';
import type { Operation } from '../contract/operation.ts';
import type { Resource, Row, Value } from '../contract/resource.ts';
import { unfound } from './unfound.ts';

export interface Change {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly input: Input;
  /** The record it is about; a record that is made has none yet. */
  readonly id?: string;
  /** Members to change: the record is read, these are put in, and all of it is sent back (D10). */
  readonly patch?: Readonly<Record<string, unknown>>;
  /** Members by which a list shows the record, as far as they are known: its owners. */
  readonly place?: Row;
}

export interface Outcome {
  readonly change: Change;
  readonly before: Row | undefined;
  readonly after: Row;
  /** What the same change made besides. */
  readonly others: readonly Row[];
}

/**
 * What would happen. The embedded engine makes the changes by its rules and takes them all back, and throws the error
 * that would stop them. A remote service is only read: what it would refuse is not known before it is asked.
 */
export async function rehearse(session: Session, changes: readonly Change[]): Promise<readonly Outcome[]> {
  const { local } = session;
  const outcomes: Outcome[] = [];
  if (!local) {
    for (const change of changes) outcomes.push(await foresee(session, change));
    return outcomes;
  }
  await local.rehearse(async (inside) => {
    for (const change of changes) outcomes.push(...eachMade(await perform(inside, change)));
  });
  return outcomes;
}

/** An outcome for each record that a change made. */
const eachMade = (outcome: Outcome): readonly Outcome[] => [
  { ...outcome, others: [] },
  ...outcome.others.map((after) => ({ ...outcome, after, others: [] })),
];

/** The record as it is, and as it was asked to become. */
async function foresee(session: Session, change: Change): Promise<Outcome> {
  const before = await current(session, change);
  const { verb } = change.operation;
  const marks = verb === 'delete' ? { Deleted: true } : verb === 'undelete' ? { Deleted: false } : {};
  // Bodies hold what the contract lets them hold: the values of a record.
  const sent = (change.patch ?? change.input.body ?? {}) as Row;
  return { change, before, after: { ...before, ...sent, ...marks }, others: [] };
}

async function perform(session: Session, change: Change): Promise<Outcome> {
  const before = (await find(session, change))?.row;
  const body = change.patch
    ? { ...(before && writableBody(change.resource, before)), ...change.patch }
    : change.input.body;
  const [after = {}, ...others] = await answersOf(
    session,
    change.operation,
    body ? { ...change.input, body } : change.input,
  );
  return { change, before, after, others };
}

async function answersOf(session: Session, operation: Operation, input: Input): Promise<readonly Row[]> {
  if (!operation.many) return [await session.call(operation, input)];
  const rows: Row[] = [];
  for await (const row of session.list(operation, input)) rows.push(row);
  return rows;
}

/** How the record stands that a change is about; undefined where it is about none. */
export async function find(
  session: Session,
  { resource, operation, id, place = {} }: Change,
): Promise<Found | undefined> {
  if (id === undefined) return undefined;
  const isTurn = operation.verb === 'delete' || operation.verb === 'undelete';
  return session.find.record(resource.name, { id, place }, isTurn ? 'deleted' : undefined);
}

/** The record that a change is about. Throws `not_found`, `deleted`, `usage` where it is not there to be read. */
async function current(session: Session, change: Change): Promise<Row | undefined> {
  const found = await find(session, change);
  if (found && !found.row) throw unfound(change.resource, change.id, found);
  return found?.row;
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
