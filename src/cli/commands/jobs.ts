// pm jobs: lists, shows, resumes, retries, settles, reports and forgets jobs.
import { Command, Option } from 'commander';
import { checkForgettable, deleteFreeJobs, oldJobs, withLocks, withUndos } from '../../changes/run/forget.ts';
import { type Outcome, settleRow } from '../../changes/run/settle.ts';
import { jobNamed } from '../../changes/undo.ts';
import type { Session } from '../../contract/call.ts';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, JobRow, OnDamaged, RowState } from '../../contract/jobs.ts';
import { isGuid } from '../../contract/kinds.ts';
import { singular } from '../../contract/resource.ts';
import { counted } from '../../text/thousands.ts';
import { confirmRequest } from '../changes/confirm.ts';
import { type Continuation, type ContinueFlags, continueJob } from '../changes/continue-job.ts';
import { writeAllFailed } from '../changes/failed-rows.ts';
import { reportFailures } from '../changes/failures.ts';
import { daysBefore, resumeDriftOption, withJournal } from '../changes/flags.ts';
import { checkSite, headsHere, inputSources, jobCalled, jobCommand, jobHere, shortID } from '../changes/journal.ts';
import { HEADS, headRow, jobRows, readsNames, rowNames, rowsShape, SUMMARY } from '../changes/summary.ts';
import { actionOf, type Instead, type Run, withChange, withGlobals } from '../command.ts';
import type { Context } from '../context.ts';
import { outputOf } from '../input/files.ts';
import { callingOf } from '../output/calling.ts';
import { enoughFor } from '../settings.ts';
import { makeSmaller } from './history-prune.ts';

type Work = (context: Context, job: string, flags: JobFlags) => Promise<number>;

export function build(run: Run): Command {
  const group = new Command('jobs').description('What was changed: look at it, go on with it, try again.');
  group.usage('<verb> [job] [flags]');
  const bare = (name: string, doc: string): Command => withJournal(new Command(name).description(doc));
  const verb = (name: string, doc: string): Command => withGlobals(bare(name, doc));
  const changing = (name: string, doc: string, instead?: Instead): Command => withChange(bare(name, doc), instead);
  const named = (command: Command, work: Work): Command =>
    command.argument('<job>', 'the first digits of its ID').action(actionOf(run, work));
  group.addCommand(verb('list', 'List the jobs, the newest first.').action(actionOf(run, list)));
  group.addCommand(
    named(verb('show', 'Show one job; with --rows what became of each of its rows.'), show)
      .option('--rows', 'its rows, instead of the job')
      .addOption(new Option('--state <state>', 'only the rows in this state').choices(STATES)),
  );
  group.addCommand(
    withContinuation(
      named(changing('resume', 'Go on with a job that was interrupted.', wholeJob), goOn('resume')),
    ).option(
      '--settle-after <time>',
      'how long a request without an answer can still have an effect: 90s, 10m, 2h (10m)',
    ),
  );
  group.addCommand(
    withContinuation(named(changing('retry', 'Try the rows again that failed.', wholeJob), goOn('retry'))),
  );
  group.addCommand(
    named(changing('settle', 'Say whether a row was done, if pm cannot find out.', oneRow), settle)
      .requiredOption('--row <number>', 'the row, by its number')
      .option('--done', 'it was done')
      .option('--not-done', 'it was not done, and can be run')
      .option('--id <id>', 'the record that it made'),
  );
  group.addCommand(
    named(
      changing('report', 'Write the rows that were not done to a file, to import them again.', showRows),
      report,
    ).option('--out <file>', 'where to write it'),
  );
  group.addCommand(
    changing('prune', 'Forget old jobs; they can then not be undone.')
      .argument('[jobs...]', 'these instead, whatever their age; a damaged one by its whole ID')
      .option('--older-than <days>', 'those that are older than so many days', '90d')
      .action(actionOf(run, prune)),
  );
  return group;
}

const oneRow: Instead = () => 'One row is settled at a time: --row <number>.';
const wholeJob: Instead = () => 'A job goes on with all of its rows.';
const showRows: Instead = (flag) => `pm jobs show <job> --rows ${flag} …`;

