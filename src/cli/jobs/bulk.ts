// The way of every command that makes many changes: planned, announced, agreed to, run as one job, and told.
import { type Draft, planner } from '../../changes/planning.ts';
import { keptIn } from '../../changes/run.ts';
import type { Session } from '../../contract/call.ts';
import type { JobHead, JobKind, JobStore, NewJob } from '../../contract/jobs.ts';
import { announceCounts } from '../announce.ts';
import type { Context } from '../context.ts';
import { orderedIDs } from '../new-id.ts';
import { agree } from './agreement.ts';
import { agreed, planWhole } from './beforehand.ts';
import { type Extent, openGauge } from './extent.ts';
import type { RunFlags } from './flags.ts';
import { withJobs } from './journal.ts';
import { PLANNED, rehearseJob } from './rehearsal.ts';
import { type How, runNew } from './running.ts';
import { SUMMARY, tellSummary } from './summary.ts';
import { writeUndo } from './undo-file.ts';

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
  leave?(jobs: JobStore, head: JobHead): Promise<string | undefined>;
}

/** Makes what the drafts say. Answers the exit code. Throws what the drafts throw: then nothing was changed. */
export async function makeMany(
  context: Context,
  session: Session,
  drafts: AsyncIterable<Draft>,
  bulk: Bulk,
  flags: RunFlags,
): Promise<number> {
  await context.checkPrint(context.settings.dryRun ? PLANNED : SUMMARY);
  const plan = planner(orderedIDs(() => context.io.now().getTime()));
  const unchanged = (): number => plan.unchanged() + (bulk.unchanged?.() ?? 0);
  const how = (): How => ({ secretOf: ({ number }) => plan.secrets.get(number), unchanged: unchanged() });
  const gauge = openGauge();
  const rows = gauge.through(plan.planAll(drafts));
  const job = newJob(context, session, bulk, flags);
  const announce = (): void => announcePlan(context, session, gauge.extent, bulk, unchanged());
  if (context.settings.dryRun) return rehearseJob(context, session, job, rows, { how, announce });
  return withJobs(context, flags.journal, async (jobs) => {
    await planWhole(context, jobs, job, rows);
    announce();
    if (gauge.extent.changes === 0) return nothing(context, jobs, job.id);
    await agreed(context, jobs, job.id, () => agree(context, gauge.extent, bulk));
    const summary = await runNew(context, session, jobs, job.id, gauge.extent.changes, how());
    const failedFile = await bulk.leave?.(jobs, summary.job);
    if (flags.undoOut !== undefined) await writeUndo(context, session, jobs, summary.job, flags.undoOut);
    return tellSummary(context, summary, { failedFile, journal: flags.journal });
  });
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

function announcePlan(context: Context, session: Session, { verbs }: Extent, bulk: Bulk, unchanged: number): void {
  announceCounts(context, session, verbs);
  const said = [unchanged > 0 ? `${unchanged} unchanged` : '', bulk.remark?.() ?? ''].filter((part) => part !== '');
  if (said.length > 0) context.note(`  ${said.join(', ')}`);
}

async function nothing(context: Context, jobs: JobStore, id: string): Promise<number> {
  await jobs.delete([id]);
  context.note('Nothing to change.');
  return 0;
}
