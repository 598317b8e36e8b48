// Rehearsal: the embedded engine makes the changes and rolls them back.
import type { Session, TransactionSession } from '../../contract/call.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { defined } from '../../text/defined.ts';
import { consequenceLimit, firstConsequences } from '../consequences/first.ts';
import { jobHead } from '../jobs/access.ts';
import type { AppliedRow } from '../run/apply-row.ts';
import type { Summary } from '../run/counts.ts';
import { newRun, planJob, runRows } from '../run/job.ts';
import type { RunOptions } from '../run/options.ts';
import { type Plan, type RehearsalUi, type Rehearsed, withoutNewID } from './rehearsed.ts';
import { rehearseRemotely } from './remote.ts';

/** Nothing waits for a commit here: small batches need less memory. */
const ROWS_PER_COMMIT = 500;

/** The summary of the rehearsed run; of a remote service see `rehearseRemotely`. */
export function rehearse(
  session: Session,
  plan: Plan,
  ui: RehearsalUi,
  options: RunOptions,
): Promise<Summary | undefined> {
  const { local } = session;
  return local
    ? local.rehearse((inner) => rehearseLocally(inner, plan, ui, options))
    : rehearseRemotely(session, plan, ui, options);
}

async function rehearseLocally(
  session: TransactionSession,
  { job, rows }: Plan,
  ui: RehearsalUi,
  options: RunOptions,
): Promise<Summary> {
  const { jobs } = session.local;
  if (rows) await planJob(jobs, job, rows);
  await ui.planned();
  const found = queue<Rehearsed>();
  const onDone = (row: PlannedRow, applied: AppliedRow): void =>
    found.add(defined({ ...withoutNewID(row), applied, consequences: applied.consequences }));
  const { consequencesOf = firstConsequences(consequenceLimit(session)) } = options;
  const rehearsing = { ...options, rowsPerCommit: ROWS_PER_COMMIT, consequencesOf, onDone };
  const run = runRows(newRun(session, jobs, await jobHead(jobs, job.id), rehearsing)).finally(found.end);
  // The transaction must not end before the run: a change made after it would be kept.
  const [ran, shown] = await Promise.allSettled([run, ui.rehearsed(found.all())]);
  if (ran.status === 'rejected') throw ran.reason;
  if (shown.status === 'rejected') throw shown.reason;
  await ui.made?.(session);
  return ran.value;
}

/** An async iterable of what is added, until its end is called. */
function queue<T>() {
  let waiting: T[] = [];
  let isOver = false;
  let wake = (): void => undefined;
  return {
    add: (one: T): void => {
      waiting.push(one);
      wake();
    },
    end: (): void => {
      isOver = true;
      wake();
    },
    async *all(): AsyncGenerator<T> {
      for (;;) {
        const some = waiting;
        waiting = [];
        yield* some;
        if (waiting.length > 0) continue;
        if (isOver) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
