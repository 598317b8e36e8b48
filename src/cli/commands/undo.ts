// pm undo: takes a job back, or some of its rows, except for records that were changed since.

import { Command } from 'commander';
import { deleteUnrunUndos, headsAround, withLock } from '../../changes/jobs/access.ts';
import { checkOutcomeKnown, checkUndoable, rowsDone } from '../../changes/jobs/state.ts';
import { cautionsOf } from '../../changes/plan/cautions.ts';
import { checkNotRollingBack } from '../../changes/run/job.ts';
import { countReversible, isReversible, newestToUndo, reverseRows } from '../../changes/undo.ts';
import { type HistoryUndo, planHistoryUndo, withTheSite } from '../../changes/undo-history.ts';
import type { Session } from '../../contract/call.ts';
import { type Advised, ServiceError } from '../../contract/errors.ts';
import { storedResources } from '../../contract/index.ts';
import type { JobHead, JobRow, JobStore } from '../../contract/jobs.ts';
import { GROUP_MEMBER, type Line } from '../../contract/lines.ts';
import type { Row } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import { nonEmpty } from '../../text/defined.ts';
import { counted } from '../../text/thousands.ts';
import { announceCounts, confirmRequest } from '../changes/confirm.ts';
import { driftOption, type RunFlags, withJournal } from '../changes/flags.ts';
import { checkSite, headsHere, jobCalled, jobCommand, newJob, shortID } from '../changes/journal.ts';
import { runPlanned } from '../changes/make-changes.ts';
import { sessionOrOffline } from '../changes/offline.ts';
import { plannedShape } from '../changes/planned-changes.ts';
import { jobRow, ROW_FIELDS, rowNames, SUMMARY, shapeFor } from '../changes/summary.ts';
import { actionOf, PLAN_OUT, type Run, withoutChoosing } from '../command.ts';
import { type Context, checkLocal, clockOf, printingAll } from '../context.ts';
import { authorOf, historyLines } from '../history/lines.ts';
import { momentOf } from '../history/past.ts';
import { LOG_FIELDS, logRow, plainly } from '../history/shown.ts';
import { resourceCalled } from '../names.ts';
import { callingOf } from '../output/calling.ts';
import { momentInWords } from '../output/formats/cells.ts';
import { compileWhere } from '../output/where.ts';

interface UndoFlags extends UndoByFlags {
  readonly withLater?: boolean;
  readonly leaveUnknown?: boolean;
}

export function build(run: Run): Command {
  const command = new Command('undo').description('Take a job back: the newest one, or the one that is named.');
  return withoutChoosing(withJournal(command).addOption(driftOption()).addOption(PLAN_OUT), ['--where'], oneByOne)
    .option('--with-later', 'take back the later jobs that changed the same records, too (embedded engine only)')
    .option('--leave-unknown', 'leave rows alone whose outcome is unknown')
    .option('--by <user>', 'take back what this user changed, by the history (embedded engine only)')
    .option('--since <when>', 'with --by: from then on: 2026-11-01, yesterday, -7d, -10min')
    .option('--until <when>', 'with --by: until then')
    .option('--resource <name>', 'with --by: only of this resource, as in departments')
    .argument('[job]', 'the first digits of its ID; without it the newest one')
    .action(actionOf(run, undo));
}

const oneByOne = (): string =>
  "Choose rows with --where, as in --where 'Line <= 20'; pm jobs show <job> --rows shows them, and with --by pm log.";

/** Throws `usage` where both a job and a user are named. */
async function undo(given: Context, prefix: string | undefined, flags: UndoFlags): Promise<number> {
  const { by } = flags;
  const context = printingAll(given);
  if (by === undefined) {
    checkNoHistoryFlags(flags);
    return flags.withLater ? undoWithLater(context, prefix, flags) : undoJobNamed(context, prefix, flags);
  }
  if (prefix === undefined) return undoBy(context, by, flags);
  throw new ServiceError('usage', 'a job and --by both choose the changes to undo', {
    hint: 'Leave one of them out.',
  });
}