const STATES = ['pending', 'intent', 'done', 'altered', 'failed', 'unknown', 'skipped', 'drifted', 'undone'];

const withContinuation = (command: Command): Command =>
  command.addOption(resumeDriftOption()).option('--takeover', 'also where another process has the job');

async function settle(context: Context, job: string, flags: JobFlags): Promise<number> {
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
  const jobs = await context.jobs();
  const head = await jobCalled(context, job);
  await checkSite(context, session, head);
  const confirm = (row: JobRow): Promise<void> => confirmOutcome(context, session, row, outcome);
  const { dryRun } = context.settings;
  await settleRow(jobs, head.id, { number, outcome, caller: session.me.userName, dryRun, confirm });
  const { pending = 0, intent = 0, unknown = 0 } = (await jobs.head(head.id))?.counts ?? {};
  context.note(`Row ${number} ${dryRun ? 'would count' : 'counts'} as ${flags.done ? 'done' : 'not done'}.`);
  if (pending + intent + unknown > 0) context.note(`To go on: ${jobCommand(context, 'jobs resume', head.id)}`);
  return 0;
}

/** Resume and undo rely on the outcome that was settled for a row: a wrong one makes its record twice, or not at all. */
async function confirmOutcome(context: Context, session: Session, row: JobRow, outcome: Outcome): Promise<void> {
  const name = await rowNames(session)(row);
  const what = [row.operation, singular(resourceNamed(row.resource)), name ?? row.id ?? ''].join(' ').trim();
  const id = outcome.state === 'done' && outcome.id !== undefined ? ` and made ${outcome.id}` : '';
  const said = outcome.state === 'done' ? `was done${id}` : 'was not done and can be run again';
  await confirmRequest(context, {
    question: `Row ${row.number}, ${what}, ${said}. Is that so?`,
    needed: `what became of row ${row.number} needs a confirmation: ${what} ${said}`,
    refused: 'the row is as it was',
  });
}

/** Forgets the named jobs, or without names the old ones. Answers the exit code. */
async function prune(context: Context, named: readonly string[], { olderThan }: JobFlags): Promise<number> {
  const { dryRun, remote } = context.settings;
  const count = await (named.length > 0 ? forgetNamed(context, named) : forgetOld(context, olderThan));
  context.note(`${dryRun ? 'Would forget' : 'Forgot'} ${counted(count, 'job')}.`);
  if (count > 0 && !dryRun && !remote) await makeSmaller(context);
  return 0;
}

const onDamaged = (): void => undefined;

/** Leaves old jobs alone that another process has. Answers how many are forgotten. */
async function forgetOld(context: Context, olderThan: string | undefined): Promise<number> {
  const jobs = await context.jobs();
  const heads = await headsHere(context, { onDamaged });
  const ids = oldJobs(heads, daysBefore(context.io.now(), '--older-than', olderThan));
  return context.settings.dryRun ? ids.length : deleteFreeJobs(jobs, heads, ids);
}

/** A whole ID is not looked up, so that a damaged job can be named. Answers how many are forgotten. */
async function forgetNamed(context: Context, named: readonly string[]): Promise<number> {
  const jobs = await context.jobs();
  const { jobProfile, dryRun, remote } = context.settings;
  const known = await jobs.heads(jobProfile, { onDamaged });
  const ids = named.map((name) => (isGuid(name) ? name.toLowerCase() : jobNamed(known, name).id));
  const session = remote ? undefined : await context.session();
  const meant = known.filter(({ id }) => ids.includes(id));
  if (session) for (const head of meant) await checkSite(context, session, head);
  return withLocks(jobs, ids, async () => {
    const heads = await jobs.heads(jobProfile, { onDamaged });
    const all = heads.filter(({ id }) => ids.includes(id));
    for (const head of all) checkForgettable(heads, head, (id) => ids.includes(id));
    const waiting = all.filter(({ counts }) => (counts.pending ?? 0) > 0);
    if (waiting.length > 0 && !dryRun) await confirmForgetting(context, waiting);
    const forgotten = [...new Set([...ids, ...withUndos(heads, ids)])];
    if (!dryRun) await withLocks(jobs, forgotten, () => jobs.delete(forgotten));
    return forgotten.length;
  });
}

