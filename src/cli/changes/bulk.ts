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
import { agree, announceCounts } from './confirm.ts';
import { failureAt, MOST_SHOWN, reportFailures } from './failures.ts';
import type { RunFlags } from './flags.ts';
import { withJobs } from './journal.ts';
import { writeUndo } from './plan-header.ts';
import { linesOf, ONLY_SENT, plannedShape } from './planned-changes.ts';
import { type How, orderedIDs, runOptions, watched } from './running.ts';
import { hasFiles, type OfJob } from './sources.ts';
import { printSummary, SUMMARY } from './summary.ts';

export interface Bulk {
  readonly kind: JobKind;
  /** What was asked for, without secrets. */
  readonly title: string;
  /** What of it is needed to go on later. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly stdinUsed: boolean;
  /** Rows that need no change, as far as the planner does not count them itself. */
  unchanged?(): number;
  /** A line of what else there is to be said of the plan. */
  remark?(): string | undefined;
  /** Writes down what was not done; answers where. */
  leave?(jobs: JobStore, head: JobHead): Promise<readonly string[]>;
}

/** Makes what the changes say. Answers the exit code. Throws what they throw: then nothing was changed. */
export async function makeMany(
  context: Context,
  session: Session,
  changes: AsyncIterable<Change>,
  bulk: Bulk,
  flags: RunFlags,
): Promise<number> {
  await context.checkPrint(context.settings.dryRun ? plannedShape(without(bulk)) : SUMMARY);
  const plan = planner(orderedIDs(() => context.io.now().getTime()));
  const unchanged = (): number => plan.unchanged() + (bulk.unchanged?.() ?? 0);
  return carryMany(context, session, flags, {
    ...{ job: newJob(context, session, bulk, flags), rows: plan.planAll(changes) },
    ...{ secretOf: ({ number }) => plan.secrets.get(number), unchanged },
    announce: ({ verbs }) => announcePlan(context, session, verbs, bulk, unchanged()),
    agree: (extent) => agree(context, extent, bulk),
    ...(bulk.leave ? { leave: bulk.leave } : {}),
  });
}

export interface Many {
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
  leave?: Bulk['leave'];
}

/** Carries out many changes, or rehearses them, and tells how it went. Answers the exit code. */
export function carryMany(context: Context, session: Session, flags: RunFlags, many: Many): Promise<number> {
  const { dryRun } = context.settings;
  // A rehearsal leaves no journal behind, not even an empty one.
  if (dryRun) return rehearseMany(context, session, many);
  const going = async (jobs: JobStore): Promise<number> => {
    const summary = await carry(
      { session, jobs: async () => jobs },
      { ...many, rehearse: false },
      peopleOf(context, many),
      runOptions(context, {}),
    );
    if (!summary) return nothing(context, many);
    const failedFiles = await many.leave?.(jobs, summary.job);
    if (flags.undoOut !== undefined) await writeUndo(context, session, jobs, summary.job, flags.undoOut);
    return printSummary(context, summary, failedFiles);
  };
  return many.jobs ? going(many.jobs) : withJobs(context, flags.journal, going);
}

async function rehearseMany(context: Context, session: Session, many: Many): Promise<number> {
  const failures: ServiceError[] = [];
  const onFailed: RunOptions['onFailed'] = (row, error) => {
    if (failures.length < MOST_SHOWN) failures.push(failureAt(many.job, row, error));
  };
  const options = { ...runOptions(context, howOf(many)), onFailed };
  const doors = { session, jobs: () => context.jobs() };
  const summary = await carry(doors, { ...many, rehearse: true }, peopleOf(context, many, session), options);
  if (!session.local) context.note(ONLY_SENT);
  await reportFailures(context, failures, failures.length);
  const { failed = 0, drifted = 0 } = summary?.counts ?? {};
  if (failed + drifted > 0) context.note(`${failed + drifted} of these changes would fail.`);
  return summary?.exit ?? 0;
}

function peopleOf(context: Context, many: Many, session?: Session): People {
  return {
    async planned(extent) {
      many.announce(extent);
      if (!context.settings.dryRun && extent.changes > 0) await many.agree(extent);
    },
    async rehearsed(rows) {
      const shape = plannedShape([...without(many.job), ...(session?.local ? [] : ['Name'])]);
      await context.print({ shape, rows: linesOf(rows, session?.find, many.job) });
    },
    watch: (total, work) => watched(context, total, howOf(many), work),
  };
}

/** The file of a row is told only where the job has several. */
const without = (job: OfJob): readonly string[] => (hasFiles(job) ? [] : ['File']);

const howOf = ({ secretOf, unchanged }: Many): How => ({
  ...(secretOf ? { secretOf } : {}),
  ...(unchanged ? { unchanged: unchanged() } : {}),
});

function nothing(context: Context, { nothing: said = 'Nothing to change.' }: Many): number {
  context.note(said);
  return 0;
}

/** The flags are kept with it: whoever goes on with the job goes on in the same way. */
export function newJob(
  { settings, io }: Context,
  { me }: Session,
  { kind, title, settings: kept = {} }: Pick<Bulk, 'kind' | 'title'> & Partial<Pick<Bulk, 'settings'>>,
  flags: Pick<RunFlags, 'onError' | 'onDrift'>,
): NewJob {
  return {
    ...{ id: crypto.randomUUID(), kind, title, settings: { ...kept, ...keptIn({ settings: { ...flags } }) } },
    ...{ profile: settings.profile, site: me.site, caller: me.userName, created: io.now().toISOString() },
  };
}

function announcePlan(context: Context, session: Session, verbs: Extent['verbs'], bulk: Bulk, unchanged: number): void {
  announceCounts(context, session, verbs);
  const said = [unchanged > 0 ? `${unchanged} unchanged` : '', bulk.remark?.() ?? ''].filter((part) => part !== '');
  if (said.length > 0) context.note(`  ${said.join(', ')}`);
}
