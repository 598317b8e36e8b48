// Resolves the unknown outcome of a row that was sent without an answer: the record shows whether it was changed.
import type { Session } from '../../../contract/call.ts';
import { resourceNamed } from '../../../contract/index.ts';
import type { JobRow, PlannedRow, RowResult } from '../../../contract/jobs.ts';
import { idKey } from '../../../contract/kinds.ts';
import type { Resource, Row } from '../../../contract/resource.ts';
import { defined, nonEmpty } from '../../../text/defined.ts';
import { alsoOf, locate, locateSiblings } from '../../plan/current-record.ts';
import { isAsWanted, isSame } from '../../plan/drift.ts';
import { takesID } from '../../plan/planner.ts';
import { comparisonOf, operationOfRow } from '../apply-row.ts';
import { isAtOrBelowTop } from './at-top.ts';

/** `again`: the row was not done, or can be repeated. `id`: a record that it may have made. */
export type Resolution =
  | { readonly state: 'done'; readonly result?: RowResult; readonly record?: Row | undefined }
  | { readonly state: 'again' }
  | { readonly state: 'unknown'; readonly why: string; readonly id?: string };

/** What is known of the service and the time. */
export interface Looking {
  /** Does the service keep the IDs of new records? Undefined if no record of the job has shown it yet. */
  readonly keepsIDs: boolean | undefined;
  /** The IDs that the new record of a row does not have, of those that its owner's records have. */
  knownIDs(row: JobRow): Promise<readonly string[]>;
  /** The service has said that it made the record, and not which one it is. */
  readonly isMade?: boolean;
  readonly now: Date;
  /** How long a request without an answer can still make its record, in milliseconds. */
  readonly unknownFor: number;
}

/** Reads the record of the row. */
export async function resolveUnknown(session: Session, row: JobRow, looking: Looking): Promise<Resolution> {
  const { resource, operation } = operationOfRow(row);
  if (operation.verb === 'create') return resolveCreate(session, resource, row, looking);
  const { record, isDone } = await lookAt(session, row);
  if (isDone) return defined({ state: 'done' as const, result: expectedOf(row), record });
  return operation.repeatable ? { state: 'again' } : { state: 'unknown', why: 'pm cannot see whether it was done' };
}

/** The record, and whether it is as wanted, and those of the further updates are, too. */
async function lookAt(session: Session, row: JobRow): Promise<{ record: Row | undefined; isDone: boolean }> {
  const { state, row: record } = await locate(session, row);
  if (state === 'unseen') return { record, isDone: false };
  const isWanted = (one: PlannedRow, found: Row | undefined): boolean => {
    const { resource, operation } = operationOfRow(one);
    return isAsWanted(resource, operation, one, found);
  };
  let isDone = isWanted(row, record) || isRespelled(row, record);
  for (const one of alsoOf(row)) isDone &&= isWanted(one, (await locate(session, one)).row);
  return { record, isDone };
}

/** Has the service written in its own way what the row sent? A member that is as before shows nothing. */
function isRespelled(row: JobRow, record: Row | undefined): boolean {
  const now = row.result?.now;
  if (!now || !record || row.secret) return false;
  const { missing, respelled } = comparisonOf(row, now, record);
  const resource = resourceNamed(row.resource);
  return missing.length === 0 && respelled.every((name) => !isSame(resource, name, now[name], record[name]));
}

function expectedOf({ result }: JobRow): RowResult | undefined {
  const { error, now, ...expected } = result ?? {};
  return nonEmpty(expected);
}

async function resolveCreate(session: Session, resource: Resource, row: JobRow, looking: Looking): Promise<Resolution> {
  const { keepsIDs } = looking;
  const ours = takesID(resource) && row.id !== undefined && keepsIDs !== false && !looking.isMade;
  const own = ours ? (await locate(session, row)).row : undefined;
  if (own) return { state: 'done', record: own };
  if (ours && keepsIDs) return { state: 'again' };
  const siblings = await locateSiblings(session, row);
  if (!siblings) return { state: 'unknown', why: 'the service has no list that shows it' };
  const known = new Set((await looking.knownIDs(row)).map(idKey));
  const found = siblings.filter(
    (one) => !known.has(idKey(one.ID)) && hasSentValues(session, resource, row, one) && one.Deleted !== true,
  );
  return ours ? resolveUnlearned(found) : resolveServiceID(row, found, looking);
}

/** While it is not known whose IDs count: without a record of these values, the row was not done. */
function resolveUnlearned([only, ...more]: readonly Row[]): Resolution {
  if (!only) return { state: 'again' };
  if (more.length > 0) return { state: 'unknown', why: `there are ${more.length + 1} records like it with other IDs` };
  return { state: 'unknown', why: 'there is a record like it with another ID', id: String(only.ID) };
}

/**
 * The service gives the IDs: the one new record with these values is the row's. Without one, the row was not done once the
 * request can have no effect any more.
 */
function resolveServiceID({ result }: JobRow, found: readonly Row[], { now, unknownFor }: Looking): Resolution {
  const [only, ...more] = found;
  if (only && more.length === 0) return { state: 'done', result: { id: String(only.ID) }, record: only };
  if (only) return { state: 'unknown', why: `there are ${found.length} records like it` };
  if (result?.sent === undefined || unknownFor === Number.POSITIVE_INFINITY)
    return { state: 'unknown', why: NOT_THERE };
  const certain = new Date(Date.parse(result.sent) + unknownFor);
  return certain <= now ? { state: 'again' } : { state: 'unknown', why: `${NOT_THERE} until ${certain.toISOString()}` };
}

const NOT_THERE = 'there is no record like it yet, but it may still be made';

const hasSentValues = (session: Session, resource: Resource, row: JobRow, record: Row): boolean =>
  Object.entries(row.body ?? {}).every(
    ([name, value]) =>
      name === 'ID' || isSame(resource, name, value, record[name]) || isAtOrBelowTop(session, row, name, record),
  );
