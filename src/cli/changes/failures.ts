// Errors of the rows of a job, their printing, and the exit code of several records.
import type { FailureCause, Summary } from '../../changes/run/counts.ts';
import { EXIT, exitOfMany, ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobRow } from '../../contract/jobs.ts';
import type { Context } from '../context.ts';
import { type Calling, callingOf } from '../output/calling.ts';
import type { ErrorOptions } from '../output/errors.ts';
import { adviceOf } from '../output/next.ts';
import { fileOf, jobCommand } from './journal.ts';

/** The most failures that are printed. */
export const MAX_SHOWN = 20;

/** The error of rows with their lines, and their file if the job has several. */
function causeError(job: JobHead, { rows, first }: FailureCause, hasRun: boolean): ServiceError {
  const [{ row, state, error }] = first;
  const { code, message, hint, next } = error;
  const places = first.map(({ row: { line, number } }) => line ?? number).join(', ');
  const all = `${rows} rows (${places}${rows > first.length ? ' …' : ''})${state === 'drifted' ? ', the first' : ''}`;
  const file = fileOf(job, row);
  const at = rows === 1 ? `${row.line === undefined ? 'row' : 'line'} ${places}` : all;
  // A plan runs once.
  const isOver = next?.do === 'overwrite-drift' && hasRun && job.kind === 'apply';
  const more = isOver ? ({ do: 'overwrite-drift', job: job.id } as const) : next;
  return new ServiceError(code, `${file === undefined ? '' : `${file} `}${at}: ${message}`, { hint, next: more });
}

/** Why a row is not done, and what to do. Commands in it run as printed. */
export function reasonOf({ state, result }: JobRow, calling: Calling): { message: string; hint: string } {
  if (result?.error) return { message: result.error.message, hint: adviceOf(result.error, calling) ?? '' };
  if (state === 'unknown') return { message: 'it is not known whether this was done', hint: 'Resume the job first.' };
  return { message: 'not tried', hint: '' };
}

/** Prints what failed. Answers the exit code of all. */
export async function reportFailures(context: Context, failures: readonly unknown[], total: number): Promise<number> {
  if (failures.length === 0) return 0;
  const { printError } = await import('../output/errors.ts');
  const exits = failures.map((error) => printError(error, errorOptions(context), context.io));
  return exitOfMany({ exits, done: failures.length < total });
}

const errorOptions = ({ settings, io }: Pick<Context, 'settings' | 'io'>): ErrorOptions => ({
  color: settings.color && io.stderrIsTerminal,
  debug: io.env.PM_DEBUG === '1',
  calling: callingOf(io, settings),
});

/** Prints why rows failed: for programs the first of them, else the first causes, each once. */
export async function printFailures(
  context: Context,
  { job, failures, causes, stopped, counts }: Summary,
): Promise<void> {
  const { printError } = await import('../output/errors.ts');
  const { io } = context;
  const options = errorOptions(context);
  const shown = io.errorsAsJson
    ? failures.map((one): FailureCause => ({ rows: 1, first: [one] }))
    : causes.slice(0, MAX_SHOWN);
  for (const cause of shown) {
    const [{ row }] = cause.first;
    const at = io.errorsAsJson ? { file: fileOf(job, row), row: row.line ?? row.number } : {};
    printError(causeError(job, cause, !context.settings.dryRun), { ...options, ...at }, io);
  }
  const all = (counts.failed ?? 0) + (counts.drifted ?? 0);
  const said = shown.reduce((sum, { rows }) => sum + rows, 0);
  if (shown.length >= MAX_SHOWN && all > said) context.note(`… and ${all - said} more`);
  const named = shown.reduce((sum, { first }) => sum + first.length, 0);
  if (all > named && !context.settings.dryRun)
    context.note(`Row by row: ${jobCommand(context, 'jobs show', job.id)} --rows`);
  if (stopped) printError(stopError(stopped), options, io);
}

/** Was a change refused for what was written? Nothing was done then, and others may be fine. */
export const isRefused = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && REFUSED.includes(error.exit);
const REFUSED: readonly number[] = [EXIT.usage, EXIT.notFound, EXIT.rejected];

/** Marks the error that ended the run: it belongs to no row. */
function stopError(error: ServiceError): ServiceError {
  if (error.code === 'interrupted' || error.message.startsWith('stopped')) return error;
  const { code, message, hint, next } = error;
  return new ServiceError(code, `stopped: ${message}`, { hint, next });
}
