// Makes the change of one row: from the row to a call, and from the answer to what changed.
import type { Found, Input, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isWritable } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { sameID } from '../../contract/kinds.ts';
import { addressOf, type Operation } from '../../contract/operation.ts';
import { isSoft, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { writableBody } from '../plan/change.ts';
import { unfound } from '../plan/current-record.ts';
import { isSame } from '../plan/drift.ts';
import { ownParams, plainRoute, type Secrets, takesID } from '../plan/planner.ts';

interface Effect {
  readonly after: Row;
  /** The ID that the service gave, where it is not the row's own. */
  readonly id?: string;
  /** The members that changed, as they were; of a final deletion the whole record. */
  readonly before?: Row;
}

/** What came of a row. */
export interface Made extends Effect {
  /** What it made besides. */
  readonly others: readonly Row[];
  /** The record as it stood, where it was read. */
  readonly now: Row | undefined;
  /** Members that were sent and came back otherwise: the service did not take them. */
  readonly ignored: readonly string[];
}

/** The operation of a row; a plan that names another one is not of this pm. Throws `invalid`. */
export function operationOfRow(row: PlannedRow): { resource: Resource; operation: Operation } {
  const resource = resourceNamed(row.resource);
  const operation = resource.operations[row.operation];
  if (operation) return { resource, operation };
  throw new ServiceError(
    'invalid',
    `row ${row.number} of the plan names ${row.operation}, which ${row.resource} has not`,
  );
}

/**
 * Does the row need the record as it stands: to be merged with it (D10), to be compared with what the plan saw, or to
 * be kept for whoever takes it back?
 */
export function needsRecord(row: PlannedRow, operation: Operation): boolean {
  if (row.patch || row.seen !== undefined || row.was) return true;
  return operation.verb === 'create' ? row.body?.ID !== undefined : row.id !== undefined || row.params !== undefined;
}

interface Known {
  /** The record as it stands, where `needsRecord` says so. */
  readonly found: Found | undefined;
  readonly secrets: Secrets | undefined;
  /** Reads it once more, where the service answers nothing. */
  read(): Promise<Found | undefined>;
}

/** Sends one row. Throws what the service refuses. */
export async function send(session: Session, row: PlannedRow, { found, secrets, read }: Known): Promise<Made> {
  const { resource, operation } = operationOfRow(row);
  const now = found?.row;
  if (row.patch && found && !now) throw unfound(resource, row.id, found);
  const body = bodyOf(resource, operation, row, now, secrets);
  const [said = {}, ...others] = await answersOf(session, operation, inputOf(operation, row, body));
  const answer = row.patch && Object.keys(said).length === 0 ? ((await read())?.row ?? said) : said;
  const ignored = ignoredIn(resource, row, body, answer);
  return { ...made(resource, operation, row, now, answer), others, now, ignored };
}

async function answersOf(session: Session, operation: Operation, input: Input): Promise<readonly Row[]> {
  if (!operation.many) return [await session.call(operation, input)];
  const rows: Row[] = [];
  for await (const row of session.list(operation, input)) rows.push(row);
  return rows;
}

/** Is everything as it was before? What is not kept anywhere to be compared counts as changed. */
export function isUnchanged(row: PlannedRow, { before }: Made): boolean {
  const { verb } = operationOfRow(row).operation;
  if (verb === 'create' || verb === 'local' || row.secret) return false;
  return before !== undefined && Object.keys(before).length === 0;
}

/** What is written beside the state of a row that was done; undefined where the row says it all. */
export function resultOf(made: Effect): { id?: string; before?: Row } | undefined {
  if (made.id === undefined && made.before === undefined) return undefined;
  return {
    ...(made.id === undefined ? {} : { id: made.id }),
    ...(made.before === undefined ? {} : { before: made.before }),
  };
}

/** What is known of the outcome before a request leaves: the values that it changes, as they are. */
export function foreseen(row: PlannedRow, now: Row | undefined): { before?: Row } | undefined {
  const { resource, operation } = operationOfRow(row);
  return operation.verb === 'create' ? undefined : resultOf(made(resource, operation, row, now, {}));
}

function inputOf(operation: Operation, row: PlannedRow, body: Input['body']): Input {
  const by = row.by ?? plainRoute(operation);
  const route = by === undefined ? undefined : operation.routes[by];
  const queries = route ? addressOf(route).query : [];
  const params: Record<string, string> = {};
  const query: Record<string, string> = {};
  for (const name in row.params) (queries.includes(name) ? query : params)[name] = row.params[name] ?? '';
  const whole =
    Object.keys(params).length > 0 || operation.verb === 'create' ? params : ownParams(operation, by, row.id);
  const input: { -readonly [Name in keyof Input]: Input[Name] } = { params: whole, query };
  if (by !== undefined) input.by = by;
  if (body) input.body = body;
  return input;
}

function bodyOf(
  resource: Resource,
  operation: Operation,
  row: PlannedRow,
  now: Row | undefined,
  secrets: Secrets | undefined,
): Input['body'] {
  if (row.patch) return { ...(now && writableBody(resource, now)), ...row.patch, ...secrets };
  if (operation.verb !== 'create') return row.body && { ...row.body, ...secrets };
  return row.id !== undefined && takesID(resource)
    ? { ID: row.id, ...row.body, ...secrets }
    : { ...row.body, ...secrets };
}

function made(resource: Resource, operation: Operation, row: PlannedRow, now: Row | undefined, after: Row): Effect {
  switch (operation.verb) {
    case 'create':
      return createdAs(row, now, after);
    case 'delete':
      return { after, before: isSoft(resource) ? turned(resource, now, false) : (now ?? {}) };
    case 'undelete':
      return { after, before: turned(resource, now, true) };
    default:
      return now ? { after, before: changedIn(resource, row, now, after) } : { after };
  }
}

/** Answers nothing but the ID where it is another one. A record that was there already (D12) was not made by this row. */
function createdAs(row: PlannedRow, now: Row | undefined, after: Row): Effect {
  const id = after.ID === undefined || after.ID === null ? undefined : String(after.ID);
  return {
    after,
    ...(id === undefined || sameID(id, row.id) ? {} : { id }),
    ...(now ? { before: now } : {}),
  };
}

/** The mark that a deletion or its opposite changes; nothing where the record stood so already (D7). */
function turned(resource: Resource, now: Row | undefined, from: boolean): Row {
  // A record that is deleted is shown by no single read (D5).
  const stood = now ? now.Deleted === true : from || resource.operations.get?.routes.plain !== undefined;
  return stood === from ? { Deleted: from } : {};
}

/** The members that a body can set and that are others now, as they were. */
function changedIn(resource: Resource, row: PlannedRow, now: Row, after: Row): Row {
  const before: Record<string, Value> = {};
  for (const name in Object.keys(after).length > 0 ? after : row.patch) {
    const field = resource.fields[name];
    if (field ? !isWritable(field) || field.writeOnly : !resource.open) continue;
    const value = Object.keys(after).length > 0 ? after[name] : row.patch?.[name];
    if (!isSame(resource, name, now[name], value)) before[name] = now[name] ?? null;
  }
  return before;
}

/** What was to change and did not, and what the contract does not know and the service lost (D11). */
function ignoredIn(
  resource: Resource,
  { patch }: PlannedRow,
  sent: Readonly<Record<string, unknown>> | undefined,
  after: Row,
): readonly string[] {
  if (!patch || Object.keys(after).length === 0) return [];
  return Object.entries(sent ?? {}).flatMap(([name, value]) => {
    const field = resource.fields[name];
    if (field && (field.writeOnly || !Object.hasOwn(patch, name))) return [];
    return isSame(resource, name, value, after[name]) ? [] : [name];
  });
}