/** Takes back the later jobs that stand on a job, the newest first, and then the job. Stops at the first that is not taken back. */
async function undoWithLater(context: Context, prefix: string | undefined, flags: UndoFlags): Promise<number> {
  checkLocal(context, 'undo --with-later');
  const { settings } = context;
  if (settings.where.length > 0)
    throw new ServiceError('usage', '--where chooses rows of one job', { hint: 'Leave out --where or --with-later.' });
  if (settings.out !== undefined)
    throw new ServiceError('usage', '--out is for the undo of one job, and --with-later undoes several', {
      hint: 'Leave out --out or --with-later.',
    });
  const job = await jobToUndo(context, prefix);
  checkUndoable(await headsAround(await context.jobs(), job), job);
  const heads = [...(await laterJobs(context, await context.session(), job)), job];
  const count = counted(heads.length, 'job');
  context.note(`Undo of ${count}, the newest first:`);
  for (const head of heads)
    context.note(`  ${shortID(head.id)}  ${head.caller}: ${head.title}, ${counted(rowsDone(head), 'row')}`);
  if (settings.dryRun) return 0;
  await confirmRequest(context, {
    question: `Undo ${count}?`,
    needed: `undoing ${count} needs a confirmation`,
    refused: 'nothing was changed',
  });
  const summaries: Row[] = [];
  const quietly: Context = {
    ...context,
    settings: { ...settings, yes: true },
    print: async ({ rows }) => {
      for await (const row of rows) summaries.push(row);
      return 0;
    },
  };
  let takenBack = 0;
  try {
    for (const head of heads) {
      const exit = await undoJobNamed(quietly, head.id, flags);
      if (exit !== 0) return exit;
      takenBack++;
    }
    return 0;
  } finally {
    if (summaries.length > 0) await context.print({ shape: shapeFor(context, summaries), rows: summaries });
    if (takenBack < heads.length) context.note(`Taken back: ${takenBack} of ${count}.`);
  }
}

/** The jobs that changed the same records later and can be undone, the newest first. */
async function laterJobs(context: Context, { local }: Session, job: JobHead): Promise<readonly JobHead[]> {
  const later = (await local?.history.laterJobs(job.id)) ?? [];
  if (later.length === 0) return [];
  const jobs = await context.jobs();
  const jobsToUndo: JobHead[] = [];
  for (const one of await headsHere(context, { from: job.id }))
    if (later.includes(one.id) && one.undoes === undefined && (await isReversible(jobs, one.id))) jobsToUndo.push(one);
  return jobsToUndo;
}

/** Plans the reverse changes, announces and confirms them, and runs them. Answers the exit code. */
async function undoJobNamed(context: Context, prefix: string | undefined, flags: UndoFlags): Promise<number> {
  await context.checkPrint(context.settings.dryRun ? plannedShape(['File']) : SUMMARY);
  const { dryRun } = context.settings;
  const opened = dryRun ? undefined : await context.session();
  const jobs = await context.jobs();
  const named = await jobToUndo(context, prefix);
  // A rehearsal of an undo needs the journal alone.
  const session = opened ?? (await sessionOrOffline(context, named));
  await checkSite(context, session, named);
  return withLock(jobs, named.id, {}, async (head) => {
    const now = await headsAround(jobs, head);
    checkUndoable(now, head);
    if (!flags.leaveUnknown) checkOutcomeKnown(head);
    await checkNotRollingBack(session, jobs, head);
    if (!dryRun) await deleteUnrunUndos(jobs, now, head);
    return undoLocked(context, session, jobs, head, flags);
  });
}

/** The job that is meant. None is taken back in the place of a newer one, which cannot be. */
async function jobToUndo(context: Context, prefix: string | undefined): Promise<JobHead> {
  if (prefix !== undefined) return jobCalled(context, prefix);
  const jobs = await context.jobs();
  // Mostly it is one of the newest; a journal may hold very many.
  const newest = await newestToUndo(jobs, await headsHere(context, { limit: MOSTLY }));
  const { job, passedOver } = newest.job ? newest : await newestToUndo(jobs, await headsHere(context));
  if (job && passedOver.length === 0) return job;
  throw nothingToUndo(passedOver, job);
}

const MOSTLY = 100;

function nothingToUndo([newest, ...more]: readonly JobHead[], older?: JobHead): ServiceError {
  const others = more.length > 0 ? `, nor ${more.length} more` : '';
  const why = newest ? `${shortID(newest.id)}, ${newest.title}${others}, cannot be undone` : '';
  const nothing = ['there is nothing to undo', why].filter(Boolean).join(': ');
  if (!older) return new ServiceError('conflict', nothing, { next: { do: 'list-jobs' } });
  const before = `the newest that can is ${shortID(older.id)}, ${older.title}`;
  return new ServiceError('conflict', `${why}; ${before}`, { next: { do: 'take-back-job', job: older.id } });
}

