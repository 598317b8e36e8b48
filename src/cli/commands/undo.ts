// pm undo: takes a job back, except for records that were changed since.
import { Command } from 'commander';
import { deleteUnrunUndos, withLock } from '../../changes/run/job-state.ts';
import { checkUndoable, jobNamed, newestToUndo, reverseRows } from '../../changes/undo.ts';
import type { Session } from '../../contract/call.ts';
import type { JobHead, JobStore } from '../../contract/jobs.ts';
import { collect } from '../../text/batches.ts';
import { newJob, runPlanned } from '../changes/bulk.ts';
import { announceCounts, checkProfileNamed, confirm } from '../changes/confirm.ts';
import { driftOption, type RunFlags, withJournal } from '../changes/flags.ts';
import { shortID, withJobs } from '../changes/journal.ts';
import { plannedShape } from '../changes/planned-changes.ts';
import { SUMMARY } from '../changes/summary.ts';
import { type Run, withChange } from '../command.ts';
import type { Context } from '../context.ts';

export function build(run: Run): Command {
  return withUndo(new Command('undo').description('Take a job back: the newest one, or the one that is named.')).action(
    (job: string | undefined, options: RunFlags) => run(options, (context) => undo(context, job, options)),
  );
}

/** The argument and the flags of an undo. */
export const withUndo = (command: Command): Command =>
  withChange(withJournal(command).addOption(driftOption()), () => 'A job is taken back whole.').argument(
    '[job]',
    'how its ID begins; without it the newest one that is not undone',
  );

/** Plans the reverse changes, announces and confirms them, and runs them. Answers the exit code. */
export async function undo(context: Context, prefix: string | undefined, flags: RunFlags): Promise<number> {
  checkProfileNamed(context);
  await context.checkPrint(context.settings.dryRun ? plannedShape(['File']) : SUMMARY);
  const session = await context.session();
  return withJobs(context, flags.journal, async (jobs) => {
    const headsOf = (): Promise<readonly JobHead[]> => jobs.heads(context.settings.profile);
    const heads = await headsOf();
    const { id } = prefix === undefined ? await newestToUndo(jobs, heads) : jobNamed(heads, prefix);
    return withLock(jobs, id, {}, async (head) => {
      const now = await headsOf();
      checkUndoable(now, head);
      if (!context.settings.dryRun) await deleteUnrunUndos(jobs, now, head);
      return undoLocked(context, session, jobs, head, flags);
    });
  });
}

async function undoLocked(
  context: Context,
  session: Session,
  jobs: JobStore,
  head: JobHead,
  flags: RunFlags,
): Promise<number> {
  const title = `undo of ${shortID(head.id)}: ${head.title}`;
  const job = { ...newJob(context, session, { kind: 'undo', title }, flags), undoes: head.id };
  // A dry run writes to the journal that the rows are read from.
  const rows = context.settings.dryRun ? await collect(reverseRows(jobs, head.id)) : reverseRows(jobs, head.id);
  return runPlanned(context, session, flags, {
    ...{ job, jobs, rows },
    announce: ({ changes, verbs }) => {
      context.note(`Undo of ${shortID(head.id)}: ${head.title}, ${head.created}`);
      if (changes === 0) return;
      announceCounts(context, session, verbs);
      notePending(context, head);
    },
    confirm: (size) => confirm(context, size, { kind: 'undo', onDrift: flags.onDrift }),
    nothing: 'Nothing of this job can be taken back. Another one: pm jobs list, then pm undo <job>',
  });
}

/** Notes the pending rows: an undone job is not resumed. */
function notePending(context: Context, { counts: { pending = 0 } }: JobHead): void {
  if (pending > 0) context.note(`  ${pending} ${pending === 1 ? 'row' : 'rows'} that it has not come to are skipped`);
}
