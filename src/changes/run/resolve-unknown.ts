// What became of a row that was sent and never answered: the record is read, and says whether it was changed.
import type { Session } from '../../contract/call.ts';
import type { JobRow, RowResult } from '../../contract/jobs.ts';
import { sameID } from '../../contract/kinds.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import { locate, locateBeside } from '../plan/current-record.ts';
import { isSame } from '../plan/drift.ts';
import { takesID } from '../plan/planner.ts';
import { operationOfRow } from './apply-row.ts';

/** `again`: it was not done, or can be done once more without a second effect. */
export type Settled =
  | { readonly state: 'done'; readonly result?: RowResult }
  | { readonly state: 'again' }
  | { readonly state: 'unknown'; readonly why: string };

/**
 * Looks what became of the row. `keepsIDs`: does the service keep the IDs that new records are sent with? Undefined
 * where no record of the job has shown it yet.
 */
export async function settle(session: Session, row: JobRow, keepsIDs: boolean | undefined): Promise<Settled> {
  const { resource, operation } = operationOfRow(row);
  if (operation.verb === 'create') return settleCreate(session, resource, row, keepsIDs);
  const now = (await locate(session, row)).row;
  if (isAsWanted(resource, operation, row, now)) return { state: 'done', ...withoutError(row) };
  return operation.repeatable ? { state: 'again' } : { state: 'unknown', why: 'it cannot be seen whether it was done' };
}

/** What was known of the outcome before the request left. */
function withoutError({ result }: JobRow): { result?: RowResult } {
  const { error, ...known } = result ?? {};
  return Object.keys(known).length > 0 ? { result: known } : {};
}

function isAsWanted(resource: Resource, { verb }: Operation, row: JobRow, now: Row | undefined): boolean {
  if (verb === 'delete') return !now || now.Deleted === true;
  if (verb === 'undelete') return now !== undefined && now.Deleted !== true;
  // What nobody can read may not have been written.
  if (!now || !row.patch || row.secret) return false;
  return Object.entries(row.patch).every(([name, value]) => isSame(resource, name, value, now[name]));
}

async function settleCreate(
  session: Session,
  resource: Resource,
  row: JobRow,
  keepsIDs: boolean | undefined,
): Promise<Settled> {
  const ours = takesID(resource) && row.id !== undefined && keepsIDs !== false;
  if (ours && (await locate(session, row)).row) return { state: 'done' };
  if (ours && keepsIDs) return { state: 'again' };
  const beside = await locateBeside(session, row);
  if (!beside) return { state: 'unknown', why: 'the service has no list in which it could be seen' };
  const existing = row.result?.existing;
  const found = beside.filter(
    (one) => !existing?.some((id) => sameID(id, one.ID)) && says(resource, row, one) && one.Deleted !== true,
  );
  return ours ? whereUnlearned(found) : whereGiven(found);
}

/** Before the first new record of a job shows whose IDs count: like it there is none, so it was not made. */
const whereUnlearned = (found: readonly Row[]): Settled =>
  found.length === 0 ? { state: 'again' } : { state: 'unknown', why: 'there is a record like it with another ID' };

/** The service gives the IDs: one like it that was not there before is it. */
function whereGiven(found: readonly Row[]): Settled {
  const [only, ...more] = found;
  if (only && more.length === 0) return { state: 'done', result: { id: String(only.ID) } };
  return {
    state: 'unknown',
    why: only ? `there are ${found.length} records like it` : 'no record like it is there, and it may still be made',
  };
}

/** Does the record say what the row sent? */
const says = (resource: Resource, { body }: JobRow, record: Row): boolean =>
  Object.entries(body ?? {}).every(([name, value]) => name === 'ID' || isSame(resource, name, value, record[name]));