async function undoLocked(
  context: Context,
  session: Session,
  jobs: JobStore,
  head: JobHead,
  flags: UndoFlags,
): Promise<number> {
  const title = `undo of ${shortID(head.id)}: ${head.title}`;
  const job = { ...newJob(context, session, { kind: 'undo', title }, { ...flags, ...wholly(head) }), undoes: head.id };
  const { isChosen, isAll } = await choiceOf(context, session, head);
  const made = momentInWords(head.created, await clockOf(context));
  if (!(await isReversible(jobs, head.id))) {
    const why = await whyNot(session, jobs, head.id);
    throw irreversible(`job ${shortID(head.id)}, ${head.title},`, why, { next: { do: 'list-jobs' } });
  }
  // A dry run writes to the journal that the rows are read from.
  const losses = new Set<string>();
  const onLeft = (row: JobRow): void => whyLeft(session, row).forEach((line) => void losses.add(line));
  const reversed = reverseRows(jobs, head.id, { isChosen, onLeft });
  const rows = context.settings.dryRun ? await collect(reversed) : reversed;
  const exit = await runPlanned(context, session, flags, {
    job,
    rows,
    announce: ({ changes, verbs }) => {
      context.note(`Undo of ${shortID(head.id)}: ${head.title}, ${made}`);
      if (changes === 0) return;
      announceCounts(context, session, verbs);
      for (const line of losses) context.note(`  ${line}`);
      notePending(context, head);
    },
    nothing: isAll ? 'Nothing of this job can be undone.' : 'The chosen rows cannot be undone.',
  });
  const isBehind = exit !== 0 && (await laterJobs(context, session, head)).length > 0;
  if (!context.settings.dryRun) await noteRest(context, session, jobs, head.id, isBehind);
  if (isBehind)
    context.note(
      `Later jobs changed the same records. To take them back, too: ${jobCommand(context, 'undo', head.id)} --with-later`,
    );
  return exit;
}

/** What came whole goes whole: a site of which half is gone would be none. */
const wholly = ({ settings }: JobHead): Pick<RunFlags, 'onError'> =>
  settings.onError === 'rollback' ? { onError: 'rollback' } : {};

/** The rows that --where chooses, by what pm jobs show --rows prints of them. */
async function choiceOf(
  context: Context,
  session: Session,
  head: JobHead,
): Promise<{ readonly isAll: boolean; isChosen(row: JobRow): Promise<boolean> }> {
  const { settings, io } = context;
  if (settings.where.length === 0) return { isChosen: async () => true, isAll: true };
  const test = compileWhere(settings.where, ROW_FIELDS, io.now(), await context.zone());
  const calling = callingOf(io, settings);
  const names = rowNames(session);
  return { isChosen: async (row) => test(await jobRow(head, row, calling, names)), isAll: false };
}

/** Why the rows that stand cannot be taken back; empty where nothing is known of it. */
async function whyNot(session: Session, jobs: JobStore, id: string): Promise<readonly string[]> {
  const why = new Set<string>();
  for await (const row of jobs.rows(id, { states: ['done', 'altered'] }))
    for (const line of whyLeft(session, row)) why.add(line);
  return [...why];
}

function whyLeft({ local }: Session, row: JobRow): readonly string[] {
  const { result } = row;
  const cautions = cautionsOf([row], () => !nonEmpty(result?.before ?? {}));
  const isForgotten = local && !result && cautions.length === 0;
  return isForgotten
    ? ['The history of some records is forgotten: what they were before is not known any more.']
    : cautions;
}

const irreversible = (what: string, why: readonly string[], more: Pick<Advised, 'next'> = {}): ServiceError =>
  new ServiceError('conflict', `nothing of ${what} can be undone`, {
    ...(why.length > 0 ? { hint: why.join(' ') } : {}),
    ...more,
  });

/** Notes the pending rows: an undone job is not resumed. */
function notePending(context: Context, { counts: { pending = 0 } }: JobHead): void {
  if (pending > 0) context.note(`  ${counted(pending, 'row')} not yet run ${pending === 1 ? 'is' : 'are'} skipped`);
}

/** Says what of the job still stands, and how it goes back, unless it is behind later jobs. */
async function noteRest(context: Context, session: Session, jobs: JobStore, id: string, isBehind: boolean) {
  const head = await jobs.head(id);
  const left = head ? rowsDone(head) : 0;
  if (!head?.counts.undone || left === 0) return;
  const rows = left === 1 ? '1 row remains' : `${left} rows remain`;
  const final = left - (await countReversible(jobs, id));
  const all = left === 1 ? 'To take it back' : 'To take them back';
  const others = final > 0 ? `${final} of them for good. To take back the others` : all;
  const back = isBehind ? [] : [`${others}: ${jobCommand(context, 'undo', id)}`];
  const words = final < left ? back : ['It cannot be undone.', ...(await whyNot(session, jobs, id))];
  context.note([`${rows} of ${head.total}.`, ...words].join(' '));
}

interface UndoByFlags extends RunFlags {
  readonly by?: string;
  readonly since?: string;
  readonly until?: string;
  readonly resource?: string;
}

