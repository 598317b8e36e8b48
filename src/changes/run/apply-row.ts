// Applies one row: makes a call of it, and finds the changes in the answer.
import type { Found, Input, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isWritable } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow, RowResult, SideEffect } from '../../contract/jobs.ts';
import { sameID } from '../../contract/kinds.ts';
import type { Cause } from '../../contract/lines.ts';
import { addressOf, documentRoute, type Operation, routeName } from '../../contract/operation.ts';
import { addressAt } from '../../contract/record-address.ts';
import { isSoft, type Resource, type Row, type Value, valuesOf } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import { defined, nonEmpty } from '../../text/defined.ts';
import { keepingLatest } from '../../text/once-per.ts';
import type { Consequence } from '../consequences/consequence.ts';
import { isFinalDeletion, writableBody } from '../plan/change.ts';
import { alsoOf, locate, notFoundError } from '../plan/current-record.ts';
import { isAsWanted, isSame, isUnaltered } from '../plan/drift.ts';
import { ownParams, type Secrets, takesID } from '../plan/planner.ts';
import { type Comparison, compareAnswer, wantedOf } from './compare-answer.ts';
import { withSideEffects } from './side-effects.ts';

/** A row that was done. */
export interface AppliedRow extends RowChange {
  /** Further records of the answer. */
  readonly others: readonly Row[];
  /** The record before, where it was read. */
  readonly now: Row | undefined;
  /** How the answer of a service differs from the request; an engine answers the record as it has stored it. */
  readonly comparison?: Comparison | undefined;
  /** The other records that it changed. */
  readonly effects?: readonly SideEffect[];
  /** What it did to other records, in a rehearsal. */
  readonly consequences?: readonly Consequence[];
  /** Those of its further updates that were made. */
  readonly further?: readonly PlannedRow[];
}

/** The operation of a row. Throws `invalid` where the contract has none of that name: the plan is of another version. */
export const operationOfRow = keepingLatest((row: PlannedRow): { resource: Resource; operation: Operation } => {
  const resource = resourceNamed(row.resource);
  const operation = resource.operations[row.operation];
  if (operation) return { resource, operation };
  const what = `row ${row.number} of the plan names ${row.operation}, which ${row.resource} has not`;
  throw new ServiceError('invalid', what);
});

/** Must the current record be read: to be merged with the patch (D10), checked for drift, or stored for an undo? */
export function needsRecord(row: PlannedRow, operation: Operation): boolean {
  if (row.patch || row.seen !== undefined || row.was) return true;
  return operation.verb === 'create' ? row.body?.ID !== undefined : row.id !== undefined || row.params !== undefined;
}

export interface RowContext {
  /** The current record, where `needsRecord` is true. */
  readonly found: Found | undefined;
  readonly secrets: Secrets | undefined;
  /** The job and its row, which the engine writes into the lines of history. */
  readonly cause?: Cause | undefined;
  /** Reads it again, where the service answers nothing. */
  read(): Promise<Found> | undefined;
}

/** Applies one row, with its further updates. Throws the refusals of the service. */
export function applyRow(session: Session, row: PlannedRow, context: RowContext): Promise<AppliedRow> {
  const { found } = context;
  // An engine says itself that there is no such record.
  const isAbsent = !session.local && found?.state === 'absent' && isFinalDeletion(row);
  if (found && !found.row && (row.patch || isAbsent))
    throw notFoundError(resourceNamed(row.resource), row.id, found, row.patch);
  const apply = (): Promise<AppliedRow> =>
    row.also ? applyWithFurther(session, row, context) : applyOwn(session, row, context, found?.row);
  // Of the engine's rows the lines of history tell it.
  return session.local ? apply() : withSideEffects(session, row, found?.row, apply);
}

async function applyWithFurther(session: Session, row: PlannedRow, context: RowContext): Promise<AppliedRow> {
  const { first, last } = furtherRows(row);
  const further = await updateFurther(session, first, context.cause);
  const current = (first.length > 0 ? await context.read() : context.found)?.row;
  const applied = await applyOwn(session, row, context, current);
  return { ...applied, further: [...further, ...(await updateFurther(session, last, context.cause))] };
}

/**
 * The further updates as rows. A membership is primary until another one is: that one goes before. An individual's record
 * says itself which one is.
 */
function furtherRows(row: PlannedRow): { first: readonly PlannedRow[]; last: readonly PlannedRow[] } {
  const all = alsoOf(row);
  const first = row.resource === 'individual' ? [] : all.filter(({ patch }) => patch?.Primary === true);
  return { first, last: all.filter((one) => !first.includes(one)) };
}

