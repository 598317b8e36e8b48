// The way of every command that makes many changes: planned, announced, agreed to, run as one job, and told.
import { carry, type People } from '../../changes/carry.ts';
import type { Change } from '../../changes/plan/change.ts';
import type { Extent } from '../../changes/plan/plan-size.ts';
import { planner } from '../../changes/plan/planner.ts';
import { keptIn, type RunOptions } from '../../changes/run/options.ts';
import type { Session } from '../../contract/call.ts';
import type { ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobKind, JobStore, NewJob, PlannedRow } from '../../contract/jobs.ts';
import type { Context } from '../context.ts';
import { announceCounts, confirm } from './confirm.ts';
import { MAX_SHOWN, reportFailures, rowError } from './failures.ts';
import type { RunFlags } from './flags.ts';
import { withJobs } from './journal.ts';
import { writeUndo } from './plan-header.ts';
import { ONLY_SENT, plannedRows, plannedShape } from './planned-changes.ts';
import { orderedIDs, type RunOverrides, runOptions, withProgress } from './running.ts';
import { hasFiles, type JobSettings } from './sources.ts';
import { printSummary, SUMMARY } from './summary.ts';

export interface BulkCommand {
  readonly kind: JobKind;
  /** What was asked for, without secrets. */
  readonly title: string;
  /** What of it is needed to go on later. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly stdinUsed: boolean;
  /** Rows that need no change, as far as the planner does not count them itself. */
  unchanged?(): number;
  /** A line of what else there is to be said of the plan. */
  remarks?(): string | undefined;
  /** Writes down what was not done; answers where. */
  writeFailed?(jobs: JobStore, head: JobHead): Promise<readonly string[]>;
}

/** Makes what the changes say. Answers the exit code. Throws what they throw: then nothing was changed. */
export async function runBulk(
  context: Context,
  session: Session,
  changes: AsyncIterable<Change>,
  bulk: BulkCommand,
  flags: RunFlags,
): Promise<number> {
  await context.checkPrint(context.settings.dryRun ? plannedShape(hiddenColumns(bulk)) : SUMMARY);
  const plan = planner(orderedIDs(() => context.io.now().getTime()));
  const unchanged = (): number => plan.unchanged() + (bulk.unchanged?.() ?? 0);
  return runPlanned(context, session, flags, {
    ...{ job: newJob(context, session, bulk, flags), rows: plan.planAll(changes) },
    ...{ secretOf: ({ number }) => plan.secrets.get(number), unchanged },
    announce: ({ verbs }) => announcePlan(context, session, verbs, bulk, unchanged()),
    agree: (extent) => confirm(context, extent, bulk),
    ...(bulk.writeFailed ? { writeFailed: bulk.writeFailed } : {}),
  });
}

export interface PlannedRun {
  readonly job: NewJob;
  readonly rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>;
  /** The journal, where it is open already. */
  readonly jobs?: JobStore;
  readonly secretOf?: RunOptions['secretOf'];
  /** How many rows need no change; asked when all of them are known. */
  unchanged?(): number;
  announce(extent: Extent): void;
  /** Throws where it is not agreed to. */
  agree(extent: Extent): Promise<void>;
  /** What is said where there is no change at all. */
  readonly nothing?: string;
  writeFailed?: BulkCommand['writeFailed'];
}

/** Carries out many changes, or rehearses them, and tells how it went. Answers the exit code. */
export function runPlanned(context: Context, session: Session, flags: RunFlags, many: PlannedRun): Promise<number> {
  const { dryRun } = context.settings;
  // A rehearsal leaves no journal behind, not even an empty one.
  if (dryRun) return rehearsePlanned(context, session, many);
  const going = async (jobs: JobStore): Promise<number> => {
    const summary = await carry(
      { session, jobs: async () => jobs },
      { ...many, rehearse: false },
      uiOf(context, many),
      runOptions(context, {}),
    );
    if (!summary) return noteNothing(context, many);
    const failedFiles = await many.writeFailed?.(jobs, summary.job);
    if (flags.undoOut !== undefined) await writeUndo(context, session, jobs, summary.job, flags.undoOut);
    return printSummary(context, summary, failedFiles);
  };
  return many.jobs ? going(many.jobs) : withJobs(context, flags.journal, going);
}

async function rehearsePlanned(context: Context, session: Session, many: PlannedRun): Promise<number> {
  const failures: ServiceError[] = [];
  const onFailed: RunOptions['onFailed'] = (row, error) => {
    if (failures.length < MAX_SHOWN) failures.push(rowError(many.job, row, error));
  };
  const options = { ...runOptions(context, overridesOf(many)), onFailed };
  const doors = { session, jobs: () => context.jobs() };
  const summary = await carry(doors, { ...many, rehearse: true }, uiOf(context, many, session), options);
  if (!session.local) context.note(ONLY_SENT);
  await reportFailures(context, failures, failures.length);
  const { failed = 0, drifted = 0 } = summary?.counts ?? {};
  if (failed + drifted > 0) context.note(`${failed + drifted} of these changes would fail.`);
  return summary?.exit ?? 0;
}

function uiOf(context: Context, many: PlannedRun, session?: Session): People {
  return {
    async planned(extent) {
      many.announce(extent);
      if (!context.settings.dryRun && extent.changes > 0) await many.agree(extent);
    },
    async rehearsed(rows) {
      const shape = plannedShape([...hiddenColumns(many.job), ...(session?.local ? [] : ['Name'])]);
      await context.print({ shape, rows: plannedRows(rows, session?.find, many.job) });
    },
    watch: (total, work) => withProgress(context, total, overridesOf(many), work),
  };
}

/** The file of a row is told only where the job has several. */
const hiddenColumns = (job: JobSettings): readonly string[] => (hasFiles(job) ? [] : ['File']);

const overridesOf = ({ secretOf, unchanged }: PlannedRun): RunOverrides => ({
  ...(secretOf ? { secretOf } : {}),
  ...(unchanged ? { unchanged: unchanged() } : {}),
});

function noteNothing(context: Context, { nothing: said = 'Nothing to change.' }: PlannedRun): number {
  context.note(said);
  return 0;
}

/** The flags are kept with it: whoever goes on with the job goes on in the same way. */
export function newJob(
  { settings, io }: Context,
  { me }: Session,
  { kind, title, settings: kept = {} }: Pick<BulkCommand, 'kind' | 'title'> & Partial<Pick<BulkCommand, 'settings'>>,
  flags: Pick<RunFlags, 'onError' | 'onDrift'>,
): NewJob {
  return {
    ...{ id: crypto.randomUUID(), kind, title, settings: { ...kept, ...keptIn({ settings: { ...flags } }) } },
    ...{ profile: settings.profile, site: me.site, caller: me.userName, created: io.now().toISOString() },
  };
}

function announcePlan(
  context: Context,
  session: Session,
  verbs: Extent['verbs'],
  bulk: BulkCommand,
  unchanged: number,
): void {
  announceCounts(context, session, verbs);
  const said = [unchanged > 0 ? `${unchanged} unchanged` : '', bulk.remarks?.() ?? ''].filter((part) => part !== '');
  if (said.length > 0) context.note(`  ${said.join(', ')}`);
}
