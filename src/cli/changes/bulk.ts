// Runs many changes as one job: plans, announces, confirms, runs or rehearses, and prints the summary. And headers of plans.
import { openTotals } from '../../changes/consequences/totals.ts';
import { unfinishedJob } from '../../changes/jobs/access.ts';
import { rowsDone } from '../../changes/jobs/state.ts';
import type { Change } from '../../changes/plan/change.ts';
import { type NewPlan, writePlanFile } from '../../changes/plan/plan-file.ts';
import type { PlanSize } from '../../changes/plan/plan-size.ts';
import { planner } from '../../changes/plan/planner.ts';
import { type RunOptions, runSettings } from '../../changes/run/options.ts';
import { runChange, type Ui } from '../../changes/run-change.ts';
import { reverseRows } from '../../changes/undo.ts';
import type { Session } from '../../contract/call.ts';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobStore, NewJob, PlannedRow } from '../../contract/jobs.ts';
import { defined } from '../../text/defined.ts';
import { counted, spaced } from '../../text/thousands.ts';
import { checkEffects, EFFECTS, openComparison, printEffects } from '../consequences/effects.ts';
import { consequenceLines, linesBefore } from '../consequences/words.ts';
import type { Context } from '../context.ts';
import { outputOf } from '../input/files.ts';
import type { Shape } from '../output/result.ts';
import { referenceNames } from '../selectors/reference-names.ts';
import { announceCounts, confirm } from './confirm.ts';
import { continueJob } from './continue-job.ts';
import { printFailures } from './failures.ts';
import type { RunFlags } from './flags.ts';
import {
  hasFiles,
  inputSources,
  type JobSettings,
  jobCommand,
  otherService,
  planCommand,
  shortID,
  withJobs,
} from './journal.ts';
import { ONLY_SENT, plannedRows, plannedShape, printChanges } from './planned-changes.ts';
import { orderedIDs, type RunExtras, runOptions, withProgress } from './running.ts';
import { printNothing, printSummary, SUMMARY } from './summary.ts';

/** What a run reads after its last row. */
interface RunReport {
  /** The number of rows without a change that the planner does not count. */
  unchanged?(): number;
  /** The number of cells around which blanks were trimmed. */
  trimmed?(): number;
  /** Writes the rows that were not done to files; answers the paths. */
  writeFailed?(jobs: JobStore, head: JobHead): Promise<readonly string[]>;
}

export interface BulkCommand extends RunReport, Pick<NewJob, 'kind' | 'title' | 'settings'> {
  readonly stdinUsed: boolean;
  /** One more line about the plan. */
  remarks?(): string | undefined;
}

/** Plans the changes and runs them. Answers the exit code. Throws what `changes` throws; nothing was changed then. */
export async function runBulk(
  context: Context,
  session: Session,
  changes: AsyncIterable<Change>,
  bulk: BulkCommand,
  flags: RunFlags,
): Promise<number> {
  await checkRunPrint(context, flags, hiddenColumns(bulk));
  const plan = planner(orderedIDs(() => context.io.now().getTime()));
  const unchanged = (): number => plan.unchanged() + (bulk.unchanged?.() ?? 0);
  return runPlanned(context, session, flags, {
    ...bulk,
    job: newJob(context, session, bulk, flags),
    rows: plan.planAll(changes),
    secretOf: ({ number }) => plan.secrets.get(number),
    unchanged,
    announce: ({ verbs }) => {
      announceCounts(context, session, verbs);
      const said = [unchanged() > 0 ? `${spaced(unchanged())} unchanged` : '', bulk.remarks?.() ?? ''].filter(Boolean);
      if (said.length > 0) context.note(`  ${said.join(', ')}`);
    },
  });
}

/** Checks that the answer of a run or its rehearsal can be printed as the flags say, `without` columns of the rehearsal. */
export async function checkRunPrint(
  context: Context,
  { effects }: Pick<RunFlags, 'effects'>,
  without: readonly string[],
  shape: Shape = SUMMARY,
): Promise<void> {
  if (effects) checkEffects(context);
  await context.checkPrint(effects ? EFFECTS : context.settings.dryRun ? plannedShape(without) : shape);
}

export interface PlannedRun extends RunReport {
  /** Columns that its rehearsal has nothing for. */
  readonly empty?: readonly string[];
  readonly job: NewJob;
  readonly rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>;
  /** The journal, if it is open already. */
  readonly jobs?: JobStore;
  readonly secretOf?: RunOptions['secretOf'];
  announce(size: PlanSize): void;
  readonly stdinUsed?: boolean;
  /** The note if there is no change. */
  readonly nothing?: string;
}

