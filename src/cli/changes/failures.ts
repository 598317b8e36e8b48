// The rows of a job that did not come to their end, as people are told of them.
import { type Advised, ServiceError } from '../../contract/errors.ts';
import type { JobRow, PlannedRow, RowState } from '../../contract/jobs.ts';
import type { Calling } from '../output/calling.ts';
import { adviceOf } from '../output/next.ts';
import { fileOf, type OfJob } from './sources.ts';

/** So many are shown on the screen. */
export const MOST_SHOWN = 20;

/** What is not done, and will not be done by going on. */
export const LEFT: readonly RowState[] = ['failed', 'drifted', 'unknown', 'skipped'];

/** The error of a row, which says where the row stands: in which file, where its job has several, and in which line. */
export function failureAt(
  job: OfJob,
  row: PlannedRow,
  { code, message, hint, next }: Pick<ServiceError, 'code' | 'message'> & Advised,
): ServiceError {
  const file = fileOf(job, row);
  const at = row.line === undefined ? `row ${row.number}` : `line ${row.line}`;
  return new ServiceError(code, `${file === undefined ? '' : `${file} `}${at}: ${message}`, { hint, next });
}

interface Why {
  readonly message: string;
  readonly hint: string;
}

/** Why a row is not done, in words, with commands that run as printed. */
export function whyLeft({ state, result }: JobRow, calling: Calling): Why {
  if (result?.error) return { message: result.error.message, hint: adviceOf(result.error, calling) ?? '' };
  if (state === 'unknown') return { message: 'it is not known whether this was done', hint: 'Resume the job first.' };
  return { message: 'not tried', hint: '' };
}
