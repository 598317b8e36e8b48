// pm undo: takes a job back, where what it changed still is as it left it.
import { Command } from 'commander';
import { checkSettled, jobToUndo, reverseRows, runUndo } from '../../changes/undo.ts';
import type { JobHead, JobStore } from '../../contract/jobs.ts';
import { announceCounts, checkNamed } from '../announce.ts';
import { shortID } from '../change-job.ts';
import { type Run, withChange } from '../command.ts';
import type { Context } from '../context.ts';
import { agree } from '../jobs/agreement.ts';
import { agreed, planWhole } from '../jobs/beforehand.ts';
import { newJob } from '../jobs/bulk.ts';
import { type Extent, openGauge } from '../jobs/extent.ts';
import { type RunFlags, withDrift, withJournal } from '../jobs/flags.ts';
import { withJobs } from '../jobs/journal.ts';
import { PLANNED, rehearseJob } from '../jobs/rehearsal.ts';
import { watched } from '../jobs/running.ts';
import { SUMMARY, tellSummary } from '../jobs/summary.ts';

export function build(run: Run): Command {
  return withUndo(new Command('undo').description('Take a job back: the newest one, or the one that is named.')).action(
    (job: string | undefined, options: RunFlags) => run(options, (context) => undo(context, job, options)),
  );
}

/** The argument and the flags of an undo. */
export const withUndo = (command: Command): Command =>
  withChange(withJournal(command).addOption(withDrift()), () => 'A job is taken back whole.').argument(
    '[job]',
    'how its ID begins; without it the newest one that is not undone',
  );

/** Plans the way back, says what it is, asks, and goes it. Answers the exit code. */
export async function undo(context: Context, prefix: string | undefined, flags: RunFlags): Promise<number> {
  checkNamed(context);
  await context.checkPrint(context.settings.dryRun ? PLANNED : SUMMARY);
  const session = await context.session();
  return withJobs(context, flags.journal, async (jobs) => {
    const head = jobToUndo(await jobs.heads(context.settings.profile), prefix);
    checkSettled(head);
    const job = { ...newJob(context, session, titled(head)), undoes: head.id };
    const gauge = openGauge();
    const rows = gauge.through(reverseRows(jobs, head.id));
    const how = { ...(flags.onDrift === undefined ? {} : { onDrift: flags.onDrift }) };
    const announce = (): void => {
      context.note(`Undo of ${shortID(head.id)}: ${head.title}, ${head.created}`);
      if (gauge.extent.changes > 0) announceCounts(context, session, gauge.extent.verbs);
    };
    if (context.settings.dryRun) {
      const all = [];
      for await (const row of rows) all.push(row);
      return rehearseJob(context, session, job, all, { how: () => how, announce });
    }
    await planWhole(context, jobs, job, rows);
    announce();
    if (gauge.extent.changes === 0) return nothing(context, jobs, job.id);
    await agreed(context, jobs, job.id, () => askFor(context, gauge.extent, flags));
    const summary = await watched(context, gauge.extent.changes, how, (options) =>
      runUndo(session, jobs, head, job.id, options),
    );
    return tellSummary(context, summary, { journal: flags.journal });
  });
}

const titled = (head: JobHead) => ({
  kind: 'undo' as const,
  title: `undo of ${shortID(head.id)}: ${head.title}`,
  settings: {},
});

/**
 * One record that is changed back needs no question, as changing it needs none. What the job has made, and nobody has
 * changed since, goes without its number being named.
 */
async function askFor(context: Context, extent: Extent, { onDrift }: RunFlags): Promise<void> {
  if (extent.changes === 1 && extent.deletes === 0) return;
  const finals = onDrift === 'overwrite' ? extent.finals : 0;
  await agree(context, { ...extent, finals }, { verb: 'Undo', stdinUsed: false });
}

async function nothing(context: Context, jobs: JobStore, id: string): Promise<number> {
  await jobs.delete([id]);
  context.note('Nothing of this job can be taken back. Another one: pm jobs list, then pm undo <job>');
  return 0;
}