/** Runs or rehearses planned rows, and prints the result. Answers the exit code. */
export function runPlanned(context: Context, session: Session, flags: RunFlags, run: PlannedRun): Promise<number> {
  const { dryRun } = context.settings;
  // A dry run creates no journal.
  if (dryRun) return rehearsePlanned(context, session, run, flags);
  if (flags.exitCode)
    throw new ServiceError('usage', '--exit-code says what a dry run found', { hint: 'Write -n beside it.' });
  const runIn = async (jobs: JobStore): Promise<number> => {
    const unfinished = await unfinishedOf(context, jobs, run.job);
    if (unfinished) return continueJob(context, session, jobs, unfinished, { by: 'resume', flags });
    const summary = await runChange(
      { session, jobs: async () => jobs },
      { ...run, rehearse: false },
      { ...uiOf(context, run, session, flags), ...(await aloneCheck(context, jobs, run.job)) },
      runOptions(context, {}),
    );
    if (!summary) {
      context.note(run.nothing ?? 'Nothing to change.');
      return printNothing(context, run.unchanged?.());
    }
    const failedFiles = await run.writeFailed?.(jobs, summary.job);
    if (flags.undoOut !== undefined) await writeUndo(context, session, jobs, summary.job, flags.undoOut);
    return printSummary(context, jobs, summary, failedFiles, run.trimmed?.());
  };
  return run.jobs ? runIn(run.jobs) : withJobs(context, flags.journal, runIn);
}

/** With `exitCode` a plan that changes something and could run ends with a code of its own. */
async function rehearsePlanned(context: Context, session: Session, run: PlannedRun, flags: RunFlags): Promise<number> {
  const { exitCode, effects } = flags;
  let changes = 0;
  const totals = openTotals(session.local !== undefined);
  const comparison = effects ? openComparison(session, run.rows) : undefined;
  const ui = uiOf(context, run, session, flags);
  const summary = await runChange(
    { session, jobs: () => context.jobs() },
    { job: run.job, rows: comparison?.rows ?? run.rows, rehearse: true },
    {
      ...ui,
      ...(comparison && { made: comparison.made }),
      async planned(size) {
        changes = size.changes;
        await ui.planned(size);
        await comparison?.planned();
      },
      async rehearsed(rows) {
        if (!comparison) return ui.rehearsed(totals.through(rows));
        for await (const _row of totals.through(rows));
      },
    },
    runOptions(context, overridesOf(run)),
  );
  if (comparison) await printEffects(context, comparison.result());
  for (const line of await consequenceLines(session, totals.total())) context.note(line);
  if (changes > 0 && !session.local) context.note(ONLY_SENT);
  if (summary) await printFailures(context, summary);
  const { failed = 0, drifted = 0 } = summary?.counts ?? {};
  if (failed + drifted > 0) context.note(`${failed + drifted} of these changes would fail.`);
  const exit = summary?.exit ?? 0;
  return exit === 0 && exitCode && changes > 0 ? EXIT.different : exit;
}

function uiOf(context: Context, run: PlannedRun, session: Session, { onDrift }: RunFlags): Ui {
  const options = runOptions(context, overridesOf(run));
  const { job, stdinUsed = false } = run;
  return {
    async planned(size, plan) {
      run.announce(size);
      if (!plan || size.changes === 0) return;
      const preview = (): Promise<readonly string[]> => linesBefore(session, plan, size, options);
      await confirm(context, size, { kind: job.kind, onDrift, stdinUsed, preview });
    },
    async rehearsed(rows) {
      const names = referenceNames(session);
      const planned = plannedRows(rows, { find: session.find, job, names });
      await printChanges(context, planned, names, [...hiddenColumns(job), ...(run.empty ?? [])]);
    },
    watch: (total, work) => withProgress(context, total, overridesOf(run), work),
  };
}

/** The columns to hide: the file, unless the job has several. */
const hiddenColumns = (job: JobSettings): readonly string[] => (hasFiles(job) ? [] : ['File']);

const overridesOf = ({ secretOf, unchanged }: PlannedRun): RunExtras => defined({ secretOf, unchanged: unchanged?.() });

/** A new job. It keeps the run flags and the address of its service, so that a resume runs in the same way and place. */
export function newJob(
  { settings, io }: Context,
  { me }: Session,
  { kind, title, settings: kept = {} }: Pick<BulkCommand, 'kind' | 'title'> & Partial<Pick<BulkCommand, 'settings'>>,
  flags: Pick<RunFlags, 'onError' | 'onDrift'>,
): NewJob {
  const how = defined({ ...runSettings({ settings: { ...flags } }), url: settings.remote?.url });
  return {
    ...{ id: crypto.randomUUID(), kind, title, settings: { ...kept, ...how } },
    ...{ profile: settings.jobProfile, site: me.site, caller: me.userName, created: io.now().toISOString() },
  };
}

/** The address of the service or of the database, as plans name it. */
export const urlOf = ({ settings }: Context): string => settings.remote?.url ?? settings.database?.shown ?? 'embedded';

