// Errors of the rows of a job, their printing, and the exit code of several records.
import { type Advised, exitOfMany, ServiceError, withCandidates } from '../../contract/errors.ts';
import type { JobRow, PlannedRow, RowState } from '../../contract/jobs.ts';
import type { Context } from '../context.ts';
import { type Calling, callingOf } from '../output/calling.ts';
import type { ErrorOptions } from '../output/errors.ts';
import { adviceOf } from '../output/next.ts';
import { fileOf, type JobSettings } from './journal.ts';

/** The most failures that are printed. */
export const MAX_SHOWN = 20;

/** States of rows that are not done and that a resumed run does not try again. */
export const NOT_DONE: readonly RowState[] = ['failed', 'altered', 'drifted', 'unknown', 'skipped'];

/** The error of a row, with its line, and its file if the job has several. */
export function rowError(
  job: JobSettings,
  row: PlannedRow,
  {
    code,
    message,
    candidates = [],
    hint,
    next,
  }: Pick<ServiceError, 'code' | 'message'> & Partial<Pick<ServiceError, 'candidates'>> & Advised,
): ServiceError {
  const file = fileOf(job, row);
  const at = row.line === undefined ? `row ${row.number}` : `line ${row.line}`;
  const what = withCandidates({ message, candidates });
  return new ServiceError(code, `${file === undefined ? '' : `${file} `}${at}: ${what}`, { hint, next });
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

/** The print options for errors of a command. */
export const errorOptions = ({ settings, io }: Pick<Context, 'settings' | 'io'>): ErrorOptions => ({
  json: settings.errorsAsJson,
  color: settings.color && io.stderrIsTerminal,
  debug: io.env.PM_DEBUG === '1',
  calling: callingOf(io, settings),
});
