// Imports one file of a folder as a job of its own.
import { openGauge } from '../../changes/extent.ts';
import { thisProcess } from '../../changes/holding.ts';
import { planJob } from '../../changes/job.ts';
import { agreedTo } from '../../changes/job-state.ts';
import { planner } from '../../changes/planning.ts';
import type { RunOptions } from '../../changes/run.ts';
import type { Summary } from '../../changes/tally.ts';
import type { Session } from '../../contract/call.ts';
import type { JobStore } from '../../contract/jobs.ts';
import type { Context } from '../context.ts';
import { newJob } from '../jobs/bulk.ts';
import type { IntakeFlags, RunFlags } from '../jobs/flags.ts';
import { leaveFailed, settingsOfFile } from '../jobs/import-job.ts';
import { openFile, takeIn } from '../jobs/input.ts';
import { runNew } from '../jobs/running.ts';
import { tellFailures } from '../jobs/summary.ts';
import { orderedIDs } from '../new-id.ts';
import type { SiteFile } from './folder.ts';

/** What became of one file. */
export interface FileDone {
  readonly file: SiteFile;
  readonly unchanged: number;
  /** Where nothing had to be changed, there was no job. */
  readonly summary?: Summary;
  readonly failedFile?: string | undefined;
}

export interface Way {
  readonly context: Context;
  readonly session: Session;
  readonly jobs: JobStore;
  readonly flags: RunFlags & IntakeFlags;
  /** IDs of the folder by what they are here. */
  readonly renamed: Map<string, string>;
}

/** Throws `BadFile` where rows cannot be understood; nothing of the file was changed then. */
export async function importOne(way: Way, file: SiteFile): Promise<FileDone> {
  const { context, session, jobs, renamed } = way;
  const { resource, name, path } = file;
  const flags = { ...way.flags, ...(file.excel ? { excel: true } : {}) };
  const input = await openFile(context, path, flags);
  try {
    const { tally, drafts } = await takeIn(context, session, resource, input, {
      file: name,
      flags,
      renamed,
      quiet: true,
    });
    const settings = await settingsOfFile(context, resource, path, input, flags);
    const title = `${resource.command} import ${name}`;
    // The folder was agreed to as a whole.
    const job = agreedTo(newJob(context, session, { kind: 'import', title, settings }, flags));
    const plan = planner(orderedIDs(() => context.io.now().getTime()));
    const gauge = openGauge();
    await planJob(jobs, job, gauge.through(plan.planAll(drafts())), thisProcess());
    const unchanged = plan.unchanged() + tally.unchanged + tally.skipped;
    if (gauge.extent.changes === 0) {
      await jobs.delete([job.id]);
      return { file, unchanged };
    }
    const secretOf: RunOptions['secretOf'] = ({ number }) => plan.secrets.get(number);
    const summary = await runNew(context, session, jobs, job.id, gauge.extent.changes, { secretOf, unchanged });
    await noteRenamed(jobs, job.id, renamed);
    await tellFailures(context, summary);
    const source = { resource: resource.name, flags };
    return { file, unchanged, summary, failedFile: await leaveFailed(context, jobs, summary.job, input, source) };
  } finally {
    await input.close();
  }
}

/** Whatever service gives IDs of its own: the next files name these records by the old ones. */
async function noteRenamed(jobs: JobStore, job: string, renamed: Map<string, string>): Promise<void> {
  for await (const { operation, id, result } of jobs.rows(job, { states: ['done'] })) {
    if (operation === 'create' && id !== undefined && result?.id !== undefined && result.id !== id)
      renamed.set(id.toLowerCase(), result.id);
  }
}
