// Makes individuals that report to themselves on a service that gives the IDs: first below the caller, then at the top.
import type { Session } from '../../../contract/call.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { PlannedRow } from '../../../contract/jobs.ts';
import { sameID } from '../../../contract/kinds.ts';
import type { Row } from '../../../contract/resource.ts';
import { type AppliedRow, applyRow, type RowContext } from '../apply-row.ts';
import type { Comparison } from '../compare-answer.ts';
import { isStorageError } from '../options.ts';

const MEMBER = 'PrimaryReportsTo';

/** At the top (D14). Where the service gives the ID, no request can name the individual before it is there. */
export const reportsToItself = ({ resource, id, body }: PlannedRow): boolean =>
  resource === 'individual' && id !== undefined && sameID(body?.[MEMBER], id);

const NOTHING_OTHERWISE: Comparison = { missing: [], lost: [], respelled: [] };

/** Makes the individual. Where it goes on to report to the caller, that is otherwise than wanted. Throws as `applyRow`. */
export async function applyBelowCaller(session: Session, row: PlannedRow, context: RowContext): Promise<AppliedRow> {
  const made = await applyRow(session, { ...row, body: { ...row.body, [MEMBER]: session.me.id } }, context);
  return movedToTop(session, row, made);
}

/** The outcome once the individual that was made below the caller reports to itself; `made` if its ID is not known yet. */
export async function movedToTop(session: Session, row: PlannedRow, made: AppliedRow): Promise<AppliedRow> {
  if ((made.after.ID ?? null) === null) return made;
  const isThere = sameID(made.after[MEMBER], made.after.ID);
  const top = isThere ? made.after : await atTop(session, row, made.after);
  const { comparison = NOTHING_OTHERWISE } = made;
  const missing = comparison.missing.filter((name) => name !== MEMBER);
  if (top) return { ...made, after: top, comparison: { ...comparison, missing } };
  const left = { ...made.left, [MEMBER]: made.after[MEMBER] ?? null };
  return { ...made, left, comparison: { ...comparison, missing: [...missing, MEMBER] } };
}

/** The individual as it is at the top; undefined if it is not known to be there. */
async function atTop(session: Session, { number, resource }: PlannedRow, made: Row): Promise<Row | undefined> {
  const id = String(made.ID);
  const update: PlannedRow = { number, resource, operation: 'update', id, patch: { [MEMBER]: id } };
  const read = () => session.find.record(resource, { id });
  try {
    await applyRow(session, update, { found: await read(), secrets: undefined, read });
  } catch (error) {
    // Whether it reports to itself all the same is read.
    if (!(error instanceof ServiceError) || isStorageError(error)) throw error;
  }
  const { row: now } = await read().catch(() => ({ row: undefined }));
  return now && sameID(now[MEMBER], id) ? now : undefined;
}

/** Is the record, which may still stand below the caller, the one of this row? */
export const isAtOrBelowTop = (session: Session, row: PlannedRow, name: string, record: Row): boolean =>
  name === MEMBER && reportsToItself(row) && [record.ID, session.me.id].some((id) => sameID(record[MEMBER], id));
