// What a plan would do to other records: the question before it says so, and a look at a plan file.
import type { Session } from '../../contract/call.ts';
import type { NewJob, PlannedRow } from '../../contract/jobs.ts';
import { rehearse } from '../rehearsal/rehearse.ts';
import type { RunOptions } from '../run/options.ts';
import { type Consequence, hasConsequences } from './consequence.ts';
import { consequenceLimit, firstConsequences } from './first.ts';
import { openTotals, type Total, type Totals } from './totals.ts';

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
};

/** A question waits at most so long: the rows after that are not looked at. */
const MOST_MILLISECONDS = 5_000;

/** Throws as `rehearse`. Nothing is changed. */
export async function previewConsequences(session: Session, plan: KnownPlan, options: Options): Promise<Total> {
  const totals = openTotals(session.local !== undefined);
  const add = (row: PlannedRow, consequences: readonly Consequence[] | undefined): void => {
    totals.add({ row, consequences });
    if (consequences && consequences.length > 0) options.found?.(row, consequences);
  };
  const last = session.local ? await addRehearsed(session, plan, options, add) : await addRead(session, plan, add);
  // The others are not looked at, and yet decide what is left of the consequences of those before.
  if (last < Number.POSITIVE_INFINITY) await addUnseen(plan, last, totals);
  return totals.total();
}

type Add = (row: PlannedRow, consequences: readonly Consequence[] | undefined) => void;

/** The rows are rehearsed: what those before have done decides what later ones do. Answers the last row, if time ran out. */
async function addRehearsed(session: Session, { job, rows, isKept }: KnownPlan, options: Options, add: Add) {
  const { clock, newID, secretOf } = options;
  const until = clock().getTime() + MOST_MILLISECONDS;
  const late = new AbortController();
  const first = firstConsequences(consequenceLimit(session));
  let last = 0;
  const consequencesOf: RunOptions['consequencesOf'] = async (inner, row, now) => {
    last = Math.max(last, row.number);
    if (clock().getTime() >= until) late.abort();
    return first(inner, row, now);
  };
  await rehearse(
    session,
    { job, rows: isKept ? undefined : rows() },
    {
      planned: async () => undefined,
      async rehearsed(all) {
        for await (const { row, consequences } of all) add(row, consequences);
      },
    },
    { clock, newID, ...(secretOf ? { secretOf } : {}), consequencesOf, signal: late.signal },
  );
  return late.signal.aborted ? last : Number.POSITIVE_INFINITY;
}

async function addRead(session: Session, { rows }: KnownPlan, add: Add): Promise<number> {
  const first = firstConsequences(consequenceLimit(session));
  for await (const row of rows()) add(row, await first(session, row, undefined));
  return Number.POSITIVE_INFINITY;
}

async function addUnseen({ rows }: KnownPlan, last: number, totals: Totals): Promise<void> {
  for await (const row of rows())
    if (row.number > last) totals.add({ row, consequences: hasConsequences(row) ? undefined : [] });
}