/** Throws `confirmation`. */
const confirmForgetting = (context: Context, waiting: readonly JobHead[]): Promise<void> => {
  const rows = waiting.reduce((sum, { counts }) => sum + (counts.pending ?? 0), 0);
  const what = `${rows} ${rows === 1 ? 'row waits' : 'rows wait'} to be run, and could not be resumed any more`;
  return confirmRequest(context, {
    question: `${what}. Forget them?`,
    needed: `forgetting a job that is not finished needs a confirmation: ${what}`,
    refused: 'nothing was forgotten',
  });
};

interface JobFlags extends ContinueFlags {
  readonly rows?: boolean;
  /** The number of a row, where it is not all. */
  readonly row?: string;
  readonly done?: boolean;
  readonly notDone?: boolean;
  readonly id?: string;
  readonly state?: RowState;
  readonly out?: string;
  readonly olderThan?: string;
}

async function list(context: Context): Promise<number> {
  const damaged: ServiceError[] = [];
  const onDamaged: OnDamaged = (_job, error) => void damaged.push(error);
  const heads = await headsHere(context, { onDamaged, ...enoughFor(context.settings) });
  await context.print({ shape: HEADS, rows: heads.map(headRow) });
  if (heads.length + damaged.length === 0) context.note('No jobs.');
  const exit = await reportFailures(context, damaged, heads.length + damaged.length);
  return damaged.length > 0 && heads.length > 0 ? EXIT.partly : exit;
}

async function show(context: Context, job: string, { rows, state }: JobFlags): Promise<number> {
  const head = await jobHere(context, job);
  if (rows === true || state !== undefined) {
    const wanted = state === undefined ? {} : { states: [state] };
    const { io, settings } = context;
    const session = settings.remote || !readsNames(context) ? undefined : await context.session();
    const names = rowNames(session);
    const printed = jobRows(head, (await context.jobs()).rows(head.id, wanted), callingOf(io, settings), names);
    return context.print({ shape: rowsShape(head), rows: printed });
  }
  await context.print({ shape: HEADS, rows: [headRow(head)], one: true });
  context.note(`Its rows: ${jobCommand(context, 'jobs show', head.id)} --rows`);
  return 0;
}

const goOn =
  (by: Continuation) =>
  async (context: Context, job: string, flags: JobFlags): Promise<number> => {
    await context.checkPrint(SUMMARY);
    await context.session();
    return continueJob(context, await jobCalled(context, job), { by, flags });
  };

async function report(context: Context, job: string, { out }: JobFlags): Promise<number> {
  const head = await jobHere(context, job);
  const output = out === undefined ? undefined : outputOf(context, '--out', out);
  const { files, gone } = await writeAllFailed(context, head, { output });
  for (const file of files) context.note(`${context.settings.dryRun ? 'Would write' : 'Written'}: ${file}`);
  if (gone.length > 0 || inputSources(head).length === 0) throw inputGone(context, head, gone);
  const waiting = waitingIn(context, head);
  if (waiting !== undefined) context.note(waiting);
  else if (files.length === 0) context.note('All rows were done: there is nothing to report.');
  return 0;
}

/** The rows that no report holds, since the job still comes to them. */
function waitingIn(context: Context, { id, state, counts: { pending = 0, intent = 0 } }: JobHead): string | undefined {
  const count = pending + intent;
  if (count === 0) return undefined;
  const next = state === 'running' ? 'the job is running' : `to go on: ${jobCommand(context, 'jobs resume', id)}`;
  return `${counted(count, 'row')} ${count === 1 ? 'waits' : 'wait'} to be run; ${next}`;
}

const inputGone = (context: Context, { id }: JobHead, gone: readonly string[]): ServiceError =>
  new ServiceError('conflict', `${gone.join(', ') || 'the input'} of job ${shortID(id)} is gone or was changed`, {
    hint: `${jobCommand(context, 'jobs show', id)} --rows --state failed shows what failed.`,
  });
