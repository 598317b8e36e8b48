// What a small plan would do to other records: the question before it says so.
import type { Session } from '../../contract/call.ts';
import type { NewJob, PlannedRow } from '../../contract/jobs.ts';
import { rehearse } from '../rehearsal.ts';
import type { RunOptions } from '../run/options.ts';
import { hasConsequences } from './consequence.ts';
import { consequenceLimit, firstConsequences } from './first.ts';
import { openTotals, type Total, type Totals } from './totals.ts';

interface Plan {
  readonly job: NewJob;
  readonly rows: readonly PlannedRow[];
}

/** Undefined where no row deletes or moves a record that others can belong to. */
export async function previewConsequences(
  session: Session,
  plan: Plan,
  options: Pick<RunOptions, 'clock' | 'newID' | 'secretOf'>,
): Promise<Total | undefined> {
  if (!plan.rows.some((row) => hasConsequences(row))) return undefined;
  const totals = openTotals(session.local !== undefined);
  if (session.local) await addRehearsed(session, plan, options, totals);
  else await addRead(session, plan.rows, totals);
  return totals.total();
}

/** The rows are rehearsed: what those before have done decides what later ones do. */
const addRehearsed = (
  session: Session,
  { job, rows }: Plan,
  options: Parameters<typeof previewConsequences>[2],
  totals: Totals,
): Promise<unknown> =>
  rehearse(
    session,
    {
      job,
      rows: (async function* () {
        yield* rows;
      })(),
    },
    {
      planned: async () => undefined,
      async rehearsed(all) {
        for await (const { row, consequences } of all) totals.add({ row, consequences });
      },
    },
    options,
  );

async function addRead(session: Session, rows: readonly PlannedRow[], totals: Totals): Promise<void> {
  const first = firstConsequences(consequenceLimit(session));
  for (const row of rows) totals.add({ row, consequences: await first(session, row, undefined) });
}