/** Answers those that were made: most are as wanted already, by rows before. */
async function updateFurther(
  session: Session,
  rows: readonly PlannedRow[],
  cause: Cause | undefined,
): Promise<readonly PlannedRow[]> {
  const made: PlannedRow[] = [];
  for (const row of rows) {
    const { resource, operation } = operationOfRow(row);
    const read = (): Promise<Found> => locate(session, row);
    const found = await read();
    if (isAsWanted(resource, operation, row, found.row)) continue;
    if (!found.row) throw notFoundError(resource, row.id, found);
    await applyOwn(session, row, { found, secrets: undefined, cause, read }, found.row);
    made.push(row);
  }
  return made;
}

/** Makes the call of the row itself, on the current record. */
async function applyOwn(
  session: Session,
  row: PlannedRow,
  context: RowContext,
  current: Row | undefined,
): Promise<AppliedRow> {
  const { found, secrets, cause } = context;
  const { resource, operation } = operationOfRow(row);
  const now = found?.row;
  const body = bodyOf(resource, operation, row, current, secrets);
  const own = inputOf(operation, row, body, session.local && cause);
  const input = session.local ? own : { ...own, ...ofDocument(row, current) };
  const answers = operation.many ? await collect(session.list(operation, input)) : undefined;
  const said = answers ? (answers[0] ?? {}) : await session.call(operation, input);
  const others = answers?.slice(1);
  if (session.local) return appliedOf(row, now, said, undefined, others);
  const answer = await verified(session, row, said, context);
  return appliedOf(row, now, answer, comparisonOf(row, now, answer), others);
}

/** The answer of a service; where it says less than was wanted, the record as it is read, or else as it was sent. Never throws. */
async function verified(session: Session, row: PlannedRow, said: Row, { found, read }: RowContext): Promise<Row> {
  const { verb } = operationOfRow(row).operation;
  const isNew = verb === 'create';
  const { missing, lost } = comparisonOf(row, found?.row, said);
  const isMark = isSoft(resourceNamed(row.resource)) && (verb === 'delete' || verb === 'undelete');
  // Of a deletion, an answer without its mark says nothing.
  const isSilent = (isNew || isMark || row.patch) && Object.keys(said).every((name) => isMark && name !== 'Deleted');
  if (missing.length + lost.length === 0 && !isSilent) return said;
  const made = said.ID == null ? row : { ...row, id: String(said.ID) };
  const reading = isNew || isMark ? locate(session, made, 'new') : read();
  const again = await reading?.catch(() => undefined);
  if (again?.row) return again.row;
  if (isMark || verb === 'delete') return again && again.state !== 'unseen' ? { Deleted: true } : said;
  const sent = isNew ? row.body : { ...found?.row, ...row.patch };
  // The contract lets bodies hold the values of a record alone.
  return isSilent || isNew ? ({ ...sent, ...said } as Row) : said;
}

/** A row that was done, by its record before and after. */
export function appliedOf(
  row: PlannedRow,
  now: Row | undefined,
  answer: Row,
  comparison: Comparison | undefined,
  others: readonly Row[] = [],
): AppliedRow {
  const { resource, operation } = operationOfRow(row);
  const { after, id, before, left } = changeMade(resource, operation, row, now, answer);
  // A literal, because copies of objects of many shapes are slow, for each row.
  return {
    after,
    id,
    before,
    left: operation.verb === 'create' ? otherwiseIn(comparison, after) : left,
    others,
    now,
    comparison,
  };
}

/** The members of a new record that a service has made otherwise than they were sent, as they are. */
function otherwiseIn(comparison: Comparison | undefined, after: Row): Row | undefined {
  const names = comparison ? [...comparison.missing, ...comparison.respelled] : [];
  return names.length === 0 ? undefined : valuesOf(after, names);
}

/** How the record `after` a row differs from the request, and from the record before. */
export function comparisonOf(row: PlannedRow, now: Row | undefined, after: Row): Comparison {
  const { resource, operation } = operationOfRow(row);
  // An operation that is not ordinary may change other members, too.
  const kept = operation.verb === 'update' ? now : undefined;
  return compareAnswer(resource, { wanted: wantedOf(resource, operation, row), key: row.key, now: kept, after });
}

/** Did the row change nothing? Where there is nothing to compare with, it counts as a change. */
export function isUnchanged(row: PlannedRow, { before, effects, further }: AppliedRow): boolean {
  const { verb } = operationOfRow(row).operation;
  if (verb === 'create' || verb === 'local' || isFinalDeletion(row) || row.secret || effects || further?.length)
    return false;
  return before !== undefined && Object.keys(before).length === 0;
}

/** What the journal stores of a row that was done; undefined if the row holds it already. */
export const resultOf = ({
  id,
  before,
  left,
  effects,
}: RowChange & Pick<RowResult, 'effects'>): RowResult | undefined =>
  nonEmpty(defined<RowResult>({ id, before, after: left, effects }));

