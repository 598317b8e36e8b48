// What a plan would do to other records: the question before it says so, and a look at a plan file.
import type { Session } from '../../contract/call.ts';
import type { NewJob, PlannedRow } from '../../contract/jobs.ts';
import { defined } from '../../text/defined.ts';
import { rehearse } from '../rehearsal/rehearse.ts';
import type { RehearsalUi } from '../rehearsal/rehearsed.ts';
import type { RunOptions } from '../run/options.ts';
import { type Consequence, firstConsequences } from './consequence.ts';
import { openTotals, type Total } from './totals.ts';

/** A plan before it is confirmed. */
export interface KnownPlan {
  readonly job: NewJob;
  /** Reads the rows, as often as it is asked to. */
  rows(): AsyncIterable<PlannedRow> | Iterable<PlannedRow>;
  /** Does the journal hold the rows already? */
  readonly isKept: boolean;
}

type Options = Pick<RunOptions, 'clock' | 'newID' | 'secretOf'> & {
  found?(row: PlannedRow, consequences: readonly Consequence[]): void;
  /** Reads what the changes have made, where all of them were made in time (embedded engine only). */
  made?(session: Session): Promise<void>;
  /** In milliseconds; MOST_MILLISECONDS without it. */
  most?: number;
};

/** A question waits at most so long: the rows after that are not looked at. */
export const MOST_MILLISECONDS = 5_000;

/** Throws as `rehearse`. Nothing is changed. */
export async function previewConsequences(session: Session, plan: KnownPlan, options: Options): Promise<Total> {
  const { clock, newID, secretOf, found, made, most = MOST_MILLISECONDS } = options;
  const totals = openTotals(session.local !== undefined);
  const add = (row: PlannedRow, consequences: readonly Consequence[] | undefined): void => {
    totals.add({ row, consequences });
    if (consequences && consequences.length > 0) found?.(row, consequences);
  };
  const late = new AbortController();
  const look = firstConsequences(session, () => late.signal.aborted);
  let last = 0;
  if (session.local) {
    // A later row may depend on the rows before it.
    const until = clock().getTime() + most;
    const consequencesOf: RunOptions['consequencesOf'] = (inner, row, now) => {
      last = row.number;
      if (clock().getTime() >= until) late.abort();
      return look(inner, row, now);
    };
    const ui: RehearsalUi = {
      planned: async () => undefined,
      async rehearsed(rows) {
        for await (const { row, consequences } of rows) add(row, consequences);
      },
      async made(inner) {
        if (!late.signal.aborted) await made?.(inner);
      },
    };
    const rows = plan.isKept ? undefined : plan.rows();
    const run = defined<RunOptions>({ clock, newID, secretOf, consequencesOf, signal: late.signal });
    await rehearse(session, { job: plan.job, rows }, ui, run);
    if (!late.signal.aborted) return totals.total();
  }
  // Rows that are not looked at decide, too, what is left of the consequences of those before.
  for await (const row of plan.rows()) if (row.number > last) add(row, await look(session, row));
  return totals.total();
}