/** Throws `usage` where flags of the history are given without --by. */
function checkNoHistoryFlags({ since, until, resource }: UndoByFlags): void {
  const flag = since ? '--since' : until ? '--until' : resource ? '--resource' : undefined;
  if (flag === undefined) return;
  throw new ServiceError('usage', `${flag} is only for an undo with --by`, {
    hint: 'As in: pm undo --by ann --since -1d',
  });
}

/** Plans the reverse changes, announces and confirms them, and runs them. Answers the exit code. */
async function undoBy(context: Context, by: string, flags: UndoByFlags): Promise<number> {
  checkLocal(context, 'undo --by');
  await context.checkPrint(context.settings.dryRun ? plannedShape(['File', 'Line']) : SUMMARY);
  const session = await context.session();
  const chosen = await chosenLines(context, session, by, flags);
  const plan = await planHistoryUndo(session, chosen.all, (line) => chosen.lines.has(line));
  if (plan.rows.length === 0 && plan.done.length > 0) throw irreversible(chosen.what, cautionsOf(plan.done));
  return runPlanned(context, session, flags, {
    job: newJob(context, session, { kind: 'undo', title: `undo of ${chosen.what}` }, flags),
    rows: plan.rows,
    announce: ({ changes, verbs }) => {
      context.note(`Undo of ${chosen.what}: ${counted(chosen.lines.size, 'line')} of history`);
      if (changes === 0) return;
      announceCounts(context, session, verbs);
      noteLosses(context, plan);
    },
    empty: ['Line'],
    nothing: 'All of it is already as it was before.',
  });
}

interface Chosen {
  /** What was chosen, in words. */
  readonly what: string;
  readonly lines: ReadonlySet<Line>;
  /** The history of everybody since then, the newest first. */
  readonly all: readonly Line[];
}

/** The lines of this user that the flags choose. Throws `usage`; where there are none `conflict`, or `not_found`. */
async function chosenLines(context: Context, session: Session, by: string, flags: UndoByFlags): Promise<Chosen> {
  const { local } = session;
  if (!local) throw new Error('the embedded engine is local');
  if (flags.since === undefined) throw sinceMissing(by);
  const clock = await clockOf(context);
  const { zone } = clock;
  const since = momentOf('--since', flags.since, clock);
  const until = flags.until === undefined ? undefined : Date.parse(momentOf('--until', flags.until, clock));
  const resource = flags.resource === undefined ? undefined : resourceCalled(flags.resource);
  const { id, userName, unknown } = await authorOf(session, by);
  const all = await local.history.since(since, Number.MAX_SAFE_INTEGER);
  const isOfTheSite = withTheSite(all);
  const isChosen = (line: Line): boolean =>
    line.caller === id &&
    !isOfTheSite(line) &&
    (resource === undefined || resource.name === ownerOf(line)) &&
    storedResources.some(({ name }) => name === ownerOf(line)) &&
    (until === undefined || Date.parse(line.at) <= until);
  const fits = await whereTest(context, session, all);
  const lines = new Set(all.filter((line, at) => isChosen(line) && fits(at)));
  const what = [
    `what ${userName} did`,
    ...(resource ? [`to ${resource.command}`] : []),
    `since ${momentInWords(since, { zone })}`,
    ...(until === undefined ? [] : [`until ${momentInWords(new Date(until).toISOString(), { zone })}`]),
  ].join(' ');
  if (lines.size > 0) return { what, lines, all };
  if (unknown) throw unknown;
  throw new ServiceError('conflict', `there is nothing to take back of ${what}`, {
    hint: 'pm log shows what happened, as far as history is kept.',
  });
}

/** The resource that a line is chosen by: a membership belongs to its group. */
const ownerOf = ({ resource }: Line): string => (resource === GROUP_MEMBER ? 'securityGroup' : resource);

const sinceMissing = (by: string): ServiceError =>
  new ServiceError('usage', '--by needs --since: from when on?', { hint: `As in: pm undo --by ${by} --since -1d` });

/** --where chooses by what pm log prints of a line, which is named by its place. */
async function whereTest(context: Context, session: Session, all: readonly Line[]): Promise<(at: number) => boolean> {
  const { settings, io } = context;
  if (settings.where.length === 0) return () => true;
  const test = compileWhere(settings.where, LOG_FIELDS, io.now(), await context.zone());
  const lines = await historyLines(session, all);
  const shown = plainly(session);
  const rows = await Promise.all(lines.map((line) => logRow(line, shown)));
  return (at) => test(rows[at] ?? {});
}

/** Says what does not come back exactly, and how many changes stay. */
function noteLosses(context: Context, { rows, done }: HistoryUndo): void {
  for (const caution of cautionsOf(done)) context.note(caution);
  const left = done.length - rows.length;
  if (left > 0) context.note(`  ${counted(left, 'change')} cannot be undone`);
}