/** The changes of a row whose record was read: known before the request is sent, and better with `after`. */
export function expectedResult(row: PlannedRow, now: Row | undefined, after: Row = {}): RowResult | undefined {
  const { resource, operation } = operationOfRow(row);
  return operation.verb === 'create' ? undefined : resultOf(changeMade(resource, operation, row, now, after));
}

function inputOf(operation: Operation, row: PlannedRow, body: Input['body'], cause: Cause | undefined): Input {
  const by = routeName(operation, row.by);
  const route = operation.routes[by];
  const queries = route ? addressOf(route).query : [];
  const params: Record<string, string> = {};
  const query: Record<string, string> = {};
  for (const name in row.params) (queries.includes(name) ? query : params)[name] = row.params[name] ?? '';
  const whole =
    Object.keys(params).length > 0 || operation.verb === 'create' ? params : ownParams(operation, by, row.id);
  return { params: whole, query, by, body, cause };
}

/** The document's own address of a row, which the record fills (D39); not where it is to belong to another owner. */
function ofDocument(row: PlannedRow, now: Row = {}): Input {
  const { resource, operation } = operationOfRow(row);
  const by = documentRoute(operation);
  const { filled = [] } = (by && (row.by ?? 'plain') === 'plain' && addressAt(resource, operation, by)) || {};
  const stays = (member: string): boolean => sameID(row.patch?.[member] ?? now[member], now[member]);
  const isFilled = filled.every(({ member }) => now[member] != null && stays(member));
  if (by === undefined || filled.length === 0 || !isFilled) return {};
  return { by, params: Object.fromEntries(filled.map(({ param, member }) => [param, String(now[member])])) };
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
  const body = row.id !== undefined && takesID(resource) ? { ID: row.id } : {};
  // Several spreads are many times as slow, for each row.
  return Object.assign(body, row.body, secrets);
}

interface RowChange {
  readonly after: Row;
  /** The ID that the service gave, where it is another one than the row's. */
  readonly id?: string | undefined;
  /** The members that changed, as they were; of a final deletion the whole record. */
  readonly before?: Row | undefined;
  /** Those of them that are otherwise than they were sent, as they are now. */
  readonly left?: Row | undefined;
}

/** The change that a row made: `now` is its record before, `after` the answer; an empty one says nothing. */
function changeMade(
  resource: Resource,
  operation: Operation,
  row: PlannedRow,
  now: Row | undefined,
  after: Row,
): RowChange {
  switch (operation.verb) {
    case 'create':
      // A record that existed already (D12) was not made by this row: it is kept as `before`.
      return { after, id: otherID(row, after), before: now };
    case 'delete':
      return { after, before: isSoft(resource) ? deletedBefore(resource, now, false) : (now ?? {}) };
    case 'undelete':
      return { after, id: otherID(row, after), before: deletedBefore(resource, now, true) };
    default:
      return now ? updateMade(resource, operation, row, now, after) : { after };
  }
}

const otherID = (row: PlannedRow, { ID }: Row): string | undefined =>
  ID == null || sameID(ID, row.id) ? undefined : String(ID);

/** The value of `Deleted` before; empty where it does not change (D7). */
function deletedBefore(resource: Resource, now: Row | undefined, from: boolean): Row {
  // A single read does not show deleted records (D5).
  const stood = now ? now.Deleted === true : from || resource.operations.get?.routes.plain !== undefined;
  return stood === from ? { Deleted: from } : {};
}

function updateMade(resource: Resource, operation: Operation, row: PlannedRow, now: Row, after: Row): RowChange {
  const before = changedBefore(resource, operation, row, now, after);
  const sent: Readonly<Record<string, unknown>> = row.patch ?? row.body ?? {};
  const other = Object.keys(before).filter((name) => !isSame(resource, name, sent[name], after[name]));
  const left = Object.keys(after).length === 0 ? [] : other.map((name) => [name, after[name] ?? null] as const);
  return defined({ after, before, left: nonEmpty(Object.fromEntries(left)) });
}

/** The writable members that changed, as they were. A member that the answer to an update leaves out is null. */
function changedBefore(resource: Resource, { verb }: Operation, row: PlannedRow, now: Row, after: Row): Row {
  const before: Record<string, Value> = {};
  const said = nonEmpty(after);
  const values: Readonly<Record<string, unknown>> = said ?? row.patch ?? {};
  const compare = (name: string): void => {
    const field = resource.fields[name];
    if (field && (!isWritable(field) || field.writeOnly)) return;
    if (!isUnaltered(resource, name, now[name], values[name])) before[name] = now[name] ?? null;
  };
  for (const name in values) compare(name);
  if (said && verb === 'update') for (const name in now) if (!(name in said)) compare(name);
  return before;
}
