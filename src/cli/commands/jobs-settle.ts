// pm jobs settle: the user says what became of a row whose outcome pm cannot find out.
import { type Outcome, settleRow } from '../../changes/run/settle.ts';
import { jobNamed } from '../../changes/undo.ts';
import { ServiceError } from '../../contract/errors.ts';
import { jobCommand, withJobs } from '../changes/journal.ts';
import type { Context } from '../context.ts';
import { headsOf, type JobFlags } from './jobs-verbs.ts';

/** Answers the exit code. */
export async function settle(context: Context, job: string, flags: JobFlags): Promise<number> {
  const { me } = await context.session();
  const number = Number(flags.row);
  if (!Number.isInteger(number) || number < 1)
    throw new ServiceError(
      'usage',
      `--row is "${flags.row}"; it is the number of a row, as pm jobs show --rows prints it`,
    );
  if (flags.done === flags.notDone)
    throw new ServiceError('usage', 'was the row done or not?', { hint: 'Say one of them: --done, --not-done' });
  const outcome: Outcome = flags.done ? { state: 'done', id: flags.id } : { state: 'pending' };
  return withJobs(context, flags.journal, async (jobs) => {
    const head = jobNamed(await headsOf(context, jobs), job);
    await settleRow(jobs, head.id, { number, outcome, caller: me.userName, dryRun: context.settings.dryRun });
    const { pending = 0, intent = 0, unknown = 0 } = (await jobs.head(head.id))?.counts ?? {};
    context.note(
      `Row ${number} ${context.settings.dryRun ? 'would count' : 'counts'} as ${flags.done ? 'done' : 'not done'}.`,
    );
    if (pending + intent + unknown > 0) context.note(`To go on: ${jobCommand(context, 'jobs resume', head.id)}`);
    return 0;
  });
}
