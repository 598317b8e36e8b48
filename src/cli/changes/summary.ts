// The summary of a job: the rows in each state, the first failures, and the next commands.
import type { Summary } from '../../changes/run/counts.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Row } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import type { Shape } from '../output/index.ts';
import { integers, shapeFrom, texts } from '../output/shape.ts';
import { errorOptions, MAX_SHOWN, rowError, STATE_COUNTS, stateCounts } from './failures.ts';
import { jobCommand } from './journal.ts';
import { fileOf } from './sources.ts';

const FIELDS = {
  ...texts('Job', 'State'),
  ...STATE_COUNTS,
  ...integers('Unchanged'),
  ...texts('FailedFile', 'Resume', 'Retry', 'Undo'),
};

export const SUMMARY: Shape = { ...shapeFrom('JobSummary', FIELDS), id: 'Job' };

/** Prints failures on stderr and the summary on stdout; answers the exit code. `failedFiles` hold the rows not done. */
export async function printSummary(
  context: Context,
  summary: Summary,
  failedFiles: readonly string[] = [],
): Promise<number> {
  await printFailures(context, summary);
  const row = summaryRow(context, summary, failedFiles);
  try {
    await context.print({ shape: SUMMARY, rows: [row], one: true });
  } finally {
    // The job has run even if stdout fails.
    noteNext(context, row, failedFiles);
    if (summary.rolledBack) noteRolledBack(context, summary.rolledBack);
  }
  return summary.exit;
}

function noteNext(context: Context, { Resume, Undo }: Row, failedFiles: readonly string[]): void {
  for (const file of failedFiles) context.note(`What was not done: ${file}`);
  if (Resume !== null) context.note(`To go on: ${String(Resume)}`);
  else if (Undo !== null) context.note(`Undo: ${String(Undo)}`);
}

/** On a remote service a rollback is a job of its own. */
function noteRolledBack(context: Context, { job, counts: { done = 0 } }: Summary): void {
  const left = job.total - done;
  const rest = left === 0 ? '' : `, ${left} not: ${jobCommand(context, 'jobs show', job.id)}`;
  context.note(`Taken back: ${done} of ${job.total} changes${rest}`);
}

function summaryRow(
  context: Context,
  { job, counts, unchanged, rolledBack }: Summary,
  failedFiles: readonly string[],
): Row {
  const { failed = 0, skipped = 0, unknown = 0, pending = 0, intent = 0, done = 0 } = counts;
  // A rolled back job cannot be resumed.
  const goesOn = !rolledBack && pending + unknown + intent > 0;
  const command = (verb: string): string => jobCommand(context, verb, job.id);
  return {
    Job: job.id,
    State: job.state,
    ...stateCounts(counts),
    Unchanged: unchanged,
    FailedFile: failedFiles.join(', ') || null,
    Resume: goesOn ? command('jobs resume') : null,
    Retry: !goesOn && !rolledBack && failed + skipped > 0 ? command('jobs retry') : null,
    Undo: done > 0 && !rolledBack && unknown + intent === 0 ? command('undo') : null,
  };
}

/** Prints the first failures on stderr. */
async function printFailures(context: Context, { job, failures, stopped, counts }: Summary): Promise<void> {
  const { printError } = await import('../output/errors.ts');
  const { io } = context;
  const options = errorOptions(context);
  for (const { row, error } of failures) {
    const at = options.json ? { file: fileOf(job, row), row: row.line ?? row.number } : {};
    printError(rowError(job, row, error), { ...options, ...at }, io);
  }
  const all = (counts.failed ?? 0) + (counts.drifted ?? 0);
  if (failures.length >= MAX_SHOWN && all > failures.length) context.note(`… and ${all - failures.length} more`);
  if (stopped) printError(stopError(stopped), options, io);
}

/** Marks the error that ended the run: it belongs to no row. */
function stopError(error: ServiceError): ServiceError {
  if (error.code === 'interrupted' || error.message.startsWith('stopped')) return error;
  const { code, message, hint, next } = error;
  return new ServiceError(code, `stopped: ${message}`, { hint, next });
}
