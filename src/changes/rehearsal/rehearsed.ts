// What a rehearsal reads and shows.
import type { Session } from '../../contract/call.ts';
import type { NewJob, PlannedRow } from '../../contract/jobs.ts';
import type { Row } from '../../contract/resource.ts';
import { defined } from '../../text/defined.ts';
import type { Consequence } from '../consequences/consequence.ts';
import { type AppliedRow, operationOfRow } from '../run/apply-row.ts';

export interface Plan {
  readonly job: NewJob;
  /** Undefined if the journal of the embedded engine holds them already. */
  readonly rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow> | undefined;
}

/** One row of a plan, and what is known of its effect. */
export interface Rehearsed {
  readonly row: PlannedRow;
  /** The outcome on the embedded engine. */
  readonly applied?: AppliedRow;
  /** The current record of a remote service, where the plan does not hold it. */
  readonly current?: Row;
  /** The planned ID of a new record, by which other rows refer to it. */
  readonly newID?: string;
  /** What it does to other records; undefined if that was not looked at. */
  readonly consequences?: readonly Consequence[];
}

export interface RehearsalUi {
  /** All rows are known. */
  planned(): Promise<void>;
  /** Shows the rows while they are found; it must read all of them. */
  rehearsed(rows: AsyncIterable<Rehearsed> | Iterable<Rehearsed>): Promise<void>;
  /** Reads what the changes have made, before they are rolled back (embedded engine only). */
  made?(session: Session): Promise<void>;
}

/** The real run makes another ID for a new record, unless the change names one. */
export function withoutNewID(row: PlannedRow): Rehearsed {
  if (operationOfRow(row).operation.verb !== 'create' || row.body?.ID !== undefined) return { row };
  const { id, ...rest } = row;
  return defined({ row: rest, newID: id });
}