/** The header of a new plan. */
export const planHeader = (context: Context, { me }: Session, title: string): NewPlan => ({
  ...{ id: crypto.randomUUID(), profile: context.settings.profile, url: urlOf(context) },
  ...{ site: me.site, caller: me.userName, created: context.io.now().toISOString(), title },
});

/** Writes the plan that takes a job back, and says how it is run. Throws as `writeOutput`. */
async function writeUndo(
  context: Context,
  session: Session,
  jobs: JobStore,
  head: JobHead,
  file: string,
): Promise<void> {
  const output = outputOf(context, '--undo-out', file);
  const header = planHeader(context, session, `undo of ${head.title}`);
  const { rows } = await writePlanFile(output, header, wayBack(jobs, head.id), () => 0);
  context.note(`The way back, ${counted(rows, 'change')}: ${planCommand(context, ['apply', file])}`);
}

/** A plan stands for itself: it is applied without the journal whose rows it takes back. */
async function* wayBack(jobs: JobStore, job: string): AsyncGenerator<PlannedRow> {
  for await (const { undoes, ...row } of reverseRows(jobs, job)) yield row;
}

/**
 * The unfinished job of the same command with the same files. Throws as `unfinishedJob`, and `conflict` where the files or
 * the flags are others by now.
 */
async function unfinishedOf(context: Context, jobs: JobStore, job: NewJob): Promise<JobHead | undefined> {
  const isSame = (head: JobHead): boolean =>
    head.title === job.title && readsSameFiles(head, job) && otherService(context, head) === undefined;
  const head = await unfinishedJob(jobs, job, isSame);
  if (!head) return undefined;
  if (head.caller !== job.caller || !doesTheSame(head, job)) throw notTheSame(context, head, job);
  context.note(`This command has begun before: job ${shortID(head.id)} goes on`);
  return head;
}

/** So many jobs at most begin while one is planned. */
const LATEST = 50;

/**
 * What to ask once the job is in the journal: it throws `conflict` where another one with the same files has begun since this
 * call and before it. Neither plan knows what the other one makes.
 */
async function aloneCheck(context: Context, jobs: JobStore, job: NewJob): Promise<Pick<Ui, 'begun'>> {
  if (inputSources(job).length === 0) return {};
  const latest = (store: JobStore): Promise<readonly JobHead[]> =>
    store.heads(job.profile, { site: job.site, limit: LATEST, onDamaged: () => undefined });
  const before = new Set((await latest(jobs)).map(({ id }) => id));
  const begun = async (store: JobStore): Promise<void> => {
    const heads = await latest(store);
    const older = heads.slice(heads.findIndex(({ id }) => id === job.id) + 1);
    const isSame = (head: JobHead): boolean => head.undoes === undefined && readsSameFiles(head, job);
    const other = older.find((head) => !before.has(head.id) && isSame(head));
    if (!other) return;
    throw new ServiceError('conflict', `${other.title} has begun meanwhile: job ${shortID(other.id)}`, {
      hint: `Nothing was done here. To look at it: ${jobCommand(context, 'jobs show', other.id)}`,
    });
  };
  return { begun };
}

function notTheSame(context: Context, head: JobHead, { caller }: NewJob): ServiceError {
  const why = head.caller === caller ? 'with another content of the file, or with other flags' : `by ${head.caller}`;
  const done = rowsDone(head);
  const { pending = 0 } = head.counts;
  const back =
    done > 0
      ? `To take it back: ${jobCommand(context, 'undo', head.id)}`
      : `To forget it: ${jobCommand(context, 'jobs prune', head.id)}`;
  return new ServiceError(
    'conflict',
    `${head.title} has begun before, ${why}, and is not finished: ${counted(done, 'row')} ${done === 1 ? 'is' : 'are'} done, ${spaced(pending)} ${pending === 1 ? 'waits' : 'wait'}`,
    {
      hint: `To finish it first: ${jobCommand(context, 'jobs resume', head.id)}. ${back}`,
    },
  );
}

/** Do two jobs read the same files? What comes from stdin is the same where its SHA-256 is. */
function readsSameFiles(one: JobSettings, other: JobSettings): boolean {
  const names = (job: JobSettings): string =>
    JSON.stringify(inputSources(job).map(({ resource, file, sha256 }) => [resource, file === '-' ? sha256 : file]));
  return inputSources(one).length > 0 && names(one) === names(other);
}

/** Do two jobs that read the same files make the same of them? */
function doesTheSame(one: JobSettings, other: JobSettings): boolean {
  const what = (job: JobSettings): string => {
    const { onError, onDrift } = job.settings;
    return JSON.stringify([inputSources(job).map(({ sha256, flags }) => [sha256, sorted(flags)]), onError, onDrift]);
  };
  return what(one) === what(other);
}

const sorted = (flags: object): readonly (readonly [string, unknown])[] =>
  Object.entries(flags).sort(([one], [other]) => (one < other ? -1 : 1));
