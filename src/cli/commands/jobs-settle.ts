// pm jobs settle: the user says what became of a row whose outcome pm cannot find out.
import { type Outcome, settleRow } from '../../changes/run/settle.ts';
import { jobNamed } from '../../changes/undo.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobRow } from '../../contract/jobs.ts';
import { singular } from '../../contract/resource.ts';
import { confirmRequest } from '../changes/confirm.ts';
import { checkSite, jobCommand, withJobs } from '../changes/journal.ts';
import { rowNames } from '../changes/summary.ts';
import type { Context } from '../context.ts';
import type { JobFlags } from './jobs-verbs.ts';

/** Answers the exit code. */
export async function settle(context: Context, job: string, flags: JobFlags): Promise<number> {
  const session = await context.session();
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
    const head = jobNamed(await jobs.heads(context.settings.jobProfile), job);
    await checkSite(context, session, head);
    const confirm = (row: JobRow): Promise<void> => confirmOutcome(context, session, row, outcome);
    const { dryRun } = context.settings;
    await settleRow(jobs, head.id, { number, outcome, caller: session.me.userName, dryRun, confirm });
    const { pending = 0, intent = 0, unknown = 0 } = (await jobs.head(head.id))?.counts ?? {};
    context.note(`Row ${number} ${dryRun ? 'would count' : 'counts'} as ${flags.done ? 'done' : 'not done'}.`);
    if (pending + intent + unknown > 0) context.note(`To go on: ${jobCommand(context, 'jobs resume', head.id)}`);
    return 0;
  });
}

/** What was said of the row decides what resume and undo do with it: a mistake makes a record twice, or none. */
async function confirmOutcome(context: Context, session: Session, row: JobRow, outcome: Outcome): Promise<void> {
  const name = await rowNames(session)(row);
  const what = [row.operation, singular(resourceNamed(row.resource)), name ?? row.id ?? ''].join(' ').trim();
  const id = outcome.state === 'done' && outcome.id !== undefined ? ` and made ${outcome.id}` : '';
  const said = outcome.state === 'done' ? `was done${id}` : 'was not done and can be run again';
  await confirmRequest(context, {
    question: `Row ${row.number}, ${what}, ${said}. Is that so?`,
    needed: `what became of row ${row.number} needs a confirmation: ${what} ${said}`,
    flags: '--yes',
    refused: 'the row is as it was',
  });
}
