// The changes of one command as a job: planned, run and journaled like any other.
import type { Change } from '../changes/change.ts';
import { runAtOnce } from '../changes/job.ts';
import { draftOf, planner } from '../changes/planning.ts';
import type { Made } from '../changes/sending.ts';
import { resultOf } from '../changes/sending.ts';
import { reverseOf } from '../changes/undo-row.ts';
import type { Session } from '../contract/call.ts';
import type { JobHead, NewJob, PlannedRow } from '../contract/jobs.ts';
import type { Row } from '../contract/resource.ts';
import type { Context } from './context.ts';
import { kebab } from './names.ts';

export interface ChangesMade {
  /** The records as they are now, in the order of the changes. */
  readonly rows: readonly Row[];
  readonly failures: readonly unknown[];
  readonly job: JobHead;
  /** Is there anything in it that pm undo takes back? */
  readonly undoable: boolean;
}

const SHORT = 8;

/** Begins of job IDs are enough to name them. */
export const shortID = (id: string): string => id.slice(0, SHORT);

/**
 * Makes the changes, each for itself: one that fails does not stop the others. A single one that fails is thrown, and
 * leaves no job behind on the embedded engine.
 */
export async function runChanges(context: Context, session: Session, changes: readonly Change[]): Promise<ChangesMade> {
  const { plan, secrets } = planner(() => crypto.randomUUID());
  const planned = changes.flatMap((change) => plan(draftOf(change)) ?? []);
  const answers = new Map<number, Row>();
  const failures: unknown[] = [];
  let undoable = false;
  const onDone = (row: PlannedRow, made: Made): void => {
    for (const name of made.ignored) context.note(`The server ignored ${name}.`);
    answers.set(row.number, made.after);
    const result = resultOf(made);
    undoable ||= reverseOf({ ...row, state: 'done', ...(result ? { result } : {}) }) !== undefined;
  };
  const job = newJob(context, session, changes);
  const summary = await runAtOnce(session, await context.jobs(), job, planned, {
    clock: () => context.io.now(),
    newID: () => crypto.randomUUID(),
    concurrency: context.settings.concurrency,
    secretOf: ({ number }) => secrets.get(number),
    onDone,
    onFailed: (_row, error) => void failures.push(error),
  });
  if (summary.stopped) failures.push(summary.stopped);
  if (failures.length > 0 && changes.length === 1) throw failures[0];
  const rows = [...answers].sort(([a], [b]) => a - b).map(([, row]) => row);
  return { rows, failures, job: summary.job, undoable };
}

/** Says how the changes are taken back, where they can be. */
export function noteUndo(context: Context, { job, undoable }: ChangesMade): void {
  const { profile, profileNamed } = context.settings;
  if (undoable) context.note(`Undo: pm undo ${shortID(job.id)}${profileNamed ? ` -p ${profile}` : ''}`);
}

function newJob({ settings, io }: Context, { me }: Session, changes: readonly Change[]): NewJob {
  const [first] = changes;
  const what = changes.length === 1 ? (first?.id ?? '') : `(${changes.length} records)`;
  return {
    id: crypto.randomUUID(),
    kind: 'change',
    profile: settings.profile,
    site: me.site,
    caller: me.userName,
    title: `${first?.resource.command ?? ''} ${kebab(first?.operation.name ?? '')} ${what}`.trim(),
    created: io.now().toISOString(),
    settings: {},
  };
}
