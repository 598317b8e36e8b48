// Resolves the unknown outcome of a row that was sent without an answer: the record shows whether it was changed.
import type { Session } from '../../contract/call.ts';
import type { JobRow, RowResult } from '../../contract/jobs.ts';
import { sameID } from '../../contract/kinds.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import { defined, nonEmpty } from '../../text/defined.ts';
import { locate, locateSiblings } from '../plan/current-record.ts';
import { isSame } from '../plan/drift.ts';
import { takesID } from '../plan/planner.ts';
import { operationOfRow } from './apply-row.ts';

/** `again`: the row was not done, or can be repeated. */
export type Resolution =
  | { readonly state: 'done'; readonly result?: RowResult }
  | { readonly state: 'again' }
  | { readonly state: 'unknown'; readonly why: string };

/**
 * Reads the record of the row. `keepsIDs`: does the service keep the IDs of new records? Undefined where no record of the
 * job has shown it yet.
 */
export async function resolveUnknown(
  session: Session,
  row: JobRow,
  keepsIDs: boolean | undefined,
): Promise<Resolution> {
  const { resource, operation } = operationOfRow(row);
  if (operation.verb === 'create') return resolveCreate(session, resource, row, keepsIDs);
  const now = (await locate(session, row)).row;
  if (isAsWanted(resource, operation, row, now)) return defined({ state: 'done' as const, result: withoutError(row) });
  return operation.repeatable ? { state: 'again' } : { state: 'unknown', why: 'it cannot be seen whether it was done' };
}

function withoutError({ result }: JobRow): RowResult | undefined {
  const { error, ...expected } = result ?? {};
  return nonEmpty(expected);
}

function isAsWanted(resource: Resource, { verb }: Operation, row: JobRow, now: Row | undefined): boolean {
  if (verb === 'delete') return !now || now.Deleted === true;
  if (verb === 'undelete') return now !== undefined && now.Deleted !== true;
  // A secret cannot be read back.
  if (!now || !row.patch || row.secret) return false;
  return Object.entries(row.patch).every(([name, value]) => isSame(resource, name, value, now[name]));
}

async function resolveCreate(
  session: Session,
  resource: Resource,
  row: JobRow,
  keepsIDs: boolean | undefined,
): Promise<Resolution> {
  const ours = takesID(resource) && row.id !== undefined && keepsIDs !== false;
  if (ours && (await locate(session, row)).row) return { state: 'done' };
  if (ours && keepsIDs) return { state: 'again' };
  const siblings = await locateSiblings(session, row);
  if (!siblings) return { state: 'unknown', why: 'the service has no list in which it could be seen' };
  const existing = row.result?.existing;
  const found = siblings.filter(
    (one) => !existing?.some((id) => sameID(id, one.ID)) && hasSentValues(resource, row, one) && one.Deleted !== true,
  );
  return ours ? resolveUnlearned(found) : resolveServiceID(found);
}

/** While it is not known whose IDs count: without a record of these values, the row was not done. */
const resolveUnlearned = (found: readonly Row[]): Resolution =>
  found.length === 0 ? { state: 'again' } : { state: 'unknown', why: 'there is a record like it with another ID' };

/** The service gives the IDs: the one new record with these values is the row's. */
function resolveServiceID(found: readonly Row[]): Resolution {
  const [only, ...more] = found;
  if (only && more.length === 0) return { state: 'done', result: { id: String(only.ID) } };
  return {
    state: 'unknown',
    why: only ? `there are ${found.length} records like it` : 'no record like it is there, and it may still be made',
  };
}

/** Does the record have the values that the row sent? */
const hasSentValues = (resource: Resource, { body }: JobRow, record: Row): boolean =>
  Object.entries(body ?? {}).every(([name, value]) => name === 'ID' || isSame(resource, name, value, record[name]));
