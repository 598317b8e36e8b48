// pm apply: runs a plan, once; what has changed since the plan was made is left alone.
import { resolve } from 'node:path';
import { Command } from 'commander';
import { checkPlan, readPlanFile } from '../../changes/plan-reading.ts';
import { announceCounts, checkNamed } from '../announce.ts';
import { type Run, withChange } from '../command.ts';
import type { Context } from '../context.ts';
import { agree } from '../jobs/agreement.ts';
import { agreed, planWhole } from '../jobs/beforehand.ts';
import { newJob } from '../jobs/bulk.ts';
import { openGauge } from '../jobs/extent.ts';
import { type RunFlags, withRun } from '../jobs/flags.ts';
import { withJobs } from '../jobs/journal.ts';
import { PLANNED, rehearseJob } from '../jobs/rehearsal.ts';
import { runNew } from '../jobs/running.ts';
import { SUMMARY, tellSummary } from '../jobs/summary.ts';
import { urlOf, writeUndo } from '../jobs/undo-file.ts';

export function build(run: Run): Command {
  const command = new Command('apply').description('Run a plan that pm plan has made.');
  return withChange(withRun(command), () => 'A plan is run whole: leave the other rows out of its file, and plan anew.')
    .argument('<plan>', 'the file of the plan')
    .action((file: string, flags: RunFlags) => run(flags, (context) => apply(context, file, flags)));
}

async function apply(context: Context, file: string, flags: RunFlags): Promise<number> {
  checkNamed(context);
  await context.checkPrint(context.settings.dryRun ? PLANNED : SUMMARY);
  const { header, rows } = await readPlanFile(resolve(context.io.cwd, file));
  const session = await context.session();
  const { profile } = context.settings;
  return withJobs(context, flags.journal, async (jobs) => {
    await checkPlan(header, { profile, url: urlOf(context), site: session.me.site }, jobs);
    const named = { kind: 'apply', title: `apply ${header.title}` } as const;
    const job = { ...newJob(context, session, named, flags), id: header.id };
    const gauge = openGauge();
    const how = { unchanged: header.unchanged };
    const announce = (): void => announceCounts(context, session, gauge.extent.verbs);
    const planned = gauge.through(rows());
    if (context.settings.dryRun) return rehearseJob(context, session, job, planned, { how: () => how, announce });
    await planWhole(context, jobs, job, planned);
    announce();
    await agreed(context, jobs, job.id, () => agree(context, gauge.extent, job));
    const summary = await runNew(context, session, jobs, job.id, header.rows, how);
    if (flags.undoOut !== undefined) await writeUndo(context, session, jobs, summary.job, flags.undoOut);
    return tellSummary(context, summary, { journal: flags.journal });
  });
}
