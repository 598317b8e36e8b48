// A change as a value, and the one way it is made. Every write of the command line goes through here.
import type { Input, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { isWritable } from '../contract/field.ts';
import { RULES } from '../contract/kinds.ts';
import type { Operation } from '../contract/operation.ts';
import type { Resource, Row, Value } from '../contract/resource.ts';

export interface Change {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly input: Input;
  /** The record it is about; a record that is made has none yet. */
  readonly id?: string;
  /** Members to change: the record is read, these are put in, and all of it is sent back (D10). */
  readonly patch?: Readonly<Record<string, unknown>>;
  /** Reads the record as it stands; undefined where there is none. */
  read?(session: Session): Promise<Row | undefined>;
}

export interface Outcome {
  readonly change: Change;
  readonly before: Row | undefined;
  readonly after: Row;
  /** Members that were sent and came back otherwise: the server did not take them. */
  readonly ignored: readonly string[];
}

/** Makes one change, with what it reads and what it writes in one transaction where the back end has them. */
export function make(session: Session, change: Change): Promise<Outcome> {
  return session.local ? session.local.transaction((inside) => perform(inside, change)) : perform(session, change);
}

/**
 * Makes changes by the real rules and takes them all back: what would happen, and the error that would stop it.
 * Only a back end with transactions can do that.
 */
export async function rehearse(session: Session, changes: readonly Change[]): Promise<readonly Outcome[]> {
  const { local } = session;
  if (!local) throw new ServiceError('usage', 'this back end cannot rehearse a change');
  const outcomes: Outcome[] = [];
  const undone = local.transaction(async (inside) => {
    for (const change of changes) outcomes.push(await perform(inside, change));
    throw new TakenBack();
  });
  await undone.catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error;
  });
  return outcomes;
}

class TakenBack extends Error {
  override readonly name = 'TakenBack';
}

async function perform(session: Session, change: Change): Promise<Outcome> {
  const before = await change.read?.(session);
  const body = change.patch
    ? { ...(before && writableBody(change.resource, before)), ...change.patch }
    : change.input.body;
  const input = body ? { ...change.input, body } : change.input;
  const after = await session.call(change.operation, input);
  return { change, before, after, ignored: change.patch ? ignoredIn(change.resource, change.patch, after) : [] };
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

function ignoredIn(resource: Resource, patch: Readonly<Record<string, unknown>>, after: Row): readonly string[] {
  return Object.entries(patch)
    .filter(([name, value]) => {
      const field = resource.fields[name];
      return (
        field &&
        !field.writeOnly &&
        !RULES[field.kind].same((value ?? emptyOf(field.kind)) as Value, after[name] ?? null)
      );
    })
    .map(([name]) => name);
}

const emptyOf = (kind: string): Value => (kind === 'boolean' ? false : null);
